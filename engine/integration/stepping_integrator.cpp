#include "engine/integration/stepping_integrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/equations/model.h"
#include "engine/integration/event_system.h"
#include "engine/integration/state_archive.h"
#include "engine/integration/time_resolution.h"
#include "engine/integration/vector_operations.h"

namespace cardan {
namespace {

/// A step that would leave less than this part of itself up to the stop goes there.
constexpr double kShortRest = 1e-6;
constexpr int kMostHalvingsOfStep = 4;
/// The same for the sake of energy, and how many halvings of a step are.
constexpr int kMostForEnergy = 10, kMostParts = 128;
/// Of a step in two stages, in the length of each.
const double kStage = 1 - 1 / std::numbers::sqrt2;
/// Solutions of a step with the forces of rigid surfaces that the one before asks for.
constexpr int kMostPushes = 4;
/// Events within a step's length that are looked for inside.
constexpr int kMostEvents = 8;

}  // namespace

SteppingIntegrator::SteppingIntegrator(MultibodySystem& system, IntegratorOptions options)
    : StepMethod(system, "SteppingIntegrator"),
      system_(system),
      options_(options),
      solver_(system, options.relativeTolerance, options.timing, counts_),
      contacts_(system) {
  for (auto* v : {&beginY_, &stageY_, &stageYp_, &between_}) v->resize(y_.size());
  if (const EventSystem* events = system.events()) {
    auto energy =
        std::make_unique<StepEnergy>(system.equations(), events->model().assembly().variables);
    if (energy->any()) energy_ = std::move(energy);
  }
  const Layout& l = system.equations().layout();
  for (int i = l.nq; i < l.nq + l.nv; ++i) (l.inMetres[i] ? speeds_ : turns_).push_back(i);
  for (const int i : speeds_.empty() ? turns_ : speeds_)
    nominalSpeed_ = std::max(nominalSpeed_, system.nominal(i));
}

void SteppingIntegrator::start(double t, std::span<const double> y, std::span<const double> yp,
                               double /*h*/) {
  begin(t, y, yp);
  origin_ = eventsFrom_ = t;
  counts_ = {};
  warnings_.clear();
  events_ = 0;
  trouble_ = -1;
  methods_ = {{t, "stepping", ""}};
}

void SteppingIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                                 double /*h*/) {
  begin(t, y, yp);
  ++counts_.restarts;
}

void SteppingIntegrator::begin(double t, std::span<const double> y, std::span<const double> yp) {
  place(t, y, yp);
  reached_ = t;
  // The line that leads here.
  begin_ = t - options_.step;
  endY_ = y_;
  endYp_ = yp_;
  vectors::sum(std::ssize(y_), 1, y_.data(), -options_.step, yp_.data(), beginY_.data());
  roots_.forget();
  solver_.forget();
  system_.follow(t, y_.data(), yp_.data());
}

Integrator::StepResult SteppingIntegrator::step(double tStop) {
  const bool isEmpty = isThere(tStop);
  roots_.clearFound();
  if (isEmpty) return StepResult::ReachedStop;
  if (stepEnd_ > time_) return arrive();  // the rest of a step with an event inside
  if (!roots_.begin(time_, y_.data(), yp_.data()))
    throw failure(SolverError::Cause::RootNotComputable);
  roots_.newStep();
  const double left = tStop - time_;
  stepEndIsStop_ = options_.step * (1 + kShortRest) >= left;
  const double h = stepEndIsStop_ ? left : options_.step;
  begin_ = reached_ = time_;
  parts_ = 0;
  beginY_ = endY_ = y_;
  endYp_ = yp_;
  cover(h, 0);
  ++counts_.steps;
  lastStep_ = h;
  stepEnd_ = stepEndIsStop_ ? tStop : time_ + h;
  system_.follow(stepEnd_, endY_.data(), endYp_.data());
  return arrive();
}

/// From reached_ on by h, in halves where it is not solved at once.
void SteppingIntegrator::cover(double h, int halvings) {
  const Result result = attempt(h, halvings > 0);
  if (result == Result::nearest || result == Result::notComputable) {
    ++counts_.newtonFailures;
    trouble_ = solver_.largest();
  }
  if (result == Result::rises) ++counts_.errorTestFailures;
  if (result != Result::solved && mayHalve(result, halvings)) {
    cover(0.5 * h, halvings + 1);
    cover(0.5 * h, halvings + 1);
    return;
  }
  if (result == Result::notComputable)
    throw failure(SolverError::Cause::ResidualNotComputable, trouble_,
                  trouble_ < 0 ? 0 : y_[static_cast<std::size_t>(trouble_)]);
  tell(result, h);
  reached_ += h;
  endY_ = solver_.y();
  endYp_ = solver_.yp();
}

