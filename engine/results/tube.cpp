#include "engine/results/tube.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <sstream>

namespace cardan {
namespace {

constexpr double kMagnitudeShare = 0.01;  // of the vector's magnitude that counts as range
constexpr double kDiscreteWidth = 10;     // a jump between two rows of the output is that far off
constexpr size_t kMostDiscreteValues = 12;
constexpr double kCoverShare = 1e-3;  // of the span that may be missing at the end
constexpr double kGapOfMedian = 5;    // times the usual distance of rows: one is missing
constexpr double kLeastGap = 0.01;    // of the span: no shorter one is looked at
constexpr size_t kShapeRows = 8;      // of a reference: fewer show points, no curve
constexpr double kSameTime = 1e-9;    // of the span: times that are meant to be equal

/// A curve from point to point.
struct Curve {
  std::span<const double> t, y;

  double at(double time) const {
    if (time <= t.front()) return y.front();
    if (time >= t.back()) return y.back();
    const size_t i = std::upper_bound(t.begin(), t.end(), time) - t.begin();
    const double length = t[i] - t[i - 1];  // > 0: t[i - 1] <= time < t[i]
    return y[i - 1] + (y[i] - y[i - 1]) * (time - t[i - 1]) / length;
  }
};

/// Smallest and largest value of a curve in a window that moves on, in amortised constant time.
class MovingExtremes {
 public:
  explicit MovingExtremes(const Curve& curve) : curve_(curve) {}

  struct Extremes {
    double low, high;
  };
  /// Over [from, to]; neither may fall from one call to the next.
  Extremes over(double from, double to) {
    for (; next_ < curve_.t.size() && curve_.t[next_] <= to; ++next_) {
      const double value = curve_.y[next_];
      while (!low_.empty() && curve_.y[low_.back()] >= value) low_.pop_back();
      while (!high_.empty() && curve_.y[high_.back()] <= value) high_.pop_back();
      low_.push_back(next_);
      high_.push_back(next_);
    }
    while (!low_.empty() && curve_.t[low_.front()] < from) low_.pop_front();
    while (!high_.empty() && curve_.t[high_.front()] < from) high_.pop_front();
    const double first = curve_.at(from), last = curve_.at(to);
    Extremes e{std::min(first, last), std::max(first, last)};
    if (!low_.empty()) e.low = std::min(e.low, curve_.y[low_.front()]);
    if (!high_.empty()) e.high = std::max(e.high, curve_.y[high_.front()]);
    return e;
  }

 private:
  const Curve& curve_;
  size_t next_ = 0;
  std::deque<size_t> low_, high_;  // candidates, by time; their values rise, or fall
};

/// How far a point lies outside of what the curve takes around its time.
class Deviation {
 public:
  Deviation(const Curve& curve, double width) : extremes_(curve), width_(width) {}

  double of(double time, double value) {
    const auto [low, high] = extremes_.over(time - width_, time + width_);
    const double d = std::max({value - high, low - value, 0.0});
    if (d > largest) {
      largest = d;
      largestAt = time;
    }
    return d;
  }

  double largest = 0;
  std::optional<double> largestAt;

 private:
  MovingExtremes extremes_;
  double width_;
};

/// "body.r_0[1]" -> "body.r_0": what the elements of one vector or matrix share.
std::string vectorOf(const std::string& name) {
  const size_t bracket = name.rfind('[');
  if (bracket == std::string::npos || !name.ends_with(']') || bracket + 2 >= name.size()) {
    return name;
  }
  const std::string inside = name.substr(bracket + 1, name.size() - bracket - 2);
  return inside.find_first_not_of("0123456789,") == std::string::npos ? name.substr(0, bracket)
                                                                      : name;
}

bool isDiscrete(std::span<const double> y) {
  std::set<double> values;
  for (const double v : y) {
    if (v != std::trunc(v)) return false;
    values.insert(v);
    if (values.size() > kMostDiscreteValues) return false;
  }
  return values.size() >= 2;
}

/// One comparison of two tables: what is common to all signals.
class Tube {
 public:
  Tube(const ResultTable& result, const ResultTable& reference, const TubeOptions& options)
      : result_(result), reference_(reference), options_(options) {
    const std::vector<double>& t = reference.time;
    start_ = t.front();
    stop_ = std::min(t.back(), options.until.value_or(t.back()));
    span_ = t.back() > start_ ? t.back() - start_ : 1.0;
    rows_ = std::upper_bound(t.begin(), t.end(), stop_) - t.begin();
    if (rows_ == 0 || (stop_ <= start_ && t.back() > start_)) {
      std::ostringstream text;
      text << "error: there is nothing to compare up to time = " << stop_
           << " s: the reference begins at time = " << start_ << " s";
      throw ResultFileError(text.str());
    }
    findGaps();
    for (const std::string& name : reference.names()) {
      double& m = magnitude_[vectorOf(plainName(name))];
      for (const double v : referenceValues(*reference.find(name))) m = std::max(m, std::abs(v));
    }
  }

