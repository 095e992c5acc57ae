/* C, not C++: `class` is a name like any other. */
int offset(void) {
  int class = 10;
  return class;
}
