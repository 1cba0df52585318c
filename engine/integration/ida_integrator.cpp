#include "engine/integration/ida_integrator.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <sundials/sundials_context.hpp>
#include <type_traits>
#include <utility>

#include "engine/integration/archived.h"
#include "engine/integration/state_archive.h"
#include "engine/integration/stopwatch.h"
#include "engine/integration/time_resolution.h"
#include "engine/integration/vector_operations.h"

extern "C" {
#include <ida/ida_impl.h>  // private, for polynomial, mapHistory and snapshots only
}

static_assert(SUNDIALS_VERSION_MAJOR == 6,
              "polynomial, mapHistory and snapshots rely on the memory layout of IDA 6");

namespace cardan {
namespace {

// A step that shrinks to nothing without a failure.
constexpr auto kNoTrouble = SolverError::Cause::StepTooSmall;

constexpr double kEps = std::numeric_limits<double>::epsilon();

// Failures of one step: IDA quarters it each time, so that this is down to roundoff.
constexpr int kMostFailures = 30;

void requireSuccess(int flag, const char* call) {
  if (flag >= 0) return;
  throw std::logic_error(std::string(call) + " failed: " + IDAGetReturnFlagName(flag));
}

// Newton's convergence test when the matrix is fresh.
//
// The second update is then k times the square of the first, |d2| = k |d1|^2, with a k that changes
// slowly. k is learned whenever a second iteration runs; where it predicts a negligible d2, the
// first iteration is enough, if nothing bends where no event tells of it: beyond a bend it may lead
// anywhere. IDA's own test assumes a linear rate and forgets it at every new
// matrix.
class QuadraticRate {
 public:
  enum class Verdict { Converged, Continue, Diverged };

  void forget() { k_ = -1; }
  // The last update was not much smaller than the one before.
  bool isSlow() const { return slow_; }

  // update: weighted norm of the Newton update of this iteration (0, 1, ...).
  Verdict judge(int iteration, double update, double tolerance) {
    slow_ = false;
    if (!std::isfinite(update)) return Verdict::Diverged;
    if (iteration == 0) {
      previous_ = update;
      if (update <= kNegligible * tolerance) return Verdict::Converged;
      const bool known = k_ >= 0 && solvesSinceLearned_ < kRelearnAfter;
      if (!known || kSafety * k_ * update * update > tolerance) return Verdict::Continue;
      ++solvesSinceLearned_;
      return Verdict::Converged;
    }
    if (iteration == 1) {
      k_ = std::max(update / (previous_ * previous_), kMemory * k_);
      solvesSinceLearned_ = 0;
    }
    const double rate = update / previous_;
    slow_ = rate > kSlowRate && rate < kHopelessRate;
    if (rate > kSlowestRate) {
      previous_ = update;
      return Verdict::Diverged;
    }
    previous_ = update;
    // What a linear rate would leave undone: conservative for a quadratic one.
    return rate / (1 - rate) * update <= tolerance ? Verdict::Converged : Verdict::Continue;
  }

 private:
  static constexpr double kNegligible = 1e-4;
  static constexpr double kSafety = 10;
  static constexpr double kMemory = 0.7;
  static constexpr double kSlowestRate = 0.9;
  static constexpr double kSlowRate = 0.25;
  static constexpr double kHopelessRate = 10;
  static constexpr int kRelearnAfter = 20;

  double k_ = -1;  // negative: unknown
  double previous_ = 0;
  bool slow_ = false;
  int solvesSinceLearned_ = 0;
};

// A matrix that may serve further steps, with the point it is of.
struct ServingMatrix {
  static constexpr int kMostSteps = 20;      // that it may serve
  static constexpr int kLongestWait = 16;    // steps with matrices of their own, after failures
  static constexpr double kFarthest = 1000;  // ratio of two cj between which it may be carried

  realtype cj = 0;  // 0: there is none
  realtype t = 0;
  std::vector<double> y, yp;
  int served = 0;
  int wait = 0;
  int nextWait = 1;         // twice as long after each failure, until one serves again
  bool isFactored = false;  // else, after a snapshot, it is to be made again

  auto kept() { return std::tie(cj, t, y, yp, served, wait, nextWait); }
  void drop() { cj = 0; }
  void fail() {
    drop();
    wait = nextWait;
    nextWait = std::min(2 * nextWait, kLongestWait);
  }
  void succeed() {
    ++served;
    nextWait = 1;
  }
  bool serves(realtype now) const {
    return cj != 0 && served < kMostSteps && now < kFarthest * cj && cj < kFarthest * now;
  }
  void take(realtype at, realtype ofCj, N_Vector yNow, N_Vector ypNow) {
    if (wait > 0) {
      --wait;
      drop();
      return;
    }
    cj = ofCj;
    t = at;
    y.assign(NV_DATA_S(yNow), NV_DATA_S(yNow) + NV_LENGTH_S(yNow));
    yp.assign(NV_DATA_S(ypNow), NV_DATA_S(ypNow) + NV_LENGTH_S(ypNow));
    served = 0;
    isFactored = true;
  }
};

// Owners for the C objects.
template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
void freeIda(void* ida) { IDAFree(&ida); }
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Deleter<N_VDestroy>>;
using NewtonSolver =
    std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, Deleter<SUNNonlinSolFreeEmpty>>;
struct IdaDeleter {
  void operator()(void* ida) const { freeIda(ida); }
};

}  // namespace

// The SUNDIALS objects and what the functions called by them need. IDA gets the address of this.
struct IdaIntegrator::Memory {
  Memory(DaeSystem& dae, const IntegratorOptions& options, std::vector<double> allowed);

