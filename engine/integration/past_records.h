/// PastRecords: writes down what signals were, as the run goes on, for the delays that read it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/equations.h"
#include "engine/integration/integrator.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {

/// At every accepted step the signals are looked at inside it, on the integrator's own polynomial, as
/// often as it takes to be as exact as the states are. What jumps, or may, begins a new stretch.
class PastRecords {
 public:
  /// `completion` outlives it.
  PastRecords(Equations& equations, Completion& completion)
      : equations_(equations),
        completion_(completion),
        w_(equations.makeWorkspace<double>()),
        y_(w_.y.size()),
        yp_(w_.y.size()),
        values_(equations.flatModel().pasts.size()),
        pieces_(values_.size()),
        farthest_(values_.size()),
        tried_(values_.size()) {}

  /// Relative, of the run.
  void setTolerance(double tolerance) { tolerance_ = tolerance; }

  bool any() const { return !equations_.flatModel().pasts.empty(); }
  /// At the consistent start.
  void begin(double t, const std::vector<double>& y, const std::vector<double>& yp) {
    if (!any()) return;
    std::vector<Past>& pasts = equations_.state.pasts;
    std::ranges::fill(pasts, Past());
    equations_.evaluateAt(w_, t, y, yp);
    std::vector<double> start(pasts.size());
    for (size_t i = 0; i < pasts.size(); ++i) start[i] = signal(i);
    findDirect(t, y, yp, start);
    for (size_t i = 0; i < pasts.size(); ++i) pasts[i].size = std::abs(start[i]);
    passEvent(t, y, yp, {});
  }
  /// The integrator has come to time().
  void follow(const Integrator& integrator) {
    if (!any()) return;
    std::vector<Past>& pasts = equations_.state.pasts;
    double from = integrator.previousTime();
    for (const Past& p : pasts) from = std::max(from, p.end());
    const double to = integrator.time();
    if (!(to - from > kShortest * std::abs(to))) return;  // no step to tell of
    // What the step has read of itself, by the record as it was.
    integrator.interpolate(to, y_, yp_);
    equations_.evaluateAt(w_, to, y_, yp_);
    std::ranges::fill(farthest_, kUnlimited);
    Reach reach(farthest_);
    const View<double> view(w_.tables);
    for (const FlatModel::Past& p : equations_.flatModel().pasts)
      equations_.flatModel().instances[p.instance].component->guards(view, reach);
    const auto place = [&](size_t i) { return to - std::min(farthest_[i], 0.5 * (to - from)); };
    for (size_t i = 0; i < pasts.size(); ++i)
      tried_[i] = pasts[i].at(place(i), to, signal(i), pasts[i].stretches());
    record(integrator, from, to, 0);
    for (size_t i = 0; i < pasts.size(); ++i) {
      Past& p = pasts[i];
      p.forget(to - equations_.flatModel().pasts[i].longest - (to - from));
      const double off = std::abs(tried_[i] - p.at(place(i), to, 0.0, p.stretches()));
      const double most = kReadError * tolerance_ * p.size;
      const double factor = off > 0 ? std::clamp(0.8 * std::pow(most / off, 0.25), 0.2, 2.0) : 2.0;
      p.longestStep = farthest_[i] > 0 ? std::max(farthest_[i], (to - from) * factor) : kUnlimited;
    }
  }
  /// An event has been handled at (t, y, yp); `changed`: components and conditions that did.
  void passEvent(double t, const std::vector<double>& y, const std::vector<double>& yp,
                 const std::vector<std::string>& changed) {
    if (!any()) return;
    const FlatModel& b = equations_.flatModel();
    std::vector<Past>& pasts = equations_.state.pasts;
    // What has come through delays alone is smoother by one than it was, where states lie between.
    const size_t n = pasts.size();
    std::vector<int> generations(n, kSmooth + 1);
    bool others = false;
    for (size_t k = 0; k < n; ++k) {
      const int stretch = equations_.state.modes[b.pasts[k].stretch.index];
      for (int s = pasts[k].seen + 1; s <= stretch; ++s) {
        const int before = pasts[k].generation(s);
        for (size_t i = 0; i < n; ++i)
          generations[i] = std::min(generations[i], before + (direct_[n * i + k] ? 0 : 1));
      }
      pasts[k].seen = stretch;
    }
    for (const std::string& name : changed) {
      others = others || std::ranges::none_of(b.pasts, [&](const FlatModel::Past& p) {
                 return b.instances[p.instance].name == name;
               });
    }
    equations_.evaluateAt(w_, t, y, yp);
    std::ranges::fill(farthest_, kUnlimited);
    Reach reach(farthest_);
    const View<double> view(w_.tables);
    for (size_t i = 0; i < pasts.size(); ++i) {
      b.instances[b.pasts[i].instance].component->guards(view, reach);
      Past& p = pasts[i];
      const double u = signal(i), before = p.at(p.end(), kUnlimited, u, p.stretches());
      const bool jumps = std::abs(u - before) > tolerance_ * std::max(p.size, std::abs(u));
      p.size = std::max(p.size, std::abs(u));
      const bool isNew = t - p.begins(p.stretches()) > kSameBreak * std::abs(t);
      const int now = jumps || others ? 0 : generations[i];
      if (now <= kSmooth && (isNew || jumps)) p.startStretch(t, u, now);
      p.longestStep =
          farthest_[i] > 0 ? std::max(farthest_[i], kShortest * std::abs(t)) : kUnlimited;
    }
  }
  /// [s] No step from here goes farther.
  double longestStep() const {
    double longest = kUnlimited;
    for (const Past& p : equations_.state.pasts) longest = std::min(longest, p.longestStep);
    return longest;
  }

