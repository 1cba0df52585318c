#include "engine/ida_integrator.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <sundials/sundials_context.hpp>
#include <type_traits>
#include <utility>

extern "C" {
#include <ida/ida_impl.h>  // private, for mapHistory only
}

static_assert(SUNDIALS_VERSION_MAJOR == 6, "mapHistory relies on the memory layout of IDA 6");

namespace cardan {
namespace {

// A step that shrinks to nothing without a failure.
constexpr auto kNoTrouble = SolverError::Cause::StepTooSmall;

constexpr double kEps = std::numeric_limits<double>::epsilon();

// IDA's own measure of "the same time" is 100 roundoffs.
double timeRoundoff(double t) { return 100 * kEps * std::abs(t); }

bool allFinite(const double* x, std::size_t n) {
  double sum = 0;  // x * 0 is 0, or NaN for an infinity or NaN; one pass without branches
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * 0;
  return sum == 0;
}

void requireSuccess(int flag, const char* call) {
  if (flag >= 0) return;
  throw std::logic_error(std::string(call) + " failed: " + IDAGetReturnFlagName(flag));
}

// Adds the life time of the object to a total.
class Stopwatch {
 public:
  Stopwatch(bool on, double& total) : total_(on ? &total : nullptr) {
    if (total_ != nullptr) begin_ = std::chrono::steady_clock::now();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    if (total_ == nullptr) return;
    *total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  double* total_;
  std::chrono::steady_clock::time_point begin_;
};

// Newton's convergence test when the matrix is fresh (FORMULATION.md, R2).
//
// The second update is then k times the square of the first, |d2| = k |d1|^2, with a k that changes
// slowly. k is learned whenever a second iteration runs; where it predicts a negligible d2, the
// first iteration is enough. IDA's own test assumes a linear rate and forgets it at every new
// matrix.
class QuadraticRate {
 public:
  enum class Verdict { Converged, Continue, Diverged };

  void forget() { k_ = -1; }

  // update: weighted norm of the Newton update of this iteration (0, 1, ...).
  Verdict judge(int iteration, double update, double tolerance) {
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
    if (rate > kSlowestRate) return Verdict::Diverged;
    previous_ = update;
    // What a linear rate would leave undone: conservative for a quadratic one.
    return rate / (1 - rate) * update <= tolerance ? Verdict::Converged : Verdict::Continue;
  }

 private:
  static constexpr double kNegligible = 1e-4;
  static constexpr double kSafety = 10;
  static constexpr double kMemory = 0.7;
  static constexpr double kSlowestRate = 0.9;
  static constexpr int kRelearnAfter = 20;

  double k_ = -1;  // negative: unknown
  double previous_ = 0;
  int solvesSinceLearned_ = 0;
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
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Deleter<SUNMatFreeEmpty>>;
using LinearSolver =
    std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Deleter<SUNLinSolFreeEmpty>>;
using NewtonSolver =
    std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, Deleter<SUNNonlinSolFree>>;
struct IdaDeleter {
  void operator()(void* ida) const { freeIda(ida); }
};

}  // namespace

// The SUNDIALS objects and what the functions called by them need. IDA gets the address of this.
struct IdaIntegrator::Memory {
  Memory(DaeSystem& dae, const IdaOptions& options);

  void createVectors(const IdaOptions& options);
  void createSolvers();
  void countFinishedRun();
  void watchRoots();

  // Called by IDA: nothing may be thrown through it.
  static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* self);
  static int roots(realtype t, N_Vector y, N_Vector yp, realtype* g, void* self);
  static int newtonMatrix(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix,
                          void* self, N_Vector, N_Vector, N_Vector);
  static int linearSolve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype);
  static int newtonSolve(SUNNonlinearSolver solver, N_Vector y0, N_Vector correction,
                         N_Vector weights, realtype tolerance, booleantype setup, void* ida);
  static int convergenceTest(SUNNonlinearSolver solver, N_Vector y, N_Vector update,
                             realtype tolerance, N_Vector weights, void* self);
  static void report(int code, const char* module, const char* function, char* text, void* self);

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
  const int rootCount;
  const bool timing;

