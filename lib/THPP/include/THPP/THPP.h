// All of THPP.
#pragma once

#include <THPP/Tensor.h>
#include <THPP/Functions.h>  // generated
#include <THPP/Guard.h>
#include <THPP/Meta.h>