  auto kept() {
    return std::tie(origin, rate, errorFailuresSeen, message, trouble, solveTrouble, worstUpdate,
                    worstError, finished, serving);
  }
  void createVectors(const IntegratorOptions& options);
  void createSolver();
  IntegratorStatistics statistics() const;
  // Called by IDA: nothing may be thrown through it.
  static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* self);
  static int errorWeights(N_Vector y, N_Vector weights, void* self);
  static int newtonSolve(SUNNonlinearSolver solver, N_Vector predicted, N_Vector correction,
                         N_Vector weights, realtype tolerance, booleantype setup, void* ida);
  static void report(int code, const char* module, const char* function, char* text, void* self);

  int factor(realtype t, realtype cj, N_Vector yNow, N_Vector ypNow);
  int solve(N_Vector r);
  // What a Newton iteration works on, as IDA has it.
  struct Stage {
    realtype t = 0, cj = 0;
    N_Vector yPredicted, ypPredicted, y, yp, residual;
  };
  int iterate(N_Vector e, N_Vector weights, realtype tolerance);
  int update(const Stage& at, N_Vector e, bool fresh);
  bool iterateWithServing(const Stage& at, N_Vector e, N_Vector weights, realtype tolerance);
  bool anyRepeats(N_Vector update, N_Vector weights) const;
  QuadraticRate::Verdict judge(int iteration, N_Vector update, N_Vector weights,
                               realtype tolerance);
  void doubtAfterErrorFailure(N_Vector weights);

  // The unknown with the largest weighted entry, or the first that is not a number.
  int largest(N_Vector x, N_Vector weights, bool withAlgebraic = false) const;

  // Runs one callback of the system: 0 done, 1 IDA should retry with a shorter step, -1 give up.
  template <class Callback>
  int guarded(Callback callback) noexcept {
    try {
      return callback() ? 0 : 1;
    } catch (...) {
      exception = std::current_exception();
      return -1;
    }
  }

  DaeSystem& system;
  const int n;
  const bool timing;
  double origin = 0;  // [s]  IDA's time 0

  // Declaration order = reverse order of destruction: IDA first, the context last.
  sundials::Context context;
  Vector y, yp;       // IDA's working copies, also of rejected steps
  Vector newtonYp;    // y' as the last Newton solution has it
  Vector correction;  // of the predictor, by the last Newton solution
  Vector lastUpdate;  // of Newton's method with a matrix that serves
  const double relativeTolerance;
  const std::vector<double> allowances;
  Vector absoluteTolerances, differential;
  NewtonSolver newton;
  std::unique_ptr<void, IdaDeleter> ida;

  QuadraticRate rate;
  ServingMatrix serving;
  long errorFailuresSeen = 0;

  std::exception_ptr exception;  // thrown by the system during a step
  std::string message;           // IDA's last
  // For the message of a failure: what last made a step fail, and who.
  SolverError::Cause trouble = kNoTrouble;
  SolverError::Cause solveTrouble = kNoTrouble;  // the same within one Newton solve
  int worstUpdate = -1;                          // by the last Newton update that did not converge
  int worstError = -1;                           // by the last failed error test
  IntegratorStatistics finished;                 // counts of ours, and IDA's up to the last restart
};

IdaIntegrator::Memory::Memory(DaeSystem& dae, const IntegratorOptions& options,
                              std::vector<double> allowed)
    : system(dae),
      n(dae.size()),
      timing(options.timing),
      relativeTolerance(options.relativeTolerance),
      allowances(std::move(allowed)) {
  createVectors(options);
  ida.reset(IDACreate(context));
  if (!ida) throw std::bad_alloc();

  requireSuccess(IDASetErrHandlerFn(ida.get(), report, this), "IDASetErrHandlerFn");
  requireSuccess(IDASetUserData(ida.get(), this), "IDASetUserData");
  // The values of the start replace these zeros with IDAReInit.
  requireSuccess(IDAInit(ida.get(), residual, 0, y.get(), yp.get()), "IDAInit");
  requireSuccess(IDAWFtolerances(ida.get(), errorWeights), "IDAWFtolerances");
  requireSuccess(IDASetMaxOrd(ida.get(), options.maximumOrder), "IDASetMaxOrd");
  requireSuccess(IDASetMaxNumSteps(ida.get(), -1), "IDASetMaxNumSteps");
  requireSuccess(IDASetMaxStep(ida.get(), options.maximumStep), "IDASetMaxStep");
  requireSuccess(IDASetMaxErrTestFails(ida.get(), kMostFailures), "IDASetMaxErrTestFails");
  requireSuccess(IDASetMaxConvFails(ida.get(), kMostFailures), "IDASetMaxConvFails");

  // Multipliers carry noise of eps/h and must stay out of the error test.
  requireSuccess(IDASetId(ida.get(), differential.get()), "IDASetId");
  bool algebraic = false;
  for (int i = 0; i < n; ++i) algebraic = algebraic || !dae.isDifferential(i);
  requireSuccess(IDASetSuppressAlg(ida.get(), algebraic), "IDASetSuppressAlg");

  createSolver();
}

