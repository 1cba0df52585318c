#include "apps/cosimulation/fmu.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/cosimulation/fmu_file.h"
#include "apps/cosimulation/fmu_process.h"
#include "apps/cosimulation/loaded_fmu.h"
#include "components/instants.h"
#include "components/laws/held.h"
#include "components/outside.h"

namespace cardan::cosimulation {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kMostInstants = 2e9;
constexpr int kUnset = -1;
/// Before the start each change of an input is told to the FMU so often; what still changes then goes in a
/// circle through it.
constexpr int kMostFollows = 60;
const std::set<std::string, std::less<>> kOwnKeys{"type",       "file",    "interval",
                                                  "parameters", "timeout", "process"};

bool isWhole(FmuType type) {
  return type != FmuType::Float64 && type != FmuType::Float32 && type != FmuType::Boolean &&
         type != FmuType::String;
}

std::string_view aboutOf(const FmuPort& p, std::string_view otherwise) {
  return p.description.empty() ? otherwise : std::string_view(p.description);
}

/// Steps of the FMU from one multiple of `interval` to the next, an event each: inputs are held over a step at
/// what they are at its beginning, once all is settled there; outputs change at its end.
///
/// At the start inputs follow their signals while the FMU initialises. Between a signal and the FMU there is
/// no algebraic loop but then.
///
/// Mode   next: number of the next instant; started: the FMU has left its initialisation; follows: how often
///        inputs have been told to it before
/// Held   at: the instant that the FMU has reached [s]; inputs, outputs
class Fmu final : public ComponentOf<Fmu> {
 public:
  explicit Fmu(bool isPermitted) : isPermitted_(isPermitted) {}

  void read(ParameterReader& r) override {
    r.string("file", path_, "the FMU, relative to the model file that names it");
    r.real("interval", interval_, "s", "time between two steps; default: the FMU's own step size",
           kPositive);
    r.real("timeout", timeout_, "s", "longest time that a step may take on the clock", kPositive);
    r.boolean(
        "process", ownProcess_,
        "it runs in a process of its own, so that its crash ends the run and not the program");
    readFile(r);
    readParameters(r);
  }
  void declare(Structure& s) override {
    signals_.clear();
    if (!fmu_) return;
    std::vector<double> inputs, outputs;
    for (const FmuPort& p : fmu_->inputs) {
      signals_.push_back(s.input(p.name, p.size()));
      inputs.insert(inputs.end(), p.size(), 0.0);
    }
    for (const FmuPort& p : fmu_->outputs)
      outputs.insert(outputs.end(), p.start.begin(), p.start.end());
    inputCount_ = count(inputs);
    next_ = s.mode("next", kUnset);
    started_ = s.mode("started", 0);
    follows_ = s.mode("follows", 0);
    at_ = inputs_ = outputs_ = Held();
    at_.declare(s, "at", {kNever});
    inputs_.declare(s, "inputs", inputs);
    outputs_.declare(s, "outputs", outputs);
    outside_ = s.outside();
  }
  void describe(Variables& v) const override {
    if (!fmu_) return;
    int first = 0;
    for (const FmuPort& p : fmu_->outputs) {
      const VariableInfo info(p.name, p.unit, aboutOf(p, "output"), Level::Time, true,
                              kReadsNothing, p.type() == FmuType::Boolean);
      const int size = p.size();
      if (size == 1 && p.slots[0].size == 1) {
        v.scalar(info,
                 [this, first](const auto& x) { return outputs_(x, first) + 0.0 * x.time(); });
      } else {
        v.array(info, {size}, [this, first, size](const auto& x, auto* out) {
          for (int i = 0; i < size; ++i) out[i] = outputs_(x, first + i) + 0.0 * x.time();
        });
      }
      first += size;
    }
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (fmu_) g.timeEvent(ticks_.at(next(x.time(), x.mode(next_))));
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (!fmu_) return false;
    const double t = x.time();
    std::shared_ptr<Outside>* place = m.outside(outside_);
    const bool isStart = m.get(started_) == 0;
    const int k = next(t, m.get(next_));
    if (!place) return isStart || hasCome(ticks_.at(k), t);  // it would go on
    if (!*place) begin(*place, t, m);
    auto& fmu = static_cast<Running&>(**place);
    if (fmu.failed) return false;
    if (isStart) return initialise(x, fmu, m);
    bool changed = false;
    for (int i = k; !fmu.failed && hasCome(ticks_.at(i), t); ++i)
      changed = step(fmu, ticks_.at(i), m) || changed;
    // The last quiet pass over an instant sees what the next step is to read.
    if (m.isQuiet() && isSameInstant(at_.get(m), t)) hold(inputs_, signals(x), m);
    return changed;
  }

