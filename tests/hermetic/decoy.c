/* A stray library: announces in $DECOY_LOG that it was loaded, and has none of the real symbols. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void announce(void) {
  const char *path = getenv("DECOY_LOG");
  FILE *log = path ? fopen(path, "a") : NULL;
  if (log) {
    fputs(NAME "\n", log);
    fclose(log);
  }
}