  // Declaration order = reverse order of destruction: IDA first, the context last.
  sundials::Context context;
  Vector y, yp;         // IDA's working copies, also of rejected steps
  Vector newtonYp;      // y' as the last Newton solution has it
  Vector correction;    // of the predictor, by the last Newton solution
  Vector interpolated;  // without storage of its own
  Vector absoluteTolerances, differential;
  Matrix matrix;
  LinearSolver linearSolver;
  NewtonSolver newton;
  std::unique_ptr<void, IdaDeleter> ida;

  int (*originalSolve)(SUNNonlinearSolver, N_Vector, N_Vector, N_Vector, realtype, booleantype,
                       void*) = nullptr;
  QuadraticRate rate;
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

IdaIntegrator::Memory::Memory(DaeSystem& dae, const IdaOptions& options)
    : system(dae), n(dae.size()), rootCount(dae.rootCount()), timing(options.timing) {
  createVectors(options);
  ida.reset(IDACreate(context));
  if (!ida) throw std::bad_alloc();

  requireSuccess(IDASetErrHandlerFn(ida.get(), report, this), "IDASetErrHandlerFn");
  requireSuccess(IDASetUserData(ida.get(), this), "IDASetUserData");
  // The values of the start replace these zeros with IDAReInit.
  requireSuccess(IDAInit(ida.get(), residual, 0, y.get(), yp.get()), "IDAInit");
  requireSuccess(IDASVtolerances(ida.get(), options.relativeTolerance, absoluteTolerances.get()),
                 "IDASVtolerances");
  requireSuccess(IDASetMaxOrd(ida.get(), options.maximumOrder), "IDASetMaxOrd");
  requireSuccess(IDASetMaxNumSteps(ida.get(), -1), "IDASetMaxNumSteps");
  requireSuccess(IDASetMaxStep(ida.get(), options.maximumStep), "IDASetMaxStep");

  // Multipliers carry noise of eps/h and must stay out of the error test.
  requireSuccess(IDASetId(ida.get(), differential.get()), "IDASetId");
  requireSuccess(IDASetSuppressAlg(ida.get(), SUNTRUE), "IDASetSuppressAlg");

  createSolvers();
}

void IdaIntegrator::Memory::createVectors(const IdaOptions& options) {
  y.reset(N_VNew_Serial(n, context));
  if (!y) throw std::bad_alloc();
  N_VConst(0, y.get());
  for (Vector* v : {&yp, &newtonYp, &correction, &absoluteTolerances, &differential}) {
    v->reset(N_VClone(y.get()));
    if (!*v) throw std::bad_alloc();
    N_VConst(0, v->get());
  }
  interpolated.reset(N_VMake_Serial(n, nullptr, context));
  if (!interpolated) throw std::bad_alloc();

  for (int i = 0; i < n; ++i) {
    const double nominal = system.nominal(i);
    if (!(nominal > 0) || !std::isfinite(nominal)) {
      throw std::invalid_argument("nominal value of '" + system.unknownName(i) +
                                  "' must be positive and finite");
    }
    const bool isDifferential = system.isDifferential(i);
    NV_Ith_S(differential, i) = isDifferential ? 1 : 0;
    NV_Ith_S(absoluteTolerances, i) =
        isDifferential ? options.relativeTolerance * nominal : nominal;
  }
}

void IdaIntegrator::Memory::createSolvers() {
  // The system factorises and solves; matrix and linear solver are only the handles IDA asks for.
  matrix.reset(SUNMatNewEmpty(context));
  linearSolver.reset(SUNLinSolNewEmpty(context));
  newton.reset(SUNNonlinSol_Newton(y.get(), context));
  if (!matrix || !linearSolver || !newton) throw std::bad_alloc();

  matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  matrix->ops->zero = [](SUNMatrix) { return 0; };
  linearSolver->content = this;
  linearSolver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  linearSolver->ops->initialize = [](SUNLinearSolver) { return 0; };
  linearSolver->ops->setup = [](SUNLinearSolver, SUNMatrix) { return 0; };
  linearSolver->ops->solve = linearSolve;
  requireSuccess(IDASetLinearSolver(ida.get(), linearSolver.get(), matrix.get()),
                 "IDASetLinearSolver");
  requireSuccess(IDASetJacFn(ida.get(), newtonMatrix), "IDASetJacFn");
  // With an old matrix IDA scales solutions by 2 / (1 + cj / cj_old); ours is never old.
  requireSuccess(IDASetLinearSolutionScaling(ida.get(), SUNFALSE), "IDASetLinearSolutionScaling");

  originalSolve = newton->ops->solve;
  newton->ops->solve = newtonSolve;
  requireSuccess(IDASetNonlinearSolver(ida.get(), newton.get()), "IDASetNonlinearSolver");
  requireSuccess(SUNNonlinSolSetConvTestFn(newton.get(), convergenceTest, this),
                 "SUNNonlinSolSetConvTestFn");
}

// IDA keeps a root function that was zero switched off, even across IDAReInit: begin anew.
void IdaIntegrator::Memory::watchRoots() {
  if (rootCount == 0) return;
  requireSuccess(IDARootInit(ida.get(), 0, nullptr), "IDARootInit");
  requireSuccess(IDARootInit(ida.get(), rootCount, roots), "IDARootInit");
  requireSuccess(IDASetNoInactiveRootWarn(ida.get()), "IDASetNoInactiveRootWarn");
}

// IDAReInit clears IDA's counters.
void IdaIntegrator::Memory::countFinishedRun() {
  long steps = 0;
  long errorTestFailures = 0;
  IDAGetNumSteps(ida.get(), &steps);
  IDAGetNumErrTestFails(ida.get(), &errorTestFailures);
  finished.steps += steps;
  finished.errorTestFailures += errorTestFailures;
}

int IdaIntegrator::Memory::residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
  Memory& m = *static_cast<Memory*>(self);
  ++m.finished.residuals;
  const Stopwatch watch(m.timing, m.finished.residualSeconds);
  const int flag = m.guarded([&] {
    return m.system.residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r)) &&
           allFinite(NV_DATA_S(r), static_cast<std::size_t>(m.n));
  });
  if (flag != 0) m.solveTrouble = SolverError::Cause::ResidualNotComputable;
  return flag;
}

