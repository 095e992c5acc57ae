#pragma once
#ifdef __cplusplus
extern "C" {
#endif
const char *greet_file(void);
#ifdef __cplusplus
}
#endif
