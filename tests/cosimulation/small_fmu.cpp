// A small FMU of FMI 2.0 for the tests: at the end of a step y = gain u; it counts its steps, and its parameter
// `mode` says how it misbehaves in the steps that begin at or behind `when`.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "apps/fmu/fmi2.h"

namespace cardan::fmi2 {
namespace {

enum Mode { fine, crash, sleeps, error, discard, warn, nan, fatal, exits, prints };

struct Small {
  double gain, when, u, y, mode, time;
  double count;
  bool isRunning;
  Callbacks callbacks;
};

/// Value references: 0 gain, 1 when, 2 u, 3 y, 4 mode (Integer), 5 count (Integer); 6 on (Boolean): y > 0
double* at(Small* s, unsigned r) {
  double* all[] = {&s->gain, &s->when, &s->u, &s->y, &s->mode, &s->count};
  return r < 6 ? all[r] : nullptr;
}

}  // namespace

extern "C" {

#define TELL(s, status, ...) \
  (s)->callbacks.logger((s)->callbacks.environment, "small", status, "log", __VA_ARGS__)

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }
Status fmi2SetDebugLogging(Component c, Boolean on, size_t n, const String names[]) { return kOk; }
Component fmi2Instantiate(String name, Type type, String guid, String resources,
                          const Callbacks* callbacks, Boolean visible, Boolean logging) {
  if (strcmp(guid, "{small}") != 0) {
    callbacks->logger(callbacks->environment, name, kError, "log", "wrong GUID '%s'", guid);
    return nullptr;
  }
  auto* s = static_cast<Small*>(std::calloc(1, sizeof(Small)));
  s->gain = 1;
  s->callbacks = *callbacks;
  return s;
}
void fmi2FreeInstance(Component c) { free(c); }
Status fmi2SetupExperiment(Component c, Boolean hasTolerance, Real tolerance, Real start,
                           Boolean hasStop, Real stop) {
  static_cast<Small*>(c)->time = start;
  return kOk;
}
Status fmi2EnterInitializationMode(Component c) { return kOk; }
Status fmi2ExitInitializationMode(Component c) {
  auto* s = static_cast<Small*>(c);
  s->y = s->gain * s->u;
  s->isRunning = true;
  return kOk;
}
Status fmi2Terminate(Component c) { return kOk; }
Status fmi2Reset(Component c) { return kOk; }

Status fmi2GetReal(Component c, const ValueReference r[], size_t n, Real x[]) {
  auto* s = static_cast<Small*>(c);
  if (!s->isRunning) s->y = s->gain * s->u;
  for (size_t i = 0; i < n; ++i) x[i] = *at(static_cast<Small*>(c), r[i]);
  return kOk;
}
Status fmi2SetReal(Component c, const ValueReference r[], size_t n, const Real x[]) {
  for (size_t i = 0; i < n; ++i) *at(static_cast<Small*>(c), r[i]) = x[i];
  return kOk;
}
Status fmi2GetInteger(Component c, const ValueReference r[], size_t n, Integer x[]) {
  for (size_t i = 0; i < n; ++i) x[i] = (int)*at(static_cast<Small*>(c), r[i]);
  return kOk;
}
Status fmi2SetInteger(Component c, const ValueReference r[], size_t n, const Integer x[]) {
  for (size_t i = 0; i < n; ++i) *at(static_cast<Small*>(c), r[i]) = x[i];
  return kOk;
}
Status fmi2GetBoolean(Component c, const ValueReference r[], size_t n, Boolean x[]) {
  for (size_t i = 0; i < n; ++i) x[i] = static_cast<Small*>(c)->y > 0;
  return kOk;
}
Status fmi2SetBoolean(Component c, const ValueReference r[], size_t n, const Boolean x[]) {
  return kError;
}

Status fmi2DoStep(Component c, Real time, Real step, Boolean noSet) {
  auto* s = static_cast<Small*>(c);
  if (fabs(time - s->time) > 1e-9) {
    TELL(s, kError, "a step begins at %g, and %g is reached", time, s->time);
    return kError;
  }
  s->time = time + step;
  s->y = s->gain * s->u;
  ++s->count;
  if (time < s->when) return kOk;
  switch ((int)s->mode) {
    case crash:
      TELL(s, kOk, "about to crash");
      abort();
      break;
    case sleeps:
      sleep(1000);
      break;
    case error:
      TELL(s, kError, "%s of %d", "no solution", 7);
      return kError;
    case discard:
      return kDiscard;
    case fatal:
      return kFatal;
    case warn:
      TELL(s, kWarning, "the valve is stiff");
      return kWarning;
    case nan:
      s->y = std::numeric_limits<double>::quiet_NaN();
      break;
    case exits:
      _exit(3);
    case prints:
      printf("printed by the FMU\n");
      fflush(stdout);
      break;
    default:
      break;
  }
  return kOk;
}

// A state is a copy.
Status fmi2GetFMUstate(Component c, State* state) {
  if (!*state) *state = malloc(sizeof(Small));
  memcpy(*state, c, sizeof(Small));
  return kOk;
}
Status fmi2SetFMUstate(Component c, State state) {
  const Callbacks mine = static_cast<Small*>(c)->callbacks;
  memcpy(c, state, sizeof(Small));
  static_cast<Small*>(c)->callbacks = mine;
  return kOk;
}
Status fmi2FreeFMUstate(Component c, State* state) {
  free(*state);
  *state = nullptr;
  return kOk;
}
Status fmi2SerializedFMUstateSize(Component c, State state, size_t* size) {
  *size = sizeof(Small);
  return kOk;
}
Status fmi2SerializeFMUstate(Component c, State state, Byte bytes[], size_t size) {
  memcpy(bytes, state, size);
  return kOk;
}
Status fmi2DeSerializeFMUstate(Component c, const Byte bytes[], size_t size, State* state) {
  *state = malloc(size);
  memcpy(*state, bytes, size);
  return kOk;
}

}  // extern "C"

}  // namespace cardan::fmi2