/// The operations that IDA asks for most, as our own: its serial ones sum an element after the other.
void useOwnOperations(N_Vector v) {
  v->ops->nvwrmsnorm = [](N_Vector x, N_Vector w) {
    return vectors::weightedNorm(NV_LENGTH_S(x), NV_DATA_S(x), NV_DATA_S(w));
  };
  v->ops->nvwrmsnormmask = [](N_Vector x, N_Vector w, N_Vector mask) {
    return vectors::weightedNorm(NV_LENGTH_S(x), NV_DATA_S(x), NV_DATA_S(w), NV_DATA_S(mask));
  };
  v->ops->nvlinearsum = [](realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
    vectors::sum(NV_LENGTH_S(x), a, NV_DATA_S(x), b, NV_DATA_S(y), NV_DATA_S(z));
  };
  v->ops->nvlinearcombination = [](int count, realtype* c, N_Vector* all, N_Vector z) {
    constexpr int kMost = 16;
    const double* x[kMost];
    if (count < 1 || count > kMost) return N_VLinearCombination_Serial(count, c, all, z);
    for (int k = 0; k < count; ++k) x[k] = NV_DATA_S(all[k]);
    vectors::combination(NV_LENGTH_S(z), count, c, x, NV_DATA_S(z));
    return 0;
  };
}

void IdaIntegrator::Memory::createVectors(const IntegratorOptions& options) {
  y.reset(N_VNew_Serial(n, context));
  if (!y) throw std::bad_alloc();
  N_VEnableFusedOps_Serial(y.get(), SUNTRUE);
  useOwnOperations(y.get());  // clones have them, too
  N_VConst(0, y.get());
  for (Vector* v : {&yp, &newtonYp, &correction, &lastUpdate, &absoluteTolerances, &differential}) {
    v->reset(N_VClone(y.get()));
    if (!*v) throw std::bad_alloc();
    N_VConst(0, v->get());
  }

  for (int i = 0; i < n; ++i) {
    const double nominal = usableNominal(system, i);
    const bool isDifferential = system.isDifferential(i);
    NV_Ith_S(differential, i) = isDifferential ? 1 : 0;
    NV_Ith_S(absoluteTolerances, i) =
        isDifferential ? options.relativeTolerance * nominal : nominal;
  }
}

// Newton's method is ours, and with it what IDA knows of matrices and linear solvers: nothing.
void IdaIntegrator::Memory::createSolver() {
  newton.reset(SUNNonlinSolNewEmpty(context));
  if (!newton) throw std::bad_alloc();
  newton->content = this;
  newton->ops->gettype = [](SUNNonlinearSolver) { return SUNNONLINEARSOLVER_ROOTFIND; };
  newton->ops->setsysfn = [](SUNNonlinearSolver, SUNNonlinSolSysFn) { return SUN_NLS_SUCCESS; };
  newton->ops->solve = newtonSolve;
  requireSuccess(IDASetNonlinearSolver(ida.get(), newton.get()), "IDASetNonlinearSolver");
}

IntegratorStatistics IdaIntegrator::Memory::statistics() const {
  IntegratorStatistics total = finished;
  long steps = 0;
  long errorTestFailures = 0;
  IDAGetNumSteps(ida.get(), &steps);
  IDAGetNumErrTestFails(ida.get(), &errorTestFailures);
  total.steps += steps;
  total.errorTestFailures += errorTestFailures;
  return total;
}

int IdaIntegrator::Memory::residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
  Memory& m = *static_cast<Memory*>(self);
  ++m.finished.residuals;
  const Stopwatch watch(m.timing, m.finished.residualSeconds);
  const int flag = m.guarded([&] {
    return m.system.residual(m.origin + t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r)) &&
           vectors::allFinite(m.n, NV_DATA_S(r));
  });
  if (flag != 0) m.solveTrouble = SolverError::Cause::ResidualNotComputable;
  return flag;
}

int IdaIntegrator::Memory::errorWeights(N_Vector y, N_Vector weights, void* self) {
  const Memory& m = *static_cast<Memory*>(self);
  vectors::errorWeights(m.n, m.relativeTolerance, NV_DATA_S(m.absoluteTolerances), NV_DATA_S(y),
                        NV_DATA_S(weights));
  for (std::size_t i = 0; i < m.allowances.size(); ++i) NV_Ith_S(weights, i) /= m.allowances[i];
  return 0;
}

int IdaIntegrator::Memory::factor(realtype t, realtype cj, N_Vector yNow, N_Vector ypNow) {
  ++finished.newtonMatrices;
  const Stopwatch watch(timing, finished.newtonMatrixSeconds);
  const int flag =
      guarded([&] { return system.factor(origin + t, cj, NV_DATA_S(yNow), NV_DATA_S(ypNow)); });
  if (flag != 0) solveTrouble = SolverError::Cause::SingularMatrix;
  return flag;
}

// r becomes J^-1 r.
int IdaIntegrator::Memory::solve(N_Vector r) {
  const Stopwatch watch(timing, finished.linearSolveSeconds);
  return guarded([&] {
    system.solve(NV_DATA_S(r), NV_DATA_S(r));
    return true;
  });
}

