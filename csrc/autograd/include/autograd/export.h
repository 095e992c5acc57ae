/* What libtorch exports is marked by this. The list for its link stub is made with another meaning of it
   (codegen/exports.py). */
#pragma once

#ifndef AUTOGRAD_API
#define AUTOGRAD_API __attribute__((visibility("default")))
#endif
