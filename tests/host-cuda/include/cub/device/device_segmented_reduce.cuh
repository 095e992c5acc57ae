#pragma once
#include "../../host_cuda/cub_scan.h"
