// The main program of every test executable.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // What the program, its launcher and its tools read of their caller's environment says nothing to a
  // test: each sets what it is about.
  for (const char* name : {"CARDAN_PRESET", "MODELICAPATH", "NO_COLOR", "OMPI_COMM_WORLD_RANK",
                           "PMI_RANK", "SLURM_ARRAY_TASK_ID", "SLURM_PROCID"})
    unsetenv(name);
  return doctest::Context(argc, argv).run();
}
