/* A stray library: says in $DECOY_LOG that it was loaded, and has none of the real symbols. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void announce(void) {
  FILE *log = fopen(getenv("DECOY_LOG"), "a");
  if (log) {
    fputs(NAME "\n", log);
    fclose(log);
  }
}