int IdaIntegrator::Memory::roots(realtype t, N_Vector y, N_Vector yp, realtype* g, void* self) {
  Memory& m = *static_cast<Memory*>(self);
  return m.guarded([&] {
    return m.system.roots(t, NV_DATA_S(y), NV_DATA_S(yp), g) &&
           allFinite(g, static_cast<std::size_t>(m.rootCount));
  });
}

int IdaIntegrator::Memory::newtonMatrix(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector,
                                        SUNMatrix, void* self, N_Vector, N_Vector, N_Vector) {
  Memory& m = *static_cast<Memory*>(self);
  ++m.finished.newtonMatrices;
  const Stopwatch watch(m.timing, m.finished.newtonMatrixSeconds);
  const int flag = m.guarded([&] { return m.system.factor(t, cj, NV_DATA_S(y), NV_DATA_S(yp)); });
  if (flag != 0) m.solveTrouble = SolverError::Cause::SingularMatrix;
  return flag;
}

int IdaIntegrator::Memory::linearSolve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b,
                                       realtype) {
  Memory& m = *static_cast<Memory*>(solver->content);
  const Stopwatch watch(m.timing, m.finished.linearSolveSeconds);
  return m.guarded([&] {
    m.system.solve(NV_DATA_S(b), NV_DATA_S(x));
    return true;
  });
}