int IdaIntegrator::Memory::newtonSolve(SUNNonlinearSolver solver, N_Vector, N_Vector correction,
                                       N_Vector weights, realtype tolerance, booleantype,
                                       void* /*ida*/) {
  Memory& m = *static_cast<Memory*>(solver->content);
  m.doubtAfterErrorFailure(weights);
  m.solveTrouble = SolverError::Cause::NewtonConvergence;
  const int flag = m.iterate(correction, weights, tolerance);
  if (flag != SUN_NLS_SUCCESS) {
    m.trouble = m.solveTrouble;
    m.rate.forget();
    m.serving.drop();
    ++m.finished.newtonFailures;
    return flag;
  }
  // At stop times and next to roots IDA returns the derivative of its polynomial, which satisfies
  // the equations only to the tolerance; this one solves them.
  IDAComputeYp(m.ida.get(), correction, m.newtonYp.get());
  N_VScale(1, correction, m.correction.get());
  return flag;
}

// The last correction failed the error test: who is to blame is noted, and the rate doubted too.
void IdaIntegrator::Memory::doubtAfterErrorFailure(N_Vector weights) {
  long errorFailures = 0;
  IDAGetNumErrTestFails(ida.get(), &errorFailures);
  if (errorFailures != errorFailuresSeen) {
    worstError = largest(correction.get(), weights);
    trouble = SolverError::Cause::ErrorTest;
    rate.forget();
    serving.drop();
  }
  errorFailuresSeen = errorFailures;
}

// Newton's method for the correction e: y = y_p + e, y' = y'_p + cj e; at first e is what the system
// knows of it without a matrix, and the first update is counted from 0. The matrix is that of this
// point, for one iteration a step: terms that turn with the motion make an old one wrong by the angle
// since it was made, and it takes two iterations at least. Where updates hardly shrink, each gets a
// matrix of its own: a slender rod's spin hangs on the square of what the first one did to all others.
// Only where matrices are dear does one serve the steps behind its own, carried from its cj to theirs
// where that is known.
int IdaIntegrator::Memory::iterate(N_Vector e, N_Vector weights, realtype tolerance) {
  constexpr int kMostIterations = 4, kMostFresh = 6;
  Stage at{};
  void* self = nullptr;
  IDAGetNonlinearSystemData(ida.get(), &at.t, &at.yPredicted, &at.ypPredicted, &at.y, &at.yp,
                            &at.residual, &at.cj, &self);
  system.correctRates(at.cj, NV_DATA_S(at.yPredicted), NV_DATA_S(at.ypPredicted), NV_DATA_S(e));
  // As it is, the error of an older cj would be of order one.
  if (serving.serves(at.cj) && (system.carryTo(at.cj) || at.cj == serving.cj)) {
    if (iterateWithServing(at, e, weights, tolerance)) return SUN_NLS_SUCCESS;
    if (exception) return IDA_RES_FAIL;
    serving.fail();
    solveTrouble = SolverError::Cause::NewtonConvergence;
    N_VConst(0, e);
    system.correctRates(at.cj, NV_DATA_S(at.yPredicted), NV_DATA_S(at.ypPredicted), NV_DATA_S(e));
  }
  const int mostFresh = system.isMatrixDear() ? 1 : kMostFresh;
  bool isFresh = true;
  for (int i = 0, fresh = 0; i < kMostIterations + fresh - 1; ++i) {
    if (isFresh) ++fresh;
    if (const int flag = update(at, e, isFresh); flag != SUN_NLS_SUCCESS) return flag;
    const QuadraticRate::Verdict verdict = judge(i, i == 0 ? e : at.residual, weights, tolerance);
    if (verdict == QuadraticRate::Verdict::Converged) return SUN_NLS_SUCCESS;
    isFresh = rate.isSlow() && fresh < mostFresh;
    if (verdict == QuadraticRate::Verdict::Diverged && !isFresh) break;
  }
  return SUN_NLS_CONV_RECVR;
}

// One iteration: the update, in the place of the residual, is added to e.
int IdaIntegrator::Memory::update(const Stage& at, N_Vector e, bool fresh) {
  N_VLinearSum(1, at.yPredicted, 1, e, at.y);
  N_VLinearSum(1, at.ypPredicted, at.cj, e, at.yp);
  if (const int flag = residual(at.t, at.y, at.yp, at.residual, this); flag != 0)
    return flag > 0 ? IDA_RES_RECVR : IDA_RES_FAIL;
  if (fresh) {
    serving.drop();
    if (const int flag = factor(at.t, at.cj, at.y, at.yp); flag != 0)
      return flag > 0 ? IDA_LSETUP_RECVR : IDA_LSETUP_FAIL;
    if (system.isMatrixDear()) serving.take(at.t, at.cj, at.y, at.yp);
  }
  N_VScale(-1, at.residual, at.residual);
  if (solve(at.residual) != 0) return IDA_LSOLVE_FAIL;
  N_VLinearSum(1, e, 1, at.residual, e);
  return SUN_NLS_SUCCESS;
}

// With the matrix of a step before, which converges linearly. False: not fast enough, or an update
// that stays what it is.
bool IdaIntegrator::Memory::iterateWithServing(const Stage& at, N_Vector e, N_Vector weights,
                                               realtype tolerance) {
  constexpr int kMostIterations = 4;
  constexpr double kSlowestRate = 0.25;
  constexpr double kShare = 1e-3;  // of the tolerance: what a fresh matrix leaves is far less, too
  if (!serving.isFactored) {
    if (guarded([&] {
          return system.factor(origin + serving.t, serving.cj, serving.y.data(), serving.yp.data());
        }) != 0)
      return false;
    serving.isFactored = true;
    system.carryTo(at.cj);
  }
  double before = 0;
  for (int i = 0; i < kMostIterations; ++i) {
    if (update(at, e, false) != SUN_NLS_SUCCESS) return false;
    ++finished.newtonIterations;
    const double size = N_VWrmsNorm(at.residual, weights);
    if (!std::isfinite(size)) return false;
    if (i > 0) {
      const double slope = before > 0 ? size / before : 0;
      if (slope > kSlowestRate) return false;
      if (slope / (1 - slope) * size <= kShare * tolerance && !anyRepeats(at.residual, weights)) {
        serving.succeed();
        return true;
      }
    }
    before = size;
    N_VScale(1, at.residual, lastUpdate.get());
  }
  return false;
}

