// A small FMU of FMI 3.0 for the tests: vectors and numbers of other kinds. At the end of a step w = 2 v + A z (three
// elements, A of three rows and two columns), n = m + k, f = -g, b = not a; a step that begins at or behind `last` asks for the end.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "apps/fmu/fmi3.h"

namespace cardan::fmi3 {
namespace {

struct Types {
  double v[3] = {1, 2, 3}, w[3] = {}, A[3][2] = {}, z[2] = {};
  UInt8 m = 1;
  Int64 k = 5, n = 0;
  float g = 0.5F, f = 0;
  bool a = false, b = false;
  double last = 1e300;
  char word[16] = "";

  void advance() {
    for (int i = 0; i < 3; ++i) w[i] = 2 * v[i] + A[i][0] * z[0] + A[i][1] * z[1];
    n = m + k;
    f = -g;
    b = !a;
  }
};

Types& of(Instance i) { return *static_cast<Types*>(i); }

}  // namespace

extern "C" {

const char* fmi3GetVersion() { return "3.0"; }
Status fmi3SetDebugLogging(Instance, Boolean, size_t, const String[]) { return kOk; }
Instance fmi3InstantiateCoSimulation(String, String token, String resources, Boolean, Boolean,
                                     Boolean, Boolean, const ValueReference[], size_t,
                                     Environment environment, LogMessage log, IntermediateUpdate) {
  if (std::strcmp(token, "{types}") == 0 && resources[std::strlen(resources) - 1] == '/')
    return new Types;
  log(environment, kError, "log", "wrong token");
  return nullptr;
}
void fmi3FreeInstance(Instance i) { delete static_cast<Types*>(i); }
Status fmi3EnterInitializationMode(Instance, Boolean, Float64, Float64, Boolean, Float64) {
  return kOk;
}
Status fmi3ExitInitializationMode(Instance i) {
  of(i).advance();
  return kOk;
}
Status fmi3Terminate(Instance) { return kOk; }

// Value references: 0 v, 1 w, 2 m, 3 k, 4 n, 5 g, 6 f, 7 a, 8 b, 9 last, 10 word, 12 A, 13 z
Status fmi3SetFloat64(Instance i, const ValueReference r[], size_t, const Float64 x[], size_t n) {
  if (r[0] == 0 && n == 3) std::memcpy(of(i).v, x, sizeof of(i).v);
  if (r[0] == 9) of(i).last = x[0];
  if (r[0] == 12 && n == 6) std::memcpy(of(i).A, x, sizeof of(i).A);
  if (r[0] == 13 && n == 2) std::memcpy(of(i).z, x, sizeof of(i).z);
  return n == (r[0] == 0 ? 3 : r[0] == 12 ? 6 : r[0] == 13 ? 2 : 1) ? kOk : kError;
}
Status fmi3GetFloat64(Instance i, const ValueReference[], size_t, Float64 x[], size_t n) {
  if (n != 3) return kError;
  std::memcpy(x, of(i).w, sizeof of(i).w);
  return kOk;
}
Status fmi3SetUInt8(Instance i, const ValueReference[], size_t, const UInt8 x[], size_t) {
  of(i).m = x[0];
  return kOk;
}
Status fmi3SetInt64(Instance i, const ValueReference[], size_t, const Int64 x[], size_t) {
  of(i).k = x[0];
  return kOk;
}
Status fmi3GetInt64(Instance i, const ValueReference[], size_t, Int64 x[], size_t) {
  x[0] = of(i).n;
  return kOk;
}
Status fmi3SetFloat32(Instance i, const ValueReference[], size_t, const Float32 x[], size_t) {
  of(i).g = x[0];
  return kOk;
}
Status fmi3GetFloat32(Instance i, const ValueReference[], size_t, Float32 x[], size_t) {
  x[0] = of(i).f;
  return kOk;
}
Status fmi3SetBoolean(Instance i, const ValueReference[], size_t, const Boolean x[], size_t) {
  of(i).a = x[0];
  return kOk;
}
Status fmi3GetBoolean(Instance i, const ValueReference[], size_t, Boolean x[], size_t) {
  x[0] = of(i).b;
  return kOk;
}
Status fmi3SetString(Instance i, const ValueReference[], size_t, const String x[], size_t) {
  std::strncpy(of(i).word, x[0], sizeof of(i).word - 1);
  return kOk;
}
Status fmi3DoStep(Instance i, Float64 time, Float64, Boolean, Boolean* event, Boolean* ends,
                  Boolean* early, Float64* reached) {
  *event = *early = false;
  *ends = time >= of(i).last;
  *reached = time;
  of(i).advance();
  if (std::strcmp(of(i).word, "minus") == 0) of(i).n = -of(i).n;
  return kOk;
}

}  // extern "C"

}  // namespace cardan::fmi3