bool SteppingIntegrator::mayHalve(Result result, int halvings) {
  if (result != Result::rises) return halvings < kMostHalvingsOfStep;
  return halvings < kMostForEnergy && parts_++ < kMostParts;
}

SteppingIntegrator::Result SteppingIntegrator::resultOf(ImplicitStep::Outcome outcome) {
  if (outcome == ImplicitStep::Outcome::solved) return Result::solved;
  return outcome == ImplicitStep::Outcome::nearest ? Result::nearest : Result::notComputable;
}

/// A step of length h, with the forces of rigid surfaces that touch in it; `isPart`: in two stages where
/// there are none and it can be.
SteppingIntegrator::Result SteppingIntegrator::attempt(double h, bool isPart) {
  if (energy_) energy_->begin(reached_, endY_, endYp_);
  if (isPart && !contacts_.any() && solveInTwoStages(h)) return judge(h, true);
  if (contacts_.any()) {
    contacts_.begin(reached_, endY_, endYp_);
    solver_.forget();
  }
  const Result result = resultOf(solver_.solve(reached_, h, endY_, endYp_));
  if (result != Result::solved) return result;
  const Result pushed = contacts_.any() ? push(h) : result;
  return pushed == Result::solved ? judge(h, false) : pushed;
}

/// Each of them is one of Euler's, the second from between_, to where the first one's rates lead.
bool SteppingIntegrator::solveInTwoStages(double h) {
  const double part = kStage * h;
  if (solver_.solve(reached_, part, endY_, endYp_) != ImplicitStep::Outcome::solved) return false;
  stageY_ = solver_.y();
  stageYp_ = solver_.yp();
  vectors::sum(std::ssize(between_), 1, endY_.data(), h - part, stageYp_.data(), between_.data());
  return solver_.solve(reached_ + (h - part), part, between_, stageYp_) ==
         ImplicitStep::Outcome::solved;
}

/// Of what is solved.
SteppingIntegrator::Result SteppingIntegrator::judge(double h, bool inStages) {
  if (leap(h) > 0) return Result::leaps;
  if (!energy_) return Result::solved;
  const StepEnergy::Stage last{inStages ? kStage * h : h, reached_ + h, &solver_.y(),
                               &solver_.yp()};
  const StepEnergy::Stage stages[] = {
      {(1 - kStage) * h, reached_ + kStage * h, &stageY_, &stageYp_}, last};
  made_ = energy_->made(inStages ? std::span(stages) : std::span(&last, 1));
  return made_ > 0 ? Result::rises : Result::solved;
}

/// The step that is solved, again with the forces that its end asks for, as long as they change.
SteppingIntegrator::Result SteppingIntegrator::push(double h) {
  for (int i = 0;; ++i) {
    switch (contacts_.push(solver_, h, i == kMostPushes)) {
      case StepContacts::Push::settled:
        return Result::solved;
      case StepContacts::Push::restless:
        return Result::restless;
      case StepContacts::Push::unknown:
        return Result::noForces;
      case StepContacts::Push::changed:
        break;
    }
    const Result result = resultOf(solver_.again());
    if (result != Result::solved) return result;
  }
}

/// Equations of contact have a second solution, on the other side of what is struck. It is told by a
/// speed that comes from nowhere: of no body before, nor of what accelerated them, nor one that is
/// usual in the model. Speeds alone tell, turns where there are no others: a small wheel may be spun up.
/// Returns that speed, or 0.
double SteppingIntegrator::leap(double h) const {
  constexpr double kMostShare = 4, kMostPush = 20;
  double known = 0, turn = 0, push = 0, change = 0;
  for (const int i : speeds_.empty() ? turns_ : speeds_) {
    known = std::max(known, std::abs(endY_[i]));
    push = std::max(push, std::abs(endYp_[i]));
    change = std::max(change, std::abs(solver_.y()[i] - endY_[i]));
  }
  for (const int i : turns_) turn = std::max(turn, std::abs(endY_[i]));
  if (!speeds_.empty()) known += turn * system_.equations().state.scales.length;
  known = std::max(known, nominalSpeed_);
  return change > kMostShare * known + kMostPush * h * push ? change : 0;
}