// A differential unknown's update is about the last one once more, however small, beyond rounding: an
// element of the matrix is far larger than it should be, as of a stiffness that is gone, and what
// such updates leave is far more than they show. What others bring about in iterations that converge
// is of any sign and size, and what alternates or grows is no less than the error.
bool IdaIntegrator::Memory::anyRepeats(N_Vector update, N_Vector weights) const {
  constexpr double kShrinks = 0.5;
  constexpr double kGrows = 1.2;
  constexpr double kRounding = 100 * kEps;
  for (int i = 0; i < n; ++i) {
    if (NV_Ith_S(differential, i) == 0) continue;
    const double now = NV_Ith_S(update, i), last = NV_Ith_S(lastUpdate, i);
    const bool repeats = now * last > 0 && std::abs(now) > kShrinks * std::abs(last) &&
                         std::abs(now) < kGrows * std::abs(last);
    if (!repeats) continue;
    const double unit = 1 / (relativeTolerance * NV_Ith_S(weights, i));
    if (std::abs(now) > kRounding * unit) return true;
  }
  return false;
}

QuadraticRate::Verdict IdaIntegrator::Memory::judge(int iteration, N_Vector update,
                                                    N_Vector weights, realtype tolerance) {
  ++finished.newtonIterations;
  using Verdict = QuadraticRate::Verdict;
  if (system.bendsUnseen()) rate.forget();
  const Verdict verdict = rate.judge(iteration, N_VWrmsNorm(update, weights), tolerance);
  const bool calm =
      verdict == Verdict::Converged || (verdict == Verdict::Continue && iteration == 0);
  if (!calm) worstUpdate = largest(update, weights, true);  // perhaps the last one
  return verdict;
}

int IdaIntegrator::Memory::largest(N_Vector x, N_Vector weights, bool withAlgebraic) const {
  int worst = -1;
  double largest = -1;
  for (int i = 0; i < n; ++i) {
    if (!withAlgebraic && NV_Ith_S(differential, i) == 0) continue;
    const double size = std::abs(NV_Ith_S(x, i) * NV_Ith_S(weights, i));
    if (std::isnan(size)) return i;
    if (size <= largest) continue;
    largest = size;
    worst = i;
  }
  return worst;
}

void IdaIntegrator::Memory::report(int, const char*, const char*, char* text, void* self) {
  Memory& m = *static_cast<Memory*>(self);
  m.guarded([&] {
    m.message = text;
    return true;
  });
}

IdaIntegrator::IdaIntegrator(DaeSystem& system, IntegratorOptions options,
                             std::vector<double> allowances)
    : StepMethod(system, "IdaIntegrator"),
      system_(system),
      options_(options),
      previousYp_(y_.size()),
      insideY_(y_.size()),
      insideYp_(y_.size()),
      memory_(std::make_unique<Memory>(system, options, std::move(allowances))) {}

IdaIntegrator::~IdaIntegrator() = default;

void IdaIntegrator::start(double t, std::span<const double> y, std::span<const double> yp,
                          double h) {
  origin_ = memory_->origin = t;
  begin(t, y, yp, h > 0 ? h : options_.initialStep);
  memory_->finished = {};
  methods_ = {{t, "ida", ""}};
}

void IdaIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                            double h) {
  begin(t, y, yp, h);
  ++memory_->finished.restarts;
}

void IdaIntegrator::begin(double t, std::span<const double> y, std::span<const double> yp,
                          double h) {
  assert(y.size() == y_.size() && yp.size() == yp_.size());
  place(t, y, yp);
  regularStep_ = h;
  roots_.forget();

  Memory& m = *memory_;
  m.finished = m.statistics();  // IDAReInit clears IDA's counters
  std::copy(y_.begin(), y_.end(), NV_DATA_S(m.y));
  std::copy(yp_.begin(), yp_.end(), NV_DATA_S(m.yp));
  std::copy(yp_.begin(), yp_.end(), NV_DATA_S(m.newtonYp));
  requireSuccess(IDAReInit(m.ida.get(), t - origin_, m.y.get(), m.yp.get()), "IDAReInit");
  // A step within the roundoff of time is a leftover, not a scale of the motion.
  requireSuccess(IDASetInitStep(m.ida.get(), h > timeRoundoff(t - origin_) ? h : 0),
                 "IDASetInitStep");
  m.rate.forget();
  m.serving = {};
  m.errorFailuresSeen = 0;
  m.trouble = kNoTrouble;
  m.worstUpdate = m.worstError = -1;
  N_VConst(0, m.correction.get());
  m.message.clear();
}

