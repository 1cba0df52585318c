/// Past: what a signal was before now, piece by piece.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "frames/dual.h"

namespace cardan {

/// A record of a signal that grows with the run. At breaks the signal, or its rate, jumped; between
/// two of them lies a stretch, on which it is smooth. Stretch 0 is the time before the start, over
/// which it was what it is there.
class Past {
 public:
  /// The signal from `from` to `to` [s]: sum of c[k] s^k with s from -1 to 1.
  struct Piece {
    double from = 0, to = 0;
    std::array<double, 6> c{};
    int stretch = 0;

    template <class S>
    S at(const S& time) const {
      const S s = (time - from) * (2 / (to - from)) - 1.0;
      S y(c.back());
      for (size_t k = c.size() - 1; k-- > 0;) y = y * s + c[k];
      return y;
    }
  };

  /// Value at `time`. `now`: the time of now, and `u` what the signal is. Between the end of the
  /// record and now a cubic that ends in `u`. `stretch`: where `time` is meant to lie; its pieces go
  /// on beyond its breaks. Before anything is recorded, `u`.
  template <class S>
  S at(const S& time, const S& now, const S& u, int stretch) const {
    if (!begun_ || value(time) >= value(now)) return u;
    if (stretch <= 0) return S(first_);
    if (stretch >= stretches() && value(time) > end_) return towards(time, now, u);
    const auto at = std::upper_bound(pieces_.begin() + kept_, pieces_.end(), stretch,
                                     [t = value(time)](int k, const Piece& p) {
                                       return p.stretch == k ? t < p.to : p.stretch > k;
                                     });
    if (at != pieces_.end() && at->stretch == stretch) return at->at(time);
    if (at != pieces_.begin() + kept_ && (at - 1)->stretch == stretch) return (at - 1)->at(time);
    return S(breakOf(stretch).value);  // no longer than a moment, or long forgotten
  }

  /// Number of the stretch that now lies in: breaks so far.
  int stretches() const { return forgotten_ + std::ssize(breaks_); }
  /// [s]  where stretch k begins, 1 <= k <= stretches()
  double begins(int k) const { return breakOf(k).time; }
  /// How often what began there has come through a delay before: each time it is smoother by one.
  int generation(int k) const { return breakOf(k).generation; }

  // For who keeps the record.

  double end() const { return end_; }  ///< [s]  up to here it is known
  void begin(double time, double u) {
    *this = Past();
    begun_ = true;
    first_ = u;
    end_ = time;
    startStretch(time, u, 1);
  }
  void startStretch(double time, double u, int generation) {
    breaks_.push_back({time, u, generation});
    end_ = time;
  }
  void append(Piece p) {
    p.stretch = stretches();
    end_ = p.to;
    pieces_.push_back(p);
  }
  /// What was before `time` [s] is not asked for any more.
  void forget(double time) {
    while (kept_ < pieces_.size() && pieces_[kept_].to < time) ++kept_;
    if (kept_ > 1000 && 2 * kept_ > pieces_.size()) {
      pieces_.erase(pieces_.begin(), pieces_.begin() + kept_);
      kept_ = 0;
    }
    size_t over = 0;
    while (over + 1 < breaks_.size() && breaks_[over + 1].time < time) ++over;
    breaks_.erase(breaks_.begin(), breaks_.begin() + over);
    forgotten_ += over;
  }

  double size = 0;         ///< largest |u| met
  double longestStep = 0;  ///< [s]  so far what steps read of themselves is as exact as they are
  int seen = 0;            ///< stretch that was read before the event

  auto kept() {
    return std::tie(begun_, first_, end_, pieces_, kept_, breaks_, forgotten_, size, longestStep,
                    seen);
  }

 private:
  struct Break {
    double time = 0;   ///< [s]
    double value = 0;  ///< just after it
    int generation = 0;
  };
  const Break& breakOf(int k) const {
    const int i = std::clamp<int>(k - forgotten_ - 1, 0, std::ssize(breaks_) - 1);
    return breaks_[i];
  }
  template <class S>
  S towards(const S& time, const S& now, const S& u) const {
    const S h = now - end_, tau = time - end_;
    if (pieces_.size() == kept_ || pieces_.back().stretch != stretches()) {
      const double y = breaks_.back().value;
      return y + (u - y) * (tau / h);
    }
    // Value, slope and half the curvature at the end of the record.
    const Piece& p = pieces_.back();
    const double scale = 2 / (p.to - p.from);
    double y = 0, slope = 0, half = 0;
    for (size_t k = 0; k < p.c.size(); ++k) {
      const auto n = static_cast<double>(k);
      y += p.c[k];
      slope += n * p.c[k] * scale;
      half += 0.5 * n * (n - 1) * p.c[k] * scale * scale;
    }
    const S part = tau / h;
    return y + tau * (slope + tau * half) + part * part * part * (u - (y + h * (slope + h * half)));
  }

  bool begun_ = false;
  double first_ = 0;  ///< before the start
  double end_ = 0;
  std::vector<Piece> pieces_;
  size_t kept_ = 0;  ///< pieces in front that are forgotten
  std::vector<Break> breaks_;
  int forgotten_ = 0;  ///< breaks
};

}  // namespace cardan
