// States of an instance: taken, given back, as bytes; and derivatives at the state reached.
#include <fmt/format.h>

#include <cstring>

#include "apps/fmu/fmu_instance.h"
#include "engine/analysis/linear_model.h"
#include "engine/motion_point.h"
#include "engine/version.h"
#include "frames/dual.h"

namespace cardan {
namespace {

constexpr std::string_view kStateMark = "Cardan FMU state 1\n";

/// Fowler, Noll, Vo: FNV-1a with 64 bits.
std::uint64_t sumOf(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return sum;
}

/// Appends numbers and texts to bytes.
class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(const T& x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); }
  void operator()(const std::string& x) {
    (*this)(x.size());
    bytes += x;
  }
  void operator()(const std::vector<double>& x) {
    (*this)(x.size());
    bytes.append(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
  }
  std::string bytes;
};

/// Takes them from there; false from the first on that is not there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& x) { take(&x, sizeof x); }
  void operator()(std::string& x) {
    x.resize(count(1));
    take(x.data(), x.size());
  }
  void operator()(std::vector<double>& x) {
    x.resize(count(sizeof(double)));
    take(x.data(), x.size() * sizeof(double));
  }

 private:
  size_t count(size_t size) {
    size_t n = 0;
    take(&n, sizeof n);
    if (n > bytes_.size() / size) throw FmuRefusal("the serialised state was cut short");
    return n;
  }
  void take(void* to, size_t size) {
    if (size > bytes_.size()) throw FmuRefusal("the serialised state was cut short");
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

/// What a state belongs to: numbers of another build are others.
std::string ownerOf(const std::string& token) {
  return fmt::format("{} {} {} {}", token, version, revision, kLanes);
}

template <class Archive, class T>
void optional(Archive& archive, std::optional<T>& x) {
  bool is = x.has_value();
  archive(is);
  if (is && !x) x.emplace();
  if (is) archive(*x);
}

// The same walk both ways; a member more is an error here, so that none is forgotten.
template <class Archive>
void exchange(Archive& archive, FmuState& state) {
  auto& [phase, setup, values, begun, isTerminated, run] = state;
  archive(phase);
  archive(setup.start);
  optional(archive, setup.stop);
  optional(archive, setup.tolerance);
  archive(values);
  optional(archive, begun);
  archive(isTerminated);
  archive(run.numbers);
}

}  // namespace

std::string FmuState::write(const std::string& token) const {
  Writer body;
  body(ownerOf(token));
  FmuState copy = *this;
  exchange(body, copy);
  Writer sum;
  sum(sumOf(body.bytes));
  return std::string(kStateMark) + sum.bytes + body.bytes;
}

FmuState FmuState::read(std::string_view bytes, const std::string& token) {
  if (!bytes.starts_with(kStateMark)) throw FmuRefusal("the bytes are no serialised state of an FMU");
  bytes.remove_prefix(kStateMark.size());
  Reader head(bytes);
  std::uint64_t sum = 0;
  head(sum);
  bytes.remove_prefix(sizeof sum);
  if (sum != sumOf(bytes)) throw FmuRefusal("the serialised state was changed or cut short");
  Reader body(bytes);
  std::string owner;
  body(owner);
  if (owner != ownerOf(token))
    throw FmuRefusal("the serialised state is of another FMU or another build of its library");
  FmuState state;
  exchange(body, state);
  return state;
}

FmuState FmuInstance::state() const {
  FmuState state{phase_, setup_, values_, begun_, isTerminated_, {}};
  if (begun_) state.run = simulation_->save();
  return state;
}

void FmuInstance::setState(const FmuState& state) {
  if (state.values.size() != values_.size()) throw FmuRefusal("the state is of another FMU");
  const bool isOfThisRun =
      begun_ && phase_ != FmuPhase::failed && state.begun == begun_ && state.setup == setup_;
  setup_ = state.setup;
  if (state.begun) {
    values_ = *state.begun;
    if (!isOfThisRun) begin();
    run([&] { simulation_->restore(state.run); });
    warningsTold_ = simulation_->report().warnings.size();
    eventsTold_ = simulation_->report().eventRecords.size();
  }
  values_ = state.values;
  begun_ = state.begun;
  isTerminated_ = state.isTerminated;
  phase_ = state.phase;
}

void FmuInstance::directionalDerivative(References unknowns, References knowns, const double* seed,
                                        double* result) {
  require({FmuPhase::initialising, FmuPhase::stepping}, "a directional derivative");
  LinearisationOptions options;
  for (const std::uint32_t r : knowns) {
    const FmuVariable& v = variable(r);
    if (!isFed(v))
      throw FmuRefusal(
          fmt::format("'{}' is no input, by which alone there are derivatives", v.name));
    options.inputs.push_back(v.name);
  }
  for (const std::uint32_t r : unknowns) {
    const FmuVariable& v = variable(r);
    if (!v.isResult() || !v.isNumber())
      throw FmuRefusal(fmt::format("'{}' is no result that could be differentiated", v.name));
    options.outputs.push_back({v.name, {}});
  }
  std::fill_n(result, unknowns.size(), 0.0);
  if (unknowns.empty() || knowns.empty()) return;
  if (!begun_) begin();
  // The run goes on as if nobody had asked.
  const RunSnapshot before = simulation_->save();
  MotionPoint point{simulation_->time(), simulation_->y(), simulation_->yp()};
  std::optional<LinearModel> model;
  try {
    if (!PointEquations(*simulation_).makeConsistent(point))
      throw FmuRefusal("no consistent point is near the state that was reached");
    model = linearise(*simulation_, point, options);
  } catch (...) {
    simulation_->restore(before);
    throw;
  }
  simulation_->restore(before);
  for (size_t i = 0; i < unknowns.size(); ++i) {
    for (size_t k = 0; k < knowns.size(); ++k) result[i] += model->D(i, k) * seed[k];
  }
}

}  // namespace cardan
