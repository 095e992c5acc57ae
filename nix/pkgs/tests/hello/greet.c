#include "greet.h"

const char *greet_file(void) { return __FILE__; }