 private:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  /// Part of the run's tolerance that a record may be off by, and what a step reads of itself.
  static constexpr double kRecordError = 0.1, kReadError = 0.3;
  /// A step is cut in half no more often than this: what is left is noise.
  static constexpr int kDeepest = 6;
  /// What has come through a delay so often bends in its sixth derivative: no method here feels it.
  static constexpr int kSmooth = 5;
  /// Breaks nearer than this part of the time are one.
  static constexpr double kSameBreak = 1e-9;
  /// What a record is put elsewhere by, and what of it a signal feels that is not rounding.
  static constexpr double kPut = 1e-3, kFelt = 1e-8;
  /// A step that time can tell from none.
  static constexpr double kShortest = 1e-12;

  /// Chebyshev's points, ends among them, from -1 to 1, and a place between each two of them.
  static double node(size_t k) { return -std::cos(std::numbers::pi * static_cast<double>(k) / 5); }
  static double between(size_t k) {
    return -std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / 5);
  }

  /// Inverse of the matrix of powers at the nodes, rows for coefficients.
  static const Eigen::MatrixXd& interpolation() {
    static const Eigen::MatrixXd inverse = [] {
      Eigen::MatrixXd powers(6, 6);
      for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) powers(i, k) = std::pow(node(i), k);
      }
      DenseLu lu;
      lu.factor(powers);
      return lu.solve(Eigen::MatrixXd::Identity(6, 6));
    }();
    return inverse;
  }

  /// Collects how far back a component reads.
  class Reach final : public Guards {
   public:
    explicit Reach(std::vector<double>& ago) : ago_(ago) {}
    void crossing(double) override {}
    void timeEvent(double) override {}
    void terminate(const std::string&) override {}
    void readsPast(PastId past, double ago) override { ago_[past.index] = ago; }

   private:
    std::vector<double>& ago_;
  };

  using Nodes = std::array<double, 6>;

  /// Finds which signals feel within the instant what a delay gives: in a row of delays, in a network of lines
  /// of waves, by accelerations. What bends there bends them as much, and is met again for as long as it goes
  /// round. `start`: the signals there; what one of them was before is put elsewhere, one by one.
  void findDirect(double t, std::vector<double> y, std::vector<double> yp,
                  const std::vector<double>& start) {
    std::vector<Past>& pasts = equations_.state.pasts;
    const size_t n = start.size();
    for (size_t i = 0; i < n; ++i) pasts[i].begin(t, start[i]);
    const auto look = [&](std::vector<double>& signals) {
      ++equations_.state.changes;
      completion_.complete(t, y, yp);
      equations_.evaluateAt(w_, t, y, yp);
      for (size_t i = 0; i < n; ++i) signals.push_back(signal(i));
    };
    std::vector<double> before;
    look(before);
    direct_.assign(n * n, false);
    for (size_t k = 0; k < n; ++k) {
      const double put = kPut * std::max(1.0, std::abs(start[k]));
      pasts[k].begin(t, start[k] + put);
      std::vector<double> signals;
      look(signals);
      for (size_t i = 0; i < n; ++i)
        direct_[n * i + k] =
            std::abs(signals[i] - before[i]) > kFelt * std::max(put, std::abs(before[i]));
      pasts[k].begin(t, start[k]);
    }
    ++equations_.state.changes;
  }

  double& signal(size_t i) {
    const SignalId s = equations_.flatModel().pasts[i].signal;
    return w_.signals[equations_.signals().offsets()[s.index]];
  }
  void record(const Integrator& integrator, double from, double to, int depth) {
    const double middle = 0.5 * (from + to);
    if (!fits(integrator, from, to) && depth < kDeepest && middle > from && middle < to) {
      record(integrator, from, middle, depth + 1);
      record(integrator, middle, to, depth + 1);
      return;
    }
    for (size_t i = 0; i < pieces_.size(); ++i) equations_.state.pasts[i].append(pieces_[i]);
  }
  /// Looks at all signals from `from` to `to` [s]; true: the pieces found are exact enough.
  bool fits(const Integrator& integrator, double from, double to) {
    const auto look = [&](double s) {
      const double t = s >= 1 ? to : std::max(from, from + 0.5 * (s + 1) * (to - from));
      integrator.interpolate(t, y_, yp_);
      equations_.evaluateAt(w_, t, y_, yp_);
    };
    for (size_t k = 0; k < Nodes().size(); ++k) {
      look(node(k));
      for (size_t i = 0; i < values_.size(); ++i) values_[i][k] = signal(i);
    }
    for (size_t i = 0; i < values_.size(); ++i) {
      pieces_[i] = {from, to, polynomial(i), 0};
      double& size = equations_.state.pasts[i].size;
      for (const double u : values_[i]) size = std::max(size, std::abs(u));
    }
    for (const size_t k : {size_t{0}, size_t{2}, size_t{4}}) {
      look(between(k));
      const double s = between(k), t = from + 0.5 * (s + 1) * (to - from);
      for (size_t i = 0; i < values_.size(); ++i) {
        const double most = kRecordError * tolerance_ * equations_.state.pasts[i].size;
        if (!(std::abs(pieces_[i].at(t) - signal(i)) <= most)) return false;
      }
    }
    return true;
  }
  Nodes polynomial(size_t i) const {
    Nodes c;
    Eigen::Map<Eigen::Matrix<double, 6, 1>>(c.data()) =
        interpolation() * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(values_[i].data());
    return c;
  }

  Equations& equations_;
  Completion& completion_;
  std::vector<bool> direct_;  ///< signal by record: see findDirect()
  double tolerance_ = 1e-8;
  Workspace<double> w_;
  std::vector<double> y_, yp_;
  std::vector<Nodes> values_;        ///< per record: at the nodes
  std::vector<Past::Piece> pieces_;  ///< per record: what is tried
  std::vector<double> farthest_;     ///< [s]  per record: that is read
  std::vector<double> tried_;        ///< per record: what the step has read of itself there
};

}  // namespace cardan