IdaIntegrator::StepResult IdaIntegrator::step(double tStop) {
  Memory& m = *memory_;
  const bool isEmpty = isThere(tStop);
  roots_.clearFound();
  if (isEmpty) return StepResult::ReachedStop;
  if (stepEnd_ > time_) return arrive();  // the rest of a step with an event inside
  if (!roots_.begin(time_, y_.data(), yp_.data())) {
    throw failureAtLimit(SolverError::Cause::RootNotComputable);
  }
  roots_.newStep();
  m.message.clear();
  if (IDASetStopTime(m.ida.get(), tStop - origin_) < 0) {
    throw std::invalid_argument("IdaIntegrator: tStop lies inside a step already done");
  }

  double t = time_ - origin_;
  const double planned = nextStep() > 0 ? nextStep() : tStop - time_;
  int flag = IDASolve(m.ida.get(), tStop - origin_, &t, m.y.get(), m.yp.get(), IDA_ONE_STEP);
  if (m.exception) std::rethrow_exception(std::exchange(m.exception, nullptr));
  const bool lost = flag == IDA_SUCCESS && lastStep() <= 4 * kEps * std::abs(t);
  if (lost && m.trouble != SolverError::Cause::ResidualNotComputable)
    throw failureAtLimit(m.trouble);
  if (flag < 0 || lost) {
    double ahead = planned;
    if (lost) {
      // The step is good, only too short to go on like that.
      previousTime_ = std::exchange(time_, origin_ + t);
      stepEnd_ = time_;
      previousYp_ = yp_;
      std::copy_n(NV_DATA_S(m.y), y_.size(), y_.begin());
      std::copy_n(NV_DATA_S(m.newtonYp), yp_.size(), yp_.begin());
      ahead = 1e6 * lastStep();
      flag = IDA_REP_RES_ERR;
    }
    flag = approachSwitch(flag, std::min(ahead, tStop - time_), t);
  }
  if (flag == IDA_ROOT_RETURN) return StepResult::Root;
  if (flag < 0) throw failureOfIda(flag);
  const double h = lastStep();

  stepEndIsStop_ = flag == IDA_TSTOP_RETURN;
  const double end = stepEndIsStop_ ? tStop : origin_ + t;
  std::copy_n(NV_DATA_S(m.y), y_.size(), endY_.begin());
  std::copy_n(NV_DATA_S(m.newtonYp), yp_.size(), endYp_.begin());
  regularStep_ = stepEndIsStop_ ? std::max(regularStep_, h) : h;
  stepEnd_ = end;
  return arrive();
}

// Goes on from time() to the end of the internal step, or to the first event before it.
IdaIntegrator::StepResult IdaIntegrator::arrive() {
  const double h = lastStep();
  const StepRoots::Found found = search(eventResolution(stepEnd_, origin_, h), options_, h);
  if (found == StepRoots::Found::NotComputable) {
    throw failureAtLimit(SolverError::Cause::RootNotComputable);
  }
  previousYp_ = yp_;
  if (found == StepRoots::Found::Root) {
    goTo(roots_.time(), roots_.isRefinedAt(roots_.time()));
    return StepResult::Root;
  }
  goTo(stepEnd_, false);
  return resultAtEnd();
}

// A step that cannot be evaluated however short: perhaps a switch is due just ahead, where the
// branch that is still in force ends (the root of a number about to be negative). Shorter steps
// lead up to it, until the rest is so short that continuing by the present rates errs by less than
// the tolerance. Returns the flag of the last step; IDA_ROOT_RETURN: the switch is reached.
int IdaIntegrator::approachSwitch(int flag, double attempted, double& t) {
  Memory& m = *memory_;
  for (int i = 0;
       i < kMostFailures && flag < 0 && m.trouble == SolverError::Cause::ResidualNotComputable;
       ++i) {
    const double distance = roots_.ahead(time_, y_, yp_, attempted);
    if (!std::isfinite(distance)) return flag;
    const double past = time_ - previousTime_;
    for (std::size_t k = 0; k < y_.size(); ++k) {
      const double bend = past > 0 ? (yp_[k] - previousYp_[k]) / past : yp_[k] / distance;
      insideY_[k] = 0.5 * distance * distance * bend;
    }
    if (norm(insideY_, y_) <= 1) {
      const double h = distance;
      for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += h * yp_[k];
      previousTime_ = time_;
      time_ = stepEnd_ = time_ + h;
      std::copy(y_.begin(), y_.end(), endY_.begin());
      return IDA_ROOT_RETURN;
    }
    const double before = previousTime_;
    const auto sides = valuesOf(roots_.kept());
    begin(time_, y_, yp_, 0.5 * distance);
    previousTime_ = before;
    roots_.kept() = sides;
    attempted = distance;
    const double stop = time_ - origin_ + 0.5 * distance;
    IDASetStopTime(m.ida.get(), stop);
    flag = IDASolve(m.ida.get(), stop, &t, m.y.get(), m.yp.get(), IDA_ONE_STEP);
    if (m.exception) std::rethrow_exception(std::exchange(m.exception, nullptr));
    if (flag == IDA_TSTOP_RETURN) flag = IDA_SUCCESS;
  }
  return flag;
}

double IdaIntegrator::nextStep() const {
  double h = 0;
  IDAGetCurrentStep(memory_->ida.get(), &h);
  return h;
}

