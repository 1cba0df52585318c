// Calls in any order, against a small model of the standard's state machine with a plant in closed form.
#include <array>
#include <cmath>
#include <random>

#include "tests/fmu/exported.h"

using namespace test;

#if __has_include("fmi3FunctionTypes.h")
namespace {

const char* const kPlant = R"(
parameters: {a: 2}
inputs: {u: {start: 1}}
variables: {x: {start: 0.5, fixed: true}, y: "2*x"}
equations: ["der(x) = u - a*x"]
simulation: {stop: 1, interval: 0.1, tolerance: 1e-9}
outputs: [x, y]
)";
constexpr double kNear = 1e-6;  // a hundred local errors, for the steps of one sequence

/// What an importer may expect of it.
struct Expected {
  enum Phase {
    instantiated,
    initialising,
    stepping,
    atEvent,
    moving,
    terminated
  } phase = instantiated;
  double a = 2, u = 1, x = 0.5, t = 0;

  void step(double h) {
    x = u / a + (x - u / a) * std::exp(-a * h);
    t += h;
  }
};

class Sequence {
 public:
  Sequence(const Fmu& fmu, unsigned seed, SlaveKind kind)
      : fmu_(fmu),
        exchange_(kind == SlaveKind::exchange),
        events_(kind == SlaveKind::events || kind == SlaveKind::eventsEarly),
        slave_(fmu, "", false, kind),
        random_(seed) {}

  void go(int calls) {
    CHECK(slave_.instance());
    for (int i = 0; i < calls; ++i) {
      call();
      if (is_.phase == Expected::instantiated) continue;
      double y = 0;
      expect(slave_.getReference(fmu_.variables.at("y").reference, y), true, "get y");
      if (!(std::abs(y - 2 * is_.x) <= kNear)) FAIL_CHECK("y is " << y << ", not " << 2 * is_.x);
    }
  }

 private:
  bool in(std::initializer_list<Expected::Phase> phases) const {
    for (const auto p : phases) {
      if (p == is_.phase) return true;
    }
    return false;
  }
  void expect(int status, bool good, const char* call) {
    if ((status == kFmuOk) == good && (good || status == kFmuError)) return;
    FAIL_CHECK(call << " in phase " << is_.phase << ": status " << status << "\n" << slave_.log());
  }
  double number(double from, double to) {
    return std::uniform_real_distribution(from, to)(random_);
  }

  void call() {
    constexpr auto kInst = Expected::instantiated;
    constexpr auto kInit = Expected::initialising;
    constexpr auto kStep = Expected::stepping;
    if (random_() % 4 == 0) return exchange();
    switch (random_() % 16) {
      case 0: {
        const double a = number(1, 3);
        const bool good = in({kInst, kInit});
        expect(slave_.set("a", a), good, "set a");
        if (good) is_.a = a;
        break;
      }
      case 1: {
        const double u = number(-1, 1);
        const bool good = in({kInst, kInit, kStep, Expected::atEvent, Expected::moving});
        expect(slave_.set("u", u), good, "set u");
        if (good) is_.u = u;
        break;
      }
      case 2:
        expect(slave_.set("u", NAN), false, "set NaN");
        break;
      case 3:
        expect(slave_.setReference(99, 1), false, "set what is not there");
        break;
      case 4:
        expect(slave_.set("y", 1), false, "set y");
        break;
      case 5:
        if (fmu_.version == 2) expect(slave_.setUp({0, 5, 1e-9}), in({kInst}), "set-up");
        break;
      case 6:
      case 7: {
        const bool good = in({kInst});
        expect(slave_.enter({0, 5, 1e-9}), good, "enter");
        if (good) is_.phase = kInit;
        break;
      }
      case 8:
      case 9: {
        const bool good = in({kInit});
        expect(slave_.exit(), good, "exit");
        if (good) is_.phase = exchange_ || events_ ? Expected::atEvent : kStep;
        break;
      }
      case 10:
      case 11: {
        const double h = number(0.001, 0.2);
        const bool good = in({kStep}) && is_.t + h <= 5;
        expect(slave_.step(is_.t, h), good, "step");
        if (good) is_.step(h);
        break;
      }
      case 12:
        expect(slave_.step(is_.t + 1, 0.1), false, "step from elsewhere");
        break;
      case 13:
        if (random_() % 3 == 0) {
          const bool good = in({kStep, Expected::atEvent, Expected::moving});
          expect(slave_.terminate(), good, "terminate");
          if (good) is_.phase = Expected::terminated;
        } else if (random_() % 2 == 0) {
          expect(slave_.reset(), true, "reset");
          is_ = {};
        }
        break;
      default:
        state();
    }
  }

