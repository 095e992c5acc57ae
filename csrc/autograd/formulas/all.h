// What generated nodes compute with: every header of this folder.
#pragma once

#include "operators.h"
#include "softmax.h"