double IdaIntegrator::norm(std::span<const double> change, std::span<const double> y) const {
  const Memory& m = *memory_;
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (NV_Ith_S(m.differential, i) == 0) continue;
    const double unit = NV_Ith_S(m.absoluteTolerances, i);
    const double x = change[i] / (options_.relativeTolerance * std::abs(y[i]) + unit);
    sum += x * x;
    ++count;
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

double IdaIntegrator::effectOfTime(double t) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double h = t - time_;
  memory_->serving.drop();
  if (!(h > 0) || !system_.factor(time_, 1 / h, y_.data(), yp_.data())) return kInfinity;
  if (!system_.residual(time_, y_.data(), yp_.data(), insideY_.data())) return kInfinity;
  if (!system_.residual(t, y_.data(), yp_.data(), insideYp_.data())) return kInfinity;
  for (std::size_t i = 0; i < y_.size(); ++i) insideY_[i] -= insideYp_[i];
  system_.solve(insideY_.data(), insideY_.data());
  const double size = norm(insideY_, y_);
  return std::isfinite(size) ? size : kInfinity;
}

// y and y' by the polynomial of the last internal step, in one pass over IDA's history:
//   y(t) = sum c_j phi_j,   c_0 = 1,   c_j+1 = c_j (t - t_n + psi_j) / psi_j+1,   psi_0 = 0
// as IDAGetDky has it for each of the two.
void IdaIntegrator::polynomial(double t, double* y, double* yp) const {
  const auto& ida = *static_cast<const IDAMemRec*>(memory_->ida.get());
  const double tau = std::clamp(t - origin_, ida.ida_tn - ida.ida_hused, ida.ida_tn);
  const int order = std::max(ida.ida_kused, 1);
  double c[MXORDP1], rates[MXORDP1];
  const double* phi[MXORDP1];
  c[0] = 1;
  rates[0] = 0;
  phi[0] = NV_DATA_S(ida.ida_phi[0]);
  for (int j = 1; j <= order; ++j) {
    const double arm = tau - ida.ida_tn + (j > 1 ? ida.ida_psi[j - 2] : 0.0);
    c[j] = c[j - 1] * arm / ida.ida_psi[j - 1];
    rates[j] = (rates[j - 1] * arm + c[j - 1]) / ida.ida_psi[j - 1];
    phi[j] = NV_DATA_S(ida.ida_phi[j]);
  }
  vectors::combination(memory_->n, order + 1, c, phi, y);
  vectors::combination(memory_->n, order, rates + 1, phi + 1, yp);
}

int IdaIntegrator::troublesomeUnknown() const { return memory_->worstUpdate; }

// The error of a step is in proportion to the correction of its predictor.
int IdaIntegrator::leadingError() const {
  const Memory& m = *memory_;
  int worst = -1;
  double largest = 0;
  for (int i = 0; i < m.n; ++i) {
    if (NV_Ith_S(m.differential, i) == 0) continue;
    const double unit = NV_Ith_S(m.absoluteTolerances, i);
    const double size =
        std::abs(NV_Ith_S(m.correction, i)) / (options_.relativeTolerance * std::abs(y_[i]) + unit);
    if (size <= largest) continue;
    largest = size;
    worst = i;
  }
  return worst;
}

double IdaIntegrator::lastStep() const {
  double h = 0;
  IDAGetLastStep(memory_->ida.get(), &h);
  return h;
}

int IdaIntegrator::lastOrder() const {
  int order = 0;
  IDAGetLastOrder(memory_->ida.get(), &order);
  return order;
}

// There is no public way to change IDA's history; this function and the snapshots look inside.
//
// IDA keeps y(t_n - psi_m), m = 0..K, as modified divided differences
//   phi_j = psi_1 ... psi_j [y_n, y_n-1, ..., y_n-j],   psi_j = t_n - t_n-j   (its psi[j-1]).
// They are turned into values, mapped one by one, and turned back.
void IdaIntegrator::mapHistory(const std::function<void(double* y)>& map) {
  Memory& m = *memory_;
  const auto& ida = *static_cast<IDAMem>(m.ida.get());
  requireHistory(ida.ida_nst > 0);
  // phi_k+1 is kept as well, for a rise of the order; young histories are shorter.
  const int k = ida.ida_kused;
  const int last = std::min<int>(k < ida.ida_maxord ? k + 1 : k, ida.ida_nst);
  const auto psi = [&ida](int j) { return j == 0 ? 0.0 : ida.ida_psi[j - 1]; };
  const std::size_t n = y_.size();
  history_.resize(n * MXORDP1);
  const auto point = [&](int j) { return history_.data() + j * n; };

  // Newton's form of the polynomial, at the times t_n - psi_j.
  for (int j = 0; j <= last; ++j) {
    std::copy_n(NV_DATA_S(ida.ida_phi[0]), n, point(j));
    double c = 1;
    for (int i = 1; i <= j; ++i) {  // the factors of i > j are zero
      c *= (psi(i - 1) - psi(j)) / psi(i);
      const double* phi = NV_DATA_S(ida.ida_phi[i]);
      for (std::size_t e = 0; e < n; ++e) point(j)[e] += c * phi[e];
    }
    map(point(j));
  }
  for (std::size_t e = 0; e < n * (last + 1); ++e) {
    if (std::isfinite(history_[e])) continue;
    throw failure(SolverError::Cause::ResidualNotComputable, e % n, history_[e]);
  }

  // Divided differences in place, then the factors psi_1 ... psi_j.
  for (int level = 1; level <= last; ++level) {
    for (int j = last; j >= level; --j) {
      const double width = psi(j - level) - psi(j);  // t_n-j - t_n-j+level, negative
      for (std::size_t e = 0; e < n; ++e) point(j)[e] = (point(j)[e] - point(j - 1)[e]) / width;
    }
  }
  double scale = 1;
  for (int j = 0; j <= last; ++j) {
    if (j > 0) scale *= psi(j);
    double* phi = NV_DATA_S(ida.ida_phi[j]);
    for (std::size_t e = 0; e < n; ++e) phi[e] = scale * point(j)[e];
  }

  requireSuccess(IDAGetDky(m.ida.get(), ida.ida_tn, 0, m.y.get()), "IDAGetDky");
  requireSuccess(IDAGetDky(m.ida.get(), ida.ida_tn, 1, m.newtonYp.get()), "IDAGetDky");
  std::copy_n(NV_DATA_S(m.y), n, y_.begin());
  std::copy_n(NV_DATA_S(m.newtonYp), n, yp_.begin());
  m.rate.forget();
  m.serving.drop();
}