 private:
  /// An instance, and what a run may do with it.
  struct Running final : Outside {
    std::unique_ptr<FmuHost> host;
    std::shared_ptr<const FmuFile> file;  ///< which is unpacked as long as it runs
    bool failed = false;

    FmuReply asked(FmuRequest request) const {
      if (!file->savesStates)
        throw std::runtime_error("it cannot save its state, and says so (canSerializeFMUState)");
      FmuReply reply = host->call(request);
      if (!reply.failure.empty()) throw std::runtime_error(reply.failure);
      return reply;
    }
    std::string save() override { return asked({.kind = FmuRequest::Kind::save}).state; }
    void restore(const std::string& state) override {
      asked({.kind = FmuRequest::Kind::restore, .state = state});
    }
  };

  void readFile(ParameterReader& r) {
    fmu_.reset();
    if (!r.require(r.isGiven("file"), "file", "must be given")) return;
    if (path_.empty()) return;
    if (!r.require(isPermitted_, "file",
                   "names an FMU, which is native code of others: it is not run here; start the "
                   "studio with --allow-fmu if you trust it"))
      return;
    const std::string path = r.fileNamed("file", path_);
    std::error_code none;
    if (!r.require(std::filesystem::is_regular_file(path, none), "file",
                   "must be an FMU, and there is no '" + path + "'"))
      return;
    try {
      fmu_ = std::make_shared<const FmuFile>(path);
    } catch (const std::runtime_error& e) {
      r.require(false, "file", "is no FMU that can be used: " + std::string(e.what()));
      return;
    }
    if (interval_ <= 0) interval_ = fmu_->stepSize.value_or(0);
    if (r.require(interval_ > 0, "interval",
                  "must be given, as the FMU has no step size of its own"))
      ticks_ = Ticks(0, interval_);
  }
  void readParameters(ParameterReader& r) {
    settings_.clear();
    isGiven_.clear();
    inputStarts_.clear();
    r.begin("parameters");
    if (fmu_) {
      settings_.reserve(fmu_->parameters.size());
      for (const FmuPort& p : fmu_->parameters) readParameter(r, p);
      for (const FmuPort& p : fmu_->inputs) {
        inputStarts_.push_back(p.start);
        if (p.size() == 1)
          r.real(p.name, inputStarts_.back()[0], p.unit.empty() ? "1" : p.unit,
                 "start value of the input");
      }
    }
    r.end();
    asRead_ = numbers();
    if (!fmu_) return;
    for (std::size_t i = 0; i < fmu_->inputs.size(); ++i) {
      const FmuPort& p = fmu_->inputs[i];
      r.require(!kOwnKeys.contains(p.name), p.name,
                "is an input of the FMU, and the name of a key of the component as well");
      r.input(p.name, inputStarts_[i], p.unit, aboutOf(p, "input"));
    }
  }
  void readParameter(ParameterReader& r, const FmuPort& p) {
    const std::string_view about = aboutOf(p, "parameter of the FMU");
    isGiven_.push_back(r.isGiven(p.name));
    FmuSetting& setting = settings_.emplace_back(FmuSetting{p.slots[0], p.start, p.text});
    if (p.type() == FmuType::String) {
      r.require(!isGiven_.back() || p.slots[0].size == 1, p.name,
                "is an array of texts, which cannot be set");
      r.string(p.name, setting.text, about);
    } else if (p.slots[0].size > 1 || p.columns > 0) {
      readArray(r, p, setting.numbers);
    } else if (p.type() == FmuType::Boolean) {
      bool isOn = p.start[0] != 0;
      r.boolean(p.name, isOn, about);
      setting.numbers[0] = isOn ? 1 : 0;
    } else {
      r.real(p.name, setting.numbers[0], p.unit, about);
    }
    const auto isRounded = [](double x) { return x == std::trunc(x); };
    r.require(!isWhole(p.type()) || std::ranges::all_of(setting.numbers, isRounded), p.name,
              "must be a whole number");
  }
  /// A vector or a matrix, of the size that it has in the FMU.
  static void readArray(ParameterReader& r, const FmuPort& p, std::vector<double>& numbers) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const int columns = std::max(p.columns, 1), rows = p.size() / columns;
    const std::string unit = p.unit.empty() ? "1" : p.unit;
    Eigen::MatrixXd x = Eigen::Map<const RowMajor>(numbers.data(), rows, columns);
    if (p.columns > 0) {
      r.table(p.name, x, unit, aboutOf(p, "parameter of the FMU"));
    } else {
      r.vectorOfAnySize(p.name, x, unit, aboutOf(p, "parameter of the FMU"));
    }
    if (r.require(x.rows() == rows && x.cols() == columns, p.name,
                  p.columns > 0 ? fmt::format("must have {} rows and {} columns", rows, columns)
                                : fmt::format("must have {} elements", rows)))
      Eigen::Map<RowMajor>(numbers.data(), rows, columns) = x;
  }
  /// As they are: one that the start was to find is no more what was read.
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const FmuSetting& s : settings_) all.insert(all.end(), s.numbers.begin(), s.numbers.end());
    for (const std::vector<double>& s : inputStarts_) all.insert(all.end(), s.begin(), s.end());
    return all;
  }
  FmuOpening opening(double start) const {
    FmuOpening o;
    const std::string folder = fmu_->folder();
    o.version = fmu_->version;
    o.isExchange = fmu_->isExchange;
    o.states = fmu_->states;
    o.indicators = fmu_->indicators;
    o.library = folder + "/" + fmu_->library();
    o.resources = folder + "/resources";
    o.identifier = fmu_->identifier;
    o.token = fmu_->token;
    o.name = fmu_->identifier;
    o.logCategories = fmu_->logCategories;
    for (std::size_t i = 0; i < settings_.size(); ++i) {
      if (isGiven_[i]) o.settings.push_back(settings_[i]);
    }
    for (const FmuPort& p : fmu_->inputs)
      o.inputs.insert(o.inputs.end(), p.slots.begin(), p.slots.end());
    for (const FmuPort& p : fmu_->outputs)
      o.outputs.insert(o.outputs.end(), p.slots.begin(), p.slots.end());
    o.start = start;
    return o;
  }
  int next(double t, int known) const {
    return known != kUnset ? known : static_cast<int>(std::min(ticks_.after(t), kMostInstants));
  }
  std::vector<double> signals(const View<double>& x) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      for (int k = 0; k < fmu_->inputs[i].size(); ++k) values.push_back(x.input(signals_[i], k));
    }
    return values;
  }
  /// True if one of them is another one than before.
  bool hold(const Held& held, const std::vector<double>& values, Modes& m) const {
    bool changed = false;
    for (int i = 0; i < std::ssize(values); ++i) {
      if (held.get(m, i) == values[i]) continue;
      held.hold(m, i, values[i]);
      changed = true;
    }
    return changed;
  }
  /// What it says is passed on; what it has failed in ends the run.
  FmuReply call(Running& fmu, const FmuRequest& request, Modes& m) const {
    FmuReply reply = fmu.host->call(request);
    for (const std::string& w : reply.warnings) m.warn(w);
    int at = 0;
    for (const FmuPort& p : fmu_->outputs) {
      for (int i = 0; i < p.size() && reply.failure.empty() && !reply.outputs.empty(); ++i) {
        const double y = reply.outputs[at + i];
        if (!std::isfinite(y)) reply.failure = fmt::format("its output '{}' is {}", p.name, y);
      }
      at += p.size();
    }
    fmu.failed = !reply.failure.empty();
    if (fmu.failed) m.fail(reply.failure);
    return reply;
  }
  /// Makes the instance and lets it begin to initialise.
  void begin(std::shared_ptr<Outside>& place, double t, Modes& m) const {
    auto made = std::make_shared<Running>();
    place = made;
    made->file = fmu_;
    if (t < 0) {
      made->failed = true;
      m.fail(
          "its steps end at multiples of 'interval' from 0 s on, and the run begins before that");
      return;
    }
    try {
      const FmuOpening o = opening(t);
      if (ownProcess_) {
        made->host = std::make_unique<FmuProcess>(timeout_);
      } else {
        made->host = std::make_unique<LoadedFmu>();
      }
      call(*made, {.kind = FmuRequest::Kind::open, .opening = o}, m);
    } catch (const std::runtime_error& e) {
      made->failed = true;
      m.fail(e.what());
    }
  }
  /// Inputs and outputs find each other; in the quiet pass the FMU begins to run.
  bool initialise(const View<double>& x, Running& fmu, Modes& m) const {
    if (numbers() != asRead_) {
      fmu.failed = true;
      m.fail("a parameter of it cannot be found by the start: it is set before that");
      return false;
    }
    const int follows = m.get(follows_);
    const bool isNew = hold(inputs_, signals(x), m) || follows == 0;
    bool changed = false;
    if (isNew && follows < kMostFollows) {
      m.set(follows_, follows + 1);
      const FmuReply reply = call(fmu, {.kind = FmuRequest::Kind::start, .inputs = signals(x)}, m);
      if (fmu.failed) return false;
      changed = hold(outputs_, reply.outputs, m);
    } else if (isNew) {
      m.warn("its inputs and outputs go in a circle at the start, where they do not come to rest");
    }
    if (!m.isQuiet()) return changed;
    const FmuReply reply = call(fmu, {.kind = FmuRequest::Kind::begin}, m);
    if (fmu.failed) return false;
    m.set(started_, 1);
    m.set(next_, next(x.time(), kUnset));
    at_.hold(m, 0, x.time());
    return hold(outputs_, reply.outputs, m) || changed;
  }
  /// From the instant that it has reached on to the next one, with the inputs of then.
  bool step(Running& fmu, double to, Modes& m) const {
    const double from = at_.get(m);
    const int k = m.get(next_);
    const bool isWholeStep = k > 0 && isSameInstant(from, ticks_.at(k - 1));
    if (!isWholeStep && !fmu_->hasVariableSteps) {
      fmu.failed = true;
      m.fail(fmt::format(
          "its steps have one length, and the run begins at {:g} s, which is no multiple "
          "of 'interval'",
          from));
      return false;
    }
    FmuRequest request{.kind = FmuRequest::Kind::step, .time = from};
    request.length = isWholeStep ? interval_ : to - from;
    for (int i = 0; i < inputCount_; ++i) request.inputs.push_back(inputs_.get(m, i));
    const FmuReply reply = call(fmu, request, m);
    if (fmu.failed) return false;
    m.set(next_, k + 1);
    at_.hold(m, 0, to);
    return hold(outputs_, reply.outputs, m);
  }

  bool isPermitted_;
  std::string path_;
  double interval_ = 0;  ///< [s]
  double timeout_ = 10;  ///< [s]  of a step, > 0
  bool ownProcess_ = true;

  std::shared_ptr<const FmuFile> fmu_;  ///< null: there is none that can be used
  std::vector<FmuSetting> settings_;    ///< of all parameters; they stay where they are
  std::vector<bool> isGiven_;           ///< per parameter: by the model
  std::vector<std::vector<double>> inputStarts_;
  std::vector<double> asRead_;  ///< numbers of parameters and inputs
  Ticks ticks_;
  std::vector<SignalId> signals_;
  int inputCount_ = 0;  ///< elements
  Held at_, inputs_, outputs_;
  ModeId next_, started_, follows_;
  OutsideId outside_;
};

}  // namespace

std::unique_ptr<Component> makeFmu(bool isPermitted) { return std::make_unique<Fmu>(isPermitted); }

}  // namespace cardan::cosimulation