  Comparison frame() const {
    Comparison c;
    c.height = options_.height;
    c.start = start_;
    c.stop = stop_;
    c.resultStart = result_.time.front();
    c.resultStop = result_.time.back();
    const double width = options_.width * span_, roundOff = kSameTime * span_;
    c.covers = c.resultStart <= start_ + width + roundOff &&
               c.resultStop >= stop_ - std::max(width, kCoverShare * span_) - roundOff;
    return c;
  }

  SignalComparison compare(const std::string& name, bool covers) const {
    using Verdict = SignalComparison::Verdict;
    SignalComparison s;
    s.name = name;
    const std::vector<double>* reference = reference_.find(name);
    const std::vector<double>* result = result_.find(name);
    if (reference == nullptr) s.verdict = Verdict::missingReference;
    if (reference != nullptr && result == nullptr) s.verdict = Verdict::missingResult;
    if (!s.usable()) return s;
    const auto notFinite = [](double v) { return !std::isfinite(v); };
    const std::span<const double> y = referenceValues(*reference);
    if (const auto wrong = std::find_if(y.begin(), y.end(), notFinite); wrong != y.end()) {
      s.verdict = Verdict::badReference;
      s.exitTime = reference_.time[wrong - y.begin()];
      return s;
    }
    const auto bad = std::find_if(result->begin(), result->end(), notFinite);
    if (bad != result->end()) {
      s.verdict = Verdict::notFinite;
      s.exitTime = result_.time[bad - result->begin()];
      return s;
    }
    measure(name, y, *result, s);
    const bool inside = s.deviation <= options_.height;
    if (inside) s.gap = gapOf(y, *result, s);
    s.verdict = !inside  ? Verdict::outside
                : s.gap  ? Verdict::gap
                : covers ? Verdict::inside
                         : Verdict::shorter;
    return s;
  }

 private:
  std::span<const double> referenceValues(const std::vector<double>& values) const {
    return std::span(values).first(rows_);
  }

  struct Gap : ResultGap {
    size_t before;        // the result's row at its start
    bool always = false;  // whatever the signal does
  };

  /// Where the result has no rows for longer than it should, and the reference has some.
  void findGaps() {
    const std::vector<double>& t = result_.time;
    std::vector<double> distances;
    for (size_t i = 1; i < t.size(); ++i) {
      if (t[i] > t[i - 1]) distances.push_back(t[i] - t[i - 1]);
    }
    if (distances.empty()) return;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    const double roundOff = kSameTime * span_, beside = options_.width * span_ + roundOff;
    const double longest = options_.gap * span_ + roundOff;
    const double suspicious = std::max(kGapOfMedian * *middle, kLeastGap * span_) + roundOff;
    const std::span<const double> times = std::span(reference_.time).first(rows_);
    for (size_t i = 1; i < t.size(); ++i) {
      const double distance = t[i] - t[i - 1];
      if (distance <= std::min(longest, suspicious)) continue;
      const auto from = std::upper_bound(times.begin(), times.end(), t[i - 1] + beside);
      const auto to = std::lower_bound(from, times.end(), t[i] - beside);
      if (to == from) continue;
      Gap gap;
      gap.start = t[i - 1];
      gap.stop = t[i];
      gap.rows = to - from;
      gap.before = i - 1;
      gap.always = distance > longest && gap.rows > 1;
      gaps_.push_back(gap);
    }
  }