namespace {

std::span<double> elementsOf(N_Vector v) { return std::span(NV_DATA_S(v), NV_LENGTH_S(v)); }

// What decides on IDA's next steps. Vectors that a step writes before it reads them are left out.
void exchange(StateArchive& archive, IDAMemRec& ida) {
  for (int k = 0; k <= ida.ida_maxord_alloc && k < MXORDP1; ++k)
    archive.numbers(elementsOf(ida.ida_phi[k]));
  for (const N_Vector v : {ida.ida_ewt, ida.ida_ee}) archive.numbers(elementsOf(v));
  const auto each = [&archive](auto&... member) { (archive(member), ...); };
  each(ida.ida_psi, ida.ida_alpha, ida.ida_beta, ida.ida_sigma, ida.ida_gamma);
  each(ida.ida_kk, ida.ida_kused, ida.ida_knew, ida.ida_phase, ida.ida_ns);
  each(ida.ida_tstopset, ida.ida_tstop, ida.ida_tn, ida.ida_tretlast, ida.ida_t0);
  each(ida.ida_hin, ida.ida_h0u, ida.ida_hh, ida.ida_hused, ida.ida_eta);
  each(ida.ida_cj, ida.ida_cjlast, ida.ida_cjold, ida.ida_cjratio, ida.ida_ss);
  each(ida.ida_SetupDone, ida.ida_oldnrm, ida.ida_epsNewt, ida.ida_toldel, ida.ida_tolsf);
  each(ida.ida_nst, ida.ida_nre, ida.ida_ncfn, ida.ida_netf, ida.ida_nni, ida.ida_nnf,
       ida.ida_nsetups);
}

}  // namespace

// Beside IDA's own state, ours and what the Newton solver has learned.
void IdaIntegrator::exchange(StateArchive& archive) {
  Memory& m = *memory_;
  auto* ida = static_cast<IDAMem>(m.ida.get());
  if (archive.isReading() && ida->ida_nst == 0) {
    // IDA prepares its solvers in the first step after a start; what that step does is overwritten.
    double t = 0;
    IDASetStopTime(ida, ida->ida_tn + 1);
    IDASolve(ida, ida->ida_tn + 1, &t, m.y.get(), m.yp.get(), IDA_ONE_STEP);
    m.exception = nullptr;
  }
  cardan::exchange(archive, *ida);
  archive(*this);
  archive(roots_);
  archive(m);
  if (archive.isReading()) m.serving.isFactored = false;
  for (const Vector* v : {&m.y, &m.yp, &m.newtonYp, &m.correction})
    archive.numbers(elementsOf(v->get()));
}

IntegratorStatistics IdaIntegrator::statistics() const { return memory_->statistics(); }

// The unknown with the largest weighted Newton update or local error, as far as there is one; where
// nothing could be computed, the one that changes fastest. -1: none.
int IdaIntegrator::limitingUnknown(SolverError::Cause cause) const {
  using Cause = SolverError::Cause;
  const Memory& m = *memory_;
  if (cause == Cause::NewtonConvergence && m.worstUpdate >= 0) return m.worstUpdate;
  if (cause == Cause::ErrorTest && m.worstError >= 0) return m.worstError;

  const Vector weights(N_VClone(m.y.get())), rates(N_VClone(m.y.get()));
  if (!weights || !rates) return -1;
  vectors::errorWeights(m.n, m.relativeTolerance, NV_DATA_S(m.absoluteTolerances), y_.data(),
                        NV_DATA_S(weights));
  std::ranges::copy(yp_, NV_DATA_S(rates));
  const bool tried = cause == Cause::StepTooSmall;
  return m.largest(tried ? m.correction.get() : rates.get(), weights.get());
}

SolverError IdaIntegrator::failureAtLimit(SolverError::Cause cause) const {
  const int i = limitingUnknown(cause);
  return failure(cause, i, i < 0 ? 0 : y_[i]);
}

std::string IdaIntegrator::solverReport() const { return memory_->message; }

SolverError IdaIntegrator::failureOfIda(int flag) const {
  using Cause = SolverError::Cause;
  switch (flag) {
    case IDA_ERR_FAIL:
      return failureAtLimit(Cause::ErrorTest);
    case IDA_CONV_FAIL:
      return failureAtLimit(memory_->trouble);
    case IDA_REP_RES_ERR:
      return failureAtLimit(Cause::ResidualNotComputable);
    case IDA_RTFUNC_FAIL:
      return failureAtLimit(Cause::RootNotComputable);
    case IDA_TOO_MUCH_ACC:
      return failureAtLimit(Cause::ToleranceTooTight);
    default:
      return failureAtLimit(Cause::Internal);
  }
}

}  // namespace cardan