// R1: every Newton solve begins with a fresh matrix, whatever IDA thinks of the old one.
int IdaIntegrator::Memory::newtonSolve(SUNNonlinearSolver solver, N_Vector y0, N_Vector correction,
                                       N_Vector weights, realtype tolerance, booleantype,
                                       void* ida) {
  void* self = nullptr;
  IDAGetUserData(ida, &self);
  Memory& m = *static_cast<Memory*>(self);

  // The last correction failed the error test: note who is to blame, and doubt the rate too.
  long errorFailures = 0;
  IDAGetNumErrTestFails(ida, &errorFailures);
  if (errorFailures != m.errorFailuresSeen) {
    m.worstError = m.largest(m.correction.get(), weights);
    m.trouble = SolverError::Cause::ErrorTest;
    m.rate.forget();
  }
  m.errorFailuresSeen = errorFailures;

  m.solveTrouble = SolverError::Cause::NewtonConvergence;
  const int flag = m.originalSolve(solver, y0, correction, weights, tolerance, SUNTRUE, ida);
  if (flag != SUN_NLS_SUCCESS) {
    m.trouble = m.solveTrouble;
    m.rate.forget();
    ++m.finished.newtonFailures;
    return flag;
  }
  // At stop times and next to roots IDA returns the derivative of its polynomial, which satisfies
  // the equations only to the tolerance; this one solves them.
  IDAComputeYp(ida, correction, m.newtonYp.get());
  N_VScale(1, correction, m.correction.get());
  return flag;
}

int IdaIntegrator::Memory::convergenceTest(SUNNonlinearSolver solver, N_Vector, N_Vector update,
                                           realtype tolerance, N_Vector weights, void* self) {
  Memory& m = *static_cast<Memory*>(self);
  ++m.finished.newtonIterations;
  int iteration = 0;
  SUNNonlinSolGetCurIter(solver, &iteration);
  using Verdict = QuadraticRate::Verdict;
  const Verdict verdict = m.rate.judge(iteration, N_VWrmsNorm(update, weights), tolerance);
  if (verdict == Verdict::Converged) return SUN_NLS_SUCCESS;
  if (verdict == Verdict::Continue && iteration == 0) return SUN_NLS_CONTINUE;

  m.worstUpdate = m.largest(update, weights, true);  // a troubled solve, perhaps the last one
  return verdict == Verdict::Continue ? SUN_NLS_CONTINUE : SUN_NLS_CONV_RECVR;
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

IdaIntegrator::IdaIntegrator(DaeSystem& system, IdaOptions options)
    : system_(system),
      options_(options),
      y_(static_cast<std::size_t>(system.size())),
      yp_(y_.size()),
      rootsFound_(static_cast<std::size_t>(system.rootCount())),
      memory_(std::make_unique<Memory>(system, options)) {}

IdaIntegrator::~IdaIntegrator() = default;

void IdaIntegrator::start(double t, std::span<const double> y, std::span<const double> yp) {
  begin(t, y, yp, options_.initialStep);
  memory_->finished = {};
}

void IdaIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                            double h) {
  begin(t, y, yp, h);
  ++memory_->finished.restarts;
}

void IdaIntegrator::begin(double t, std::span<const double> y, std::span<const double> yp,
                          double h) {
  assert(y.size() == y_.size() && yp.size() == yp_.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i]) && std::isfinite(yp[i])) continue;
    throw failure(SolverError::Cause::StartNotFinite, static_cast<int>(i), y[i]);
  }
  std::copy(y.begin(), y.end(), y_.begin());
  std::copy(yp.begin(), yp.end(), yp_.begin());
  time_ = previousTime_ = t;
  regularStep_ = h;
  std::fill(rootsFound_.begin(), rootsFound_.end(), 0);

  Memory& m = *memory_;
  m.countFinishedRun();
  std::copy(y_.begin(), y_.end(), NV_DATA_S(m.y));
  std::copy(yp_.begin(), yp_.end(), NV_DATA_S(m.yp));
  std::copy(yp_.begin(), yp_.end(), NV_DATA_S(m.newtonYp));
  requireSuccess(IDAReInit(m.ida.get(), t, m.y.get(), m.yp.get()), "IDAReInit");
  // A step within the roundoff of time is a leftover, not a scale of the motion.
  requireSuccess(IDASetInitStep(m.ida.get(), h > timeRoundoff(t) ? h : 0), "IDASetInitStep");
  m.watchRoots();
  m.rate.forget();
  m.errorFailuresSeen = 0;
  m.trouble = kNoTrouble;
  m.worstUpdate = m.worstError = -1;
  N_VConst(0, m.correction.get());
  m.message.clear();
}

