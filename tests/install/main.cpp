// Includes every installed header (headers.h lists them) and says which version it found.
#include <cstdio>

#include "engine/version.h"
#include "headers.h"

int main() {
  std::printf("cardan %s\n", cardan::version);
  return 0;
}
