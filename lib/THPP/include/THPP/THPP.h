// All of THPP.
#pragma once

#include <THPP/Tensor.h>
#include <THPP/Functions.h>  // generated
#include <THPP/NN.h>         // generated from THNN.h
#include <THPP/Guard.h>
#include <THPP/Meta.h>