IdaIntegrator::StepResult IdaIntegrator::step(double tStop) {
  Memory& m = *memory_;
  if (!(tStop >= time_)) throw std::invalid_argument("IdaIntegrator: tStop lies before time()");
  std::fill(rootsFound_.begin(), rootsFound_.end(), 0);
  if (tStop - time_ <= timeRoundoff(tStop)) {
    previousTime_ = std::exchange(time_, tStop);
    return StepResult::ReachedStop;
  }
  if (options_.maximumSteps > 0 && statistics().steps >= options_.maximumSteps) {
    throw failure(SolverError::Cause::TooManySteps);
  }
  m.message.clear();
  if (IDASetStopTime(m.ida.get(), tStop) < 0) {
    throw std::invalid_argument("IdaIntegrator: tStop lies inside a step already done");
  }

  double t = time_;
  const int flag = IDASolve(m.ida.get(), tStop, &t, m.y.get(), m.yp.get(), IDA_ONE_STEP);
  if (m.exception) std::rethrow_exception(std::exchange(m.exception, nullptr));
  if (flag < 0) throw failureOfIda(flag);
  const double h = lastStep();
  if (flag == IDA_SUCCESS && h <= 4 * kEps * std::abs(t)) throw failure(m.trouble);

  previousTime_ = std::exchange(time_, t);
  regularStep_ = flag == IDA_TSTOP_RETURN ? std::max(regularStep_, h) : h;
  const Vector& yp = flag == IDA_ROOT_RETURN ? m.yp : m.newtonYp;
  std::copy_n(NV_DATA_S(m.y), y_.size(), y_.begin());
  std::copy_n(NV_DATA_S(yp), yp_.size(), yp_.begin());
  if (flag == IDA_ROOT_RETURN) {
    requireSuccess(IDAGetRootInfo(m.ida.get(), rootsFound_.data()), "IDAGetRootInfo");
    return StepResult::Root;
  }
  return flag == IDA_TSTOP_RETURN ? StepResult::ReachedStop : StepResult::Stepped;
}

