// libc's system() with the store's shell: not every sandbox has a /bin/sh, and a build must not read the host's.
#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int system(const char *command) {
  if (!command) return 1;
  char *arguments[] = {"sh", "-c", (char *)command, 0};
  pid_t child;
  if (posix_spawn(&child, SHELL, 0, 0, arguments, environ) != 0) return 127 << 8;
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}
