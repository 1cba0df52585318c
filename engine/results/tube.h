/// Comparison of two results, signal by signal, inside a tube: a deviation counts only as far as it
/// is neither small beside the signal nor a small shift in time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/results/result_table.h"

namespace cardan {

/// Size of the tube.
///
/// Height     h = height * scale, on both sides, with
///            scale = max(range, magnitude / 100, floor / height):
///            range of the reference signal; magnitude: largest absolute value of all elements of
///            its vector (so that the element of a vector that is zero but for round-off is judged
///            beside the others)
/// Width      w = width * span, on both sides, with the span of the reference in time; ten times
///            that for a discrete signal: one with at least two and at most 12 values, all whole
///            (Integer, Boolean), whose jumps are all there is to compare
/// Tube       all values the curve with more points takes within w of a time, continued by h; every
///            point of the other curve has to lie inside. At an event (two rows of one time)
///            everything between the two values is inside.
/// Between    a result with more points than a reference of eight or more may not be farther from the two
///            values around it than the reference goes from a point to the next anywhere, for more than
///            `gap` of the time
/// Gaps       a result that leaves out more than `gap` of the time where the reference has rows, or
///            that leaves out much more than it does elsewhere while the reference moves, shows too
///            little to be judged; so it does where the reference has one row there and that moves
struct TubeOptions {
  double height = 2e-3;         ///< [1]  relative to the scale of the signal
  double width = 2e-4;          ///< [1]  relative to the span of time
  double floor = 1e-7;          ///< smallest half height, in the unit of the signal
  double gap = 0.05;            ///< [1]  longest one between rows, relative to the span of time
  std::optional<double> until;  ///< [s]  compared up to here only
};

/// Times between which a result has no rows.
struct ResultGap {
  double start = 0, stop = 0;  ///< [s]
  size_t rows = 0;             ///< of the reference in between
};

struct SignalComparison {
  enum class Verdict {
    inside,
    outside,
    gap,               ///< inside, but the result has no rows where the reference has some
    shorter,           ///< inside, but the result does not cover the reference's time
    notFinite,         ///< the result holds an infinite or undefined value
    missingResult,     ///< the result has no such signal
    missingReference,  ///< the reference has no such signal
    badReference,      ///< the reference holds an infinite or undefined value
  };
  std::string name;
  Verdict verdict = Verdict::inside;
  bool discrete = false;
  double scale = 0;      ///< what deviations are relative to, in the unit of the signal
  double range = 0;      ///< of the reference, in the unit of the signal
  double deviation = 0;  ///< [1]  largest one, beyond the width of the tube, relative to the scale
  double pointwise = 0;  ///< [1]  the same for a tube without width
  std::optional<double> worstTime;  ///< [s]  of `deviation`; of `pointwise` where that is 0
  std::optional<double> exitTime;   ///< [s]  of the first point outside, or of the first that is
                                    ///<      not finite
  std::optional<ResultGap> gap;     ///< of Verdict::gap

  bool passes() const { return verdict == Verdict::inside; }
  /// Could be compared at all.
  bool usable() const {
    return verdict != Verdict::missingResult && verdict != Verdict::missingReference &&
           verdict != Verdict::badReference;
  }
};

struct Comparison {
  double height = 0;                       ///< of the tube, [1]
  double start = 0, stop = 0;              ///< [s]  what is compared
  double resultStart = 0, resultStop = 0;  ///< [s]  what the result covers
  bool covers = true;                      ///< the result covers it
  std::vector<SignalComparison> signals;

  bool passes() const;
  /// All signals could be compared.
  bool usable() const;
  /// Largest deviation as a share of the tube's half height: at most 1 where all signals pass.
  double margin() const;
  /// The signal with the largest deviation; null where there is none that could be compared.
  const SignalComparison* worst() const;
};

/// Compares the named signals; a name may be missing on either side.
/// Pre: both tables have rows
/// Throws ResultFileError where no row of the reference lies before `until`
Comparison compareResults(const ResultTable& result, const ResultTable& reference,
                          const std::vector<std::string>& signals, const TubeOptions& options = {});

/// The tube around a curve: values below and above it, at the curve's own times.
struct TubeBand {
  std::vector<double> time, low, high;
};
/// All values that the curve takes within `width` [s] of a time, continued by `height`.
TubeBand tubeAround(const std::vector<double>& time, const std::vector<double>& values,
                    double width, double height);

/// In which compareResults has judged this signal of the reference; empty where it is not usable.
TubeBand tubeAround(const ResultTable& reference, const SignalComparison& signal,
                    const Comparison& comparison, const TubeOptions& options);

/// The verdict in the user's words, "" for inside: "missing in the result".
std::string explain(const SignalComparison& signal, const Comparison& comparison);

}  // namespace cardan
