/// UnseenJumps: where rates of a run jump inside a step, and no event has told of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/integration/integrator.h"
#include "engine/sensitivities/model_variant.h"

namespace cardan {

/// Forces may turn over at once where nobody asks for an event: a spring whose frames pass through
/// each other, a Bushing behind half a turn, an expression in noEvent. A step over such a place is
/// short, and the rates along it are not those of its polynomial. Then it is halved: of what is smooth
/// a quarter of the bend is left in a half, of a kink a half, of a jump all.
class UnseenJumps {
 public:
  struct Jump {
    double time, width;         ///< [s]  about it
    std::vector<double> y, yp;  ///< there
    size_t unknown;             ///< whose rate jumps most, in its typical size
    double by;                  ///< of that rate

    /// The unknowns `ahead` [s] of it.
    std::vector<double> at(double ahead) const {
      std::vector<double> there = y;
      for (size_t i = 0; i < y.size(); ++i) there[i] += ahead * yp[i];
      return there;
    }
  };

  explicit UnseenJumps(const Equations& run) : run_(run) {
    const std::vector<Layout::Unknown>& unknowns = run.layout().unknowns;
    for (size_t i = 0; i < unknowns.size(); ++i) {
      if (unknowns[i].differential) states_.push_back(i);
    }
  }

  /// What jumps there, the event tells of; and before it, other modes were.
  void event(double time) { since_ = time; }

  /// Looks at the last step. `self`: the model, in the modes of the step.
  std::optional<Jump> in(const Integrator& step, ModelVariant& self) {
    const Rates begin = std::exchange(end_, {step.yp().begin(), step.yp().end()});
    const double from = step.previousTime(), to = step.time();
    if (begin.empty() || !(to > from)) return std::nullopt;
    sizes_.resize(end_.size());
    for (const size_t i : states_) {
      sizes_[i] = run_.state.nominals[i] / run_.state.scales.time +
                  std::max(std::abs(begin[i]), std::abs(end_[i]));
    }
    std::vector<double> y(end_.size()), yp(y);
    const auto point = [&](double t) {
      const double inside = std::clamp(t, from, to);
      step.interpolate(inside, y, yp);
      for (size_t i = 0; i < y.size(); ++i) y[i] += (t - inside) * yp[i];
    };
    const auto at = [&](double t) {
      point(t);
      return ratesAt(self, t, y, yp);
    };
    // A method with a memory begins its polynomial with other rates than it has come to.
    point(from);
    const bool goesOn = largest([&](size_t i) { return yp[i] - begin[i]; }).second <= kFelt;
    const double middle = from + 0.5 * (to - from);
    const Rates halfway = at(middle);
    if (halfway.empty() ||
        (goesOn && largest([&](size_t i) { return yp[i] - halfway[i]; }).second <= kFelt))
      return std::nullopt;
    Piece piece{{from, middle, to}, {at(from), halfway, at(to)}};
    if (!isFront(piece, at)) {
      const double window = kFront * run_.state.scales.time;
      if (!(to - from < window)) return std::nullopt;
      const double t = piece.t[1], half = 0.5 * window;
      piece = {{t - half, t, t + half}, {at(t - half), at(t), at(t + half)}};
      if (!isFront(piece, at)) return std::nullopt;
    }
    const auto [unknown, size] = bend(piece);
    const double shortest = kShortest * (std::abs(to) + (to - from));
    while (piece.width() > shortest) {
      const Piece next = steeperHalf(piece, at);
      if (!(bend(next).second > kKept * size)) break;
      piece = next;
    }
    // At the ends of these modes it is their event's; what is ahead, a later step may come to.
    const double end = kEnds * shortest;
    if (!(piece.t[1] > since_ + end && piece.t[1] < to - end)) return std::nullopt;
    point(piece.t[1]);
    return Jump{piece.t[1],
                piece.width(),
                y,
                yp,
                static_cast<size_t>(unknown),
                piece.f[2][unknown] - piece.f[0][unknown]};
  }

  /// The rate of the unknown jumps between these instants, at these values of the variant, as well.
  static bool isThere(const Jump& jump, ModelVariant& v, double before,
                      const std::vector<double>& yBefore, double behind,
                      const std::vector<double>& yBehind) {
    const Rates a = ratesAt(v, before, yBefore, jump.yp), b = ratesAt(v, behind, yBehind, jump.yp);
    return !a.empty() && !b.empty() &&
           std::abs(b[jump.unknown] - a[jump.unknown]) > kKept * std::abs(jump.by);
  }