  /// The first gap that matters for a signal: a long one of several rows, or one in which the reference
  /// leaves the straight line between the rows.
  std::optional<ResultGap> gapOf(std::span<const double> y, std::span<const double> z,
                                 const SignalComparison& s) const {
    for (const Gap& gap : gaps_) {
      if (gap.always) return gap;
      const Curve line{std::span(result_.time).subspan(gap.before, 2), z.subspan(gap.before, 2)};
      // Of a discrete signal, which switches somewhere between, neither value is left.
      const auto [low, high] = std::minmax(line.y[0], line.y[1]);
      for (size_t i = 0; i < rows_; ++i) {
        const double t = reference_.time[i];
        if (t <= gap.start || t >= gap.stop) continue;
        const double leaves =
            s.discrete ? std::max(low - y[i], y[i] - high) : std::abs(y[i] - line.at(t));
        if (leaves > options_.height * s.scale) return gap;
      }
    }
    return std::nullopt;
  }

  void measure(const std::string& name, std::span<const double> y, std::span<const double> z,
               SignalComparison& s) const {
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    s.range = *high - *low;
    s.scale = std::max({s.range, kMagnitudeShare * magnitude_.at(vectorOf(plainName(name))),
                        options_.floor / options_.height});
    s.discrete = isDiscrete(y);
    const double width = options_.width * span_ * (s.discrete ? kDiscreteWidth : 1);

    // The curve with more points carries the tube, the other one's points are judged.
    Curve curve{result_.time, z};
    Curve points{std::span(reference_.time).first(rows_), y};
    if (result_.time.size() < rows_) {
      curve = points;
      const auto begin =
          std::lower_bound(result_.time.begin(), result_.time.end(), start_ - kSameTime * span_);
      const auto end = std::upper_bound(begin, result_.time.end(), stop_ + kSameTime * span_);
      points = {{begin, end}, z.subspan(begin - result_.time.begin(), end - begin)};
    }
    const double height = options_.height * s.scale;
    Deviation wide(curve, width), pointwise(curve, 0);
    for (size_t i = 0; i < points.t.size(); ++i) {
      const double d = wide.of(points.t[i], points.y[i]);
      if (d > height && !s.exitTime) s.exitTime = points.t[i];
      pointwise.of(points.t[i], points.y[i]);
    }
    if (result_.time.size() >= rows_ && rows_ >= kShapeRows) judgeBetween(y, z, height, s);
    s.deviation = wide.largest / s.scale;
    s.pointwise = pointwise.largest / s.scale;
    s.worstTime = wide.largestAt ? wide.largestAt : pointwise.largestAt;
    // Rounding of the quotient must not decide.
    if (s.exitTime) s.deviation = std::max(s.deviation, std::nextafter(options_.height, 1.0));
    if (!s.exitTime) s.deviation = std::min(s.deviation, options_.height);
  }

  /// A result with more rows than the reference may do between these what no rows show, but for most of the time
  /// goes no farther than the reference does from a row to the next anywhere. s.exitTime is where it first does,
  /// if that is for longer than a gap may be.
  void judgeBetween(std::span<const double> y, std::span<const double> z, double height,
                    SignalComparison& s) const {
    const std::span<const double> t = std::span(reference_.time).first(rows_), own = result_.time;
    double open = height;
    for (size_t k = 1; k < rows_; ++k) open = std::max(open, height + std::abs(y[k] - y[k - 1]));
    const double beside = options_.width * span_ * (s.discrete ? kDiscreteWidth : 1);
    double outside = 0;
    std::optional<double> first;
    size_t k = 0;
    for (size_t i = 1; i + 1 < own.size(); ++i) {
      while (k + 2 < rows_ && t[k + 1] <= own[i]) ++k;
      if (own[i] < t[k] + beside || own[i] > t[k + 1] - beside) continue;
      const auto [low, high] = std::minmax(y[k], y[k + 1]);
      if (z[i] >= low - open && z[i] <= high + open) continue;
      if (!first) first = own[i];
      outside += (own[i + 1] - own[i - 1]) / 2;
    }
    if (outside > options_.gap * span_ && (!s.exitTime || *first < *s.exitTime)) s.exitTime = first;
  }