/// What is wrong with a step, or a part of one, of the length h that is taken nevertheless.
void SteppingIntegrator::tell(Result result, double h) {
  const double t = reached_ + h;
  const std::string part =
      h < options_.step ? fmt::format("in a part of {:.3g} s of a step ", h) : "in a step ";
  if (result == Result::nearest) {
    warnings_.add("nearest",
                  fmt::format("{}the equations were met nearly only, to {:.3g} tolerances, worst "
                              "'{}'",
                              part, solver_.size(), system_.unknownName(std::max(trouble_, 0))),
                  t, solver_.size());
  } else if (result == Result::leaps) {
    warnings_.add("leaps",
                  fmt::format("{}a speed changed by {:.3g} {}, which nothing before explains: a "
                              "shorter step says whether it is so",
                              part, leap(h), speeds_.empty() ? "rad/s" : "m/s"),
                  t, leap(h));
  } else if (result == Result::rises) {
    warnings_.add(
        "rises",
        fmt::format("{}things that touch made {:.3g} J out of nothing: a shorter step makes "
                    "less",
                    part, made_),
        t, made_);
  } else if (result == Result::restless) {
    violate(fmt::format("{}the forces of rigid surfaces did not settle, what was nearest leaves "
                        "{:.3g} m/s",
                        part, contacts_.unsettled()),
            contacts_.unsettled() / contacts_.speed(), h);
  } else if (result == Result::noForces) {
    violate(part +
                "it could not be told what forces between rigid surfaces do: they may have passed "
                "each other",
            1, h);
  }
  if (contacts_.part() < 1) {
    warnings_.add(
        "gain",
        fmt::format(
            "{}restitution and friction together would give energy, or allow no forces: what "
            "met, '{}' among it, parts with {:.3g} of its restitution",
            part, contacts_.worst(), contacts_.part()),
        t, 1 - contacts_.part());
  }
  if (contacts_.left() > 0) {
    violate(fmt::format("{}no forces were found that satisfy all laws of rigid surfaces; what was "
                        "nearest leaves {:.3g} m/s",
                        part, contacts_.left()),
            contacts_.left() / contacts_.speed(), h);
  }
}

/// Rigid surfaces could not have what their laws want.
void SteppingIntegrator::violate(const std::string& what, double size, double h) {
  const std::string worst = "'" + contacts_.worst() + "'";
  if (EventSystem* events = system_.events())
    events->violations().add(worst, fmt::format("{}, worst at {}", what, worst), reached_ + h,
                             size);
}

/// Goes on from time() to the end of the internal step, or to the first event before it.
Integrator::StepResult SteppingIntegrator::arrive() {
  const double width = stepEnd_ - begin_;
  const bool often = events_ >= kMostEvents && stepEnd_ - eventsFrom_ <= 2 * options_.step;
  const double fine = eventResolution(stepEnd_, origin_, width);
  const StepRoots::Found found = search(often ? width : fine, options_, width);
  if (found == StepRoots::Found::NotComputable)
    throw failure(SolverError::Cause::RootNotComputable);
  const bool root = found == StepRoots::Found::Root;
  const double t = root && !often ? roots_.time() : stepEnd_;
  goTo(t, t < stepEnd_ && roots_.isRefinedAt(t));
  if (root) {
    if (time_ - eventsFrom_ > options_.step) {
      eventsFrom_ = time_;
      events_ = 0;
    }
    ++events_;
    return StepResult::Root;
  }
  return resultAtEnd();
}

/// Of the first degree.
void SteppingIntegrator::polynomial(double t, double* y, double* yp) const {
  const double width = stepEnd_ - begin_;
  const double part = width > 0 ? std::clamp((t - begin_) / width, 0.0, 1.0) : 1;
  for (std::size_t i = 0; i < y_.size(); ++i) y[i] = beginY_[i] + part * (endY_[i] - beginY_[i]);
  std::ranges::copy(endYp_, yp);
}

/// Rates are those of the straight line in the new coordinates.
void SteppingIntegrator::mapHistory(const std::function<void(double* y)>& map) {
  requireHistory(counts_.steps > 0);
  map(endY_.data());
  map(beginY_.data());
  const double width = stepEnd_ - begin_;
  for (std::size_t i = 0; i < y_.size(); ++i)
    endYp_[i] = width > 0 ? (endY_[i] - beginY_[i]) / width : 0;
  y_ = endY_;
  yp_ = endYp_;
  solver_.forget();
}

void SteppingIntegrator::exchange(StateArchive& archive) {
  archive(*this);
  archive(roots_);
  solver_.exchange(archive, time_, options_.step, y_.data(), yp_.data());
}

}  // namespace cardan