  /// "Spring 'spring'": what loads, flows or rows of the model jump with; else the rate.
  static std::string nameOf(const Jump& jump, ModelVariant& self) {
    const FlatModel& flat = self.equations.flatModel();
    const auto then = actions(self, jump, -jump.width), now = actions(self, jump, jump.width);
    int found = -1;
    double most = 0;
    for (size_t k = 0; k < flat.instances.size(); ++k) {
      double size = 0, change = 0;
      for (size_t i = 0; i < now[k].size(); ++i) {
        size = std::max({size, std::abs(then[k][i]), std::abs(now[k][i])});
        change = std::max(change, std::abs(now[k][i] - then[k][i]));
      }
      if (!(change > most && change > kFelt * size) || flat.instances[k].name.empty()) continue;
      found = static_cast<int>(k);
      most = change;
    }
    return found >= 0 ? flat.typeAndName(found)
                      : "der(" + self.equations.layout().unknowns[jump.unknown].name + ")";
  }

  static constexpr double kFelt = 1e-4;  ///< of a rate: so much of a jump is one

 private:
  using Rates = std::vector<double>;
  struct Piece {
    std::array<double, 3> t;  ///< [s]  its ends and middle
    std::array<Rates, 3> f;   ///< rates there
    double width() const { return t[2] - t[0]; }
  };

  static constexpr double kKept = 0.5;  ///< of a jump, where a piece is this much shorter:
  static constexpr int kHalvings = 4;
  /// Of the model's time: what is steeper jumps, however short steps become there.
  static constexpr double kFront = 0x1p-22;
  static constexpr double kShortest = 64 * std::numeric_limits<double>::epsilon();  ///< of the time
  static constexpr double kEnds = 8;  ///< of that: so exact is the time of an event

  /// None: the equations are singular there.
  static Rates ratesAt(ModelVariant& v, double t, std::vector<double> y, Rates yp) {
    const bool good = v.completion.complete(t, y, yp) && !v.completion.singular() &&
                      std::ranges::all_of(yp, [](double x) { return std::isfinite(x); });
    return good ? yp : Rates();
  }
  /// Of f(i), over the states, in typical sizes of their rates: where, and how large.
  template <class F>
  std::pair<size_t, double> largest(F f) const {
    std::pair<size_t, double> most{0, 0.0};
    for (const size_t i : states_) {
      const double size = std::abs(f(i)) / sizes_[i];
      if (size > most.second) most = {i, size};
    }
    return most;
  }
  std::pair<size_t, double> bend(const Piece& p) const {
    const auto& [a, b, c] = p.f;
    if (a.empty() || b.empty() || c.empty()) return {0, 0.0};
    return largest([&](size_t i) { return a[i] - 2 * b[i] + c[i]; });
  }
  /// Of both halves and that in the middle: of a kink next to a cut the halves would keep all of the bend.
  template <class At>
  Piece steeperHalf(const Piece& p, At at) const {
    const double early = p.t[0] + 0.5 * (p.t[1] - p.t[0]), late = p.t[1] + 0.5 * (p.t[2] - p.t[1]);
    const Rates fEarly = at(early), fLate = at(late);
    const std::array<Piece, 3> parts{Piece{{p.t[0], early, p.t[1]}, {p.f[0], fEarly, p.f[1]}},
                                     {{early, p.t[1], late}, {fEarly, p.f[1], fLate}},
                                     {{p.t[1], late, p.t[2]}, {p.f[1], fLate, p.f[2]}}};
    return *std::ranges::max_element(parts, {},
                                     [this](const Piece& part) { return bend(part).second; });
  }
  /// Its bend is that of a jump; `piece` becomes the part of it that has most of it.
  template <class At>
  bool isFront(Piece& piece, At at) const {
    double wide = 0, size = bend(piece).second;
    for (int k = 0; k < kHalvings && size > kFelt; ++k) {
      piece = steeperHalf(piece, at);
      size = bend(piece).second;
      if (k == 0) wide = size;
    }
    return size > std::max(kFelt, kKept * wide);
  }
  /// Per component loads, flows and rows that it makes so far behind the jump.
  static std::vector<std::vector<double>> actions(ModelVariant& v, const Jump& jump, double ahead) {
    v.evaluate(jump.time + ahead, jump.at(ahead), jump.yp);
    Workspace<double>& w = v.w;
    View<double> view(w.tables);
    std::vector<std::vector<double>> all;
    for (const Instance& instance : v.equations.flatModel().instances) {
      std::vector<double>& own = all.emplace_back();
      if (!instance.component->evaluates()) continue;
      for (Wrench<double>& load : w.connectorLoads) load.setZero();
      std::ranges::fill(w.connectorFlows, 0.0);
      std::ranges::fill(w.residual, 0.0);
      instance.component->evaluate(view);
      for (const Wrench<double>& load : w.connectorLoads) {
        for (int i = 0; i < 3; ++i) own.insert(own.end(), {load.f_0[i], load.t_0[i]});
      }
      own.insert(own.end(), w.connectorFlows.begin(), w.connectorFlows.end());
      own.insert(own.end(), w.residual.begin(), w.residual.end());
    }
    return all;
  }

  const Equations& run_;
  std::vector<size_t> states_;
  Rates end_;                                                ///< at the end of the last step
  double since_ = -std::numeric_limits<double>::infinity();  ///< [s]  the last event
  std::vector<double> sizes_;                                ///< of rates, in this one
};

}  // namespace cardan