  /// Of model exchange and of event mode, refused elsewhere.
  void exchange() {
    constexpr auto kEvent = Expected::atEvent;
    constexpr auto kMove = Expected::moving;
    const bool isKnown =
        exchange_ && in({Expected::initialising, kEvent, kMove, Expected::terminated});
    std::vector<double> one(1), two(2), none;
    switch (random_() % 12) {
      case 0:
      case 1: {
        const bool good = in({kMove}) || (events_ && in({Expected::stepping}));
        expect(slave_.enterEvents(), good || in({kEvent}), "enter events");
        if (good) is_.phase = kEvent;
        break;
      }
      case 2:
      case 3: {
        const bool good = exchange_ && in({kEvent});
        expect(slave_.enterMotion(), good, "enter motion");
        if (good) is_.phase = kMove;
        break;
      }
      case 4: {
        const double t = number(0, 6);  // beyond the stop time, too
        const bool good = exchange_ && in({kEvent, kMove});
        expect(slave_.setTime(t), good, "set time");
        if (good) is_.t = t;
        break;
      }
      case 5: {
        const double x = number(-1, 1);
        expect(slave_.setStates({x}), in({kMove}), "set states");
        if (in({kMove})) is_.x = x;
        break;
      }
      case 6:
        expect(slave_.derivatives(one), isKnown, "derivatives");
        if (isKnown && one[0] != is_.u - is_.a * is_.x)
          FAIL_CHECK("der(x) is " << one[0] << ", not " << is_.u - is_.a * is_.x);
        expect(slave_.derivatives(two), false, "derivatives of two states");
        break;
      case 7:
        expect(slave_.states(one), isKnown, "states");
        if (isKnown && one[0] != is_.x) FAIL_CHECK("x is " << one[0] << ", not " << is_.x);
        break;
      case 8:
        expect(slave_.indicators(none), isKnown, "indicators");
        expect(slave_.nominals(one), exchange_, "nominals");
        break;
      case 9: {
        bool event = true;
        expect(slave_.completeStep(event), in({kMove}), "complete a step");
        if (in({kMove}) && event) FAIL_CHECK("there is no event");
        break;
      }
      case 10: {
        if (fmu_.version == 2) break;
        const bool good = events_ && in({kEvent});
        expect(slave_.enterSteps(), good, "enter steps");
        if (good) is_.phase = Expected::stepping;
        break;
      }
      default: {
        Slave::Update update;
        expect(slave_.update(update), in({kEvent}), "update");
        if (update.again || update.values) FAIL_CHECK("there is no event");
      }
    }
  }

  void state() {
    std::string bytes;
    switch (random_() % 4) {
      case 0:
        expect(slave_.getState(state_), true, "get state");
        was_ = is_;
        break;
      case 1:
        expect(slave_.setState(state_), state_ != nullptr, "set state");
        if (state_) is_ = was_;
        break;
      case 2:
        expect(slave_.freeState(state_), true, "free state");
        if (state_) FAIL_CHECK("a freed state stays");
        break;
      default:
        expect(slave_.serialise(state_, bytes), state_ != nullptr, "serialise");
        if (!state_) break;
        expect(slave_.freeState(state_), true, "free state");
        expect(slave_.deserialise(bytes, state_), true, "deserialise");
    }
  }

  const Fmu& fmu_;
  bool exchange_, events_;
  Slave slave_;
  std::mt19937 random_;
  Expected is_, was_;
  void* state_ = nullptr;
};

}  // namespace

TEST_CASE("FMU: calls in any order have the status and the values that the standard wants") {
  if (!canExport()) return;
  const char* asked = std::getenv("CARDAN_FMU_SEQUENCES");
  const int sequences = asked ? std::atoi(asked) : 10000;
  const Folder folder;
  for (const int version : {2, 3}) {
    const auto fmu = exported(folder, kPlant, version);
    for (int seed = 0; seed < sequences / 2; ++seed) {
      CAPTURE(version);
      CAPTURE(seed);
      using enum SlaveKind;
      const auto kind =
          std::array{coSimulation, exchange, events, eventsEarly}[seed % (version == 3 ? 4 : 2)];
      Sequence(*fmu, seed, kind).go(25);
    }
  }
}
#endif