  const ResultTable& result_;
  const ResultTable& reference_;
  const TubeOptions& options_;
  double start_ = 0, stop_ = 0, span_ = 1;
  size_t rows_ = 0;  // of the reference up to `stop_`
  std::vector<Gap> gaps_;
  std::map<std::string, double> magnitude_;
};

}  // namespace

bool Comparison::passes() const {
  return covers && !signals.empty() &&
         std::all_of(signals.begin(), signals.end(),
                     [](const SignalComparison& s) { return s.passes(); });
}

bool Comparison::usable() const {
  return std::all_of(signals.begin(), signals.end(),
                     [](const SignalComparison& s) { return s.usable(); });
}

const SignalComparison* Comparison::worst() const {
  const SignalComparison* worst = nullptr;
  for (const SignalComparison& s : signals) {
    if (!s.usable() || s.verdict == SignalComparison::Verdict::notFinite) continue;
    if (worst == nullptr || s.deviation > worst->deviation ||
        (s.deviation == worst->deviation && s.pointwise > worst->pointwise)) {
      worst = &s;
    }
  }
  return worst;
}

double Comparison::margin() const {
  const SignalComparison* w = worst();
  return w != nullptr ? w->deviation / height : 0;
}

Comparison compareResults(const ResultTable& result, const ResultTable& reference,
                          const std::vector<std::string>& signals, const TubeOptions& options) {
  const Tube tube(result, reference, options);
  Comparison comparison = tube.frame();
  for (const std::string& name : signals) {
    comparison.signals.push_back(tube.compare(name, comparison.covers));
  }
  return comparison;
}

TubeBand tubeAround(const std::vector<double>& time, const std::vector<double>& values,
                    double width, double height) {
  TubeBand band;
  if (time.empty()) return band;
  const Curve curve{time, values};
  MovingExtremes extremes(curve);
  for (const double t : time) {
    const auto [low, high] = extremes.over(t - width, t + width);
    band.time.push_back(t);
    band.low.push_back(low - height);
    band.high.push_back(high + height);
  }
  return band;
}

TubeBand tubeAround(const ResultTable& reference, const SignalComparison& s, const Comparison& c,
                    const TubeOptions& options) {
  const std::vector<double>* values = reference.find(s.name);
  if (!values || !s.usable()) return {};
  const double width = options.width * (c.stop - c.start) * (s.discrete ? kDiscreteWidth : 1);
  return tubeAround(reference.time, *values, width,
                    std::max(options.height * s.scale, options.floor));
}

std::string explain(const SignalComparison& s, const Comparison& c) {
  std::ostringstream text;
  switch (s.verdict) {
    case SignalComparison::Verdict::inside:
      break;
    case SignalComparison::Verdict::outside:
      text << "outside of the tube from time = " << s.exitTime.value_or(c.start) << " s on";
      break;
    case SignalComparison::Verdict::gap:
      text << "the result has no rows between " << s.gap->start << " s and " << s.gap->stop
           << " s, the reference has " << s.gap->rows;
      break;
    case SignalComparison::Verdict::shorter:
      text << "the result covers " << c.resultStart << " s to " << c.resultStop
           << " s, the reference " << c.start << " s to " << c.stop << " s";
      break;
    case SignalComparison::Verdict::notFinite:
      text << "infinite or not a number at time = " << s.exitTime.value_or(c.start) << " s";
      break;
    case SignalComparison::Verdict::missingResult:
      text << "missing in the result";
      break;
    case SignalComparison::Verdict::missingReference:
      text << "missing in the reference";
      break;
    case SignalComparison::Verdict::badReference:
      text << "the reference is infinite or not a number at time = " << s.exitTime.value_or(c.start)
           << " s";
      break;
  }
  return text.str();
}

}  // namespace cardan