void IdaIntegrator::interpolate(double t, std::span<double> y, std::span<double> yp) const {
  assert(y.size() == y_.size() && yp.size() == yp_.size());
  if (t == time_) {  // also before the first step
    std::copy(y_.begin(), y_.end(), y.begin());
    std::copy(yp_.begin(), yp_.end(), yp.begin());
    return;
  }
  Memory& m = *memory_;
  int flag = t >= previousTime_ && t <= time_ ? IDA_SUCCESS : IDA_BAD_T;
  for (int k = 0; k <= 1 && flag == IDA_SUCCESS; ++k) {
    NV_DATA_S(m.interpolated) = k == 0 ? y.data() : yp.data();
    flag = IDAGetDky(m.ida.get(), t, k, m.interpolated.get());
  }
  NV_DATA_S(m.interpolated) = nullptr;
  if (flag != IDA_SUCCESS) {
    throw std::out_of_range("IdaIntegrator: " + std::to_string(t) +
                            " s is outside the last step, " + std::to_string(previousTime_) +
                            " to " + std::to_string(time_) + " s");
  }
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

// There is no public way to IDA's history; this function is the only one that looks inside.
//
// IDA keeps y(t_n - psi_m), m = 0..K, as modified divided differences
//   phi_j = psi_1 ... psi_j [y_n, y_n-1, ..., y_n-j],   psi_j = t_n - t_n-j   (its psi[j-1]).
// They are turned into values, mapped one by one, and turned back.
void IdaIntegrator::mapHistory(const std::function<void(double* y)>& map) {
  Memory& m = *memory_;
  const auto& ida = *static_cast<IDAMem>(m.ida.get());
  if (ida.ida_nst == 0) {  // the start values are all there is
    throw std::logic_error("IdaIntegrator: mapHistory before the first step, use start()");
  }
  if (std::abs(ida.ida_tn - time_) > timeRoundoff(time_)) {
    throw std::logic_error("IdaIntegrator: mapHistory between a root and the end of its step");
  }
  // phi_k+1 is kept as well, for a rise of the order; young histories are shorter.
  const int k = ida.ida_kused;
  const int last = std::min<int>(k < ida.ida_maxord ? k + 1 : k, static_cast<int>(ida.ida_nst));
  const auto psi = [&ida](int j) { return j == 0 ? 0.0 : ida.ida_psi[j - 1]; };
  const std::size_t n = y_.size();
  history_.resize(n * MXORDP1);
  const auto point = [&](int j) { return history_.data() + static_cast<std::size_t>(j) * n; };

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
  for (std::size_t e = 0; e < n * static_cast<std::size_t>(last + 1); ++e) {
    if (std::isfinite(history_[e])) continue;
    throw failure(SolverError::Cause::ResidualNotComputable, static_cast<int>(e % n), history_[e]);
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
}

IntegratorStatistics IdaIntegrator::statistics() const {
  IntegratorStatistics total = memory_->finished;
  long steps = 0;
  long errorTestFailures = 0;
  IDAGetNumSteps(memory_->ida.get(), &steps);
  IDAGetNumErrTestFails(memory_->ida.get(), &errorTestFailures);
  total.steps += steps;
  total.errorTestFailures += errorTestFailures;
  return total;
}

// The unknown with the largest weighted Newton update or local error, as far as there is one; where
// nothing could be computed, the one that changes fastest. -1: none.
int IdaIntegrator::limitingUnknown(SolverError::Cause cause) const {
  using Cause = SolverError::Cause;
  const Memory& m = *memory_;
  if (cause == Cause::NewtonConvergence && m.worstUpdate >= 0) return m.worstUpdate;
  if (cause == Cause::ErrorTest && m.worstError >= 0) return m.worstError;

  const Vector weights(N_VClone(m.y.get())), rates(N_VClone(m.y.get()));
  if (!weights || !rates) return -1;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double unit = NV_Ith_S(m.absoluteTolerances, i);
    NV_Ith_S(weights, i) = 1 / (options_.relativeTolerance * std::abs(y_[i]) + unit);
    NV_Ith_S(rates, i) = yp_[i];
  }
  const bool tried = cause == Cause::StepTooSmall || cause == Cause::TooManySteps;
  return m.largest(tried ? m.correction.get() : rates.get(), weights.get());
}

SolverError IdaIntegrator::failure(SolverError::Cause cause) const {
  const int i = limitingUnknown(cause);
  return failure(cause, i, i < 0 ? 0 : y_[static_cast<std::size_t>(i)]);
}

SolverError IdaIntegrator::failure(SolverError::Cause cause, int unknown, double value) const {
  const Memory& m = *memory_;
  SolverError::Details details;
  details.cause = cause;
  details.time = time_;
  IDAGetCurrentStep(m.ida.get(), &details.step);
  details.steps = statistics().steps;
  details.order = lastOrder();
  if (unknown >= 0) details.unknown = system_.unknownName(unknown);
  details.value = value;
  details.solverReport = m.message;
  return SolverError(std::move(details));
}

SolverError IdaIntegrator::failureOfIda(int flag) const {
  using Cause = SolverError::Cause;
  switch (flag) {
    case IDA_ERR_FAIL:
      return failure(Cause::ErrorTest);
    case IDA_CONV_FAIL:
      return failure(memory_->trouble);
    case IDA_REP_RES_ERR:
      return failure(Cause::ResidualNotComputable);
    case IDA_RTFUNC_FAIL:
      return failure(Cause::RootNotComputable);
    case IDA_TOO_MUCH_ACC:
      return failure(Cause::ToleranceTooTight);
    default:
      return failure(Cause::Internal);
  }
}

}  // namespace cardan
