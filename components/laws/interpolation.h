/// Interpolation: a column of a table as a function of the first, piecewise constant, linear or
/// cubic.
#pragma once

#include <vector>

#include "components/parameter_reader.h"

namespace cardan::one_dimensional {

/// MSL's Blocks.Types.Smoothness.
enum class Smoothness {
  LinearSegments,
  ContinuousDerivative,  ///< Akima
  ConstantSegments,
  MonotoneContinuousDerivative1,  ///< Fritsch-Butland
  MonotoneContinuousDerivative2,  ///< Steffen
  ModifiedContinuousDerivative,   ///< modified Akima
};
/// MSL's Blocks.Types.Extrapolation.
enum class Extrapolation { HoldLastPoint, LastTwoPoints, Periodic, NoExtrapolation };

void readSmoothness(ParameterReader& r, Smoothness& s);
void readExtrapolation(ParameterReader& r, Extrapolation& e);

/// y(x) through the points (x_i, y_i), x_i not falling. Outside: straight on, or held.
class Interpolation {
 public:
  Interpolation() = default;
  /// Columns 0 and `column` of `table`.
  Interpolation(const Eigen::MatrixXd& table, int column, Smoothness smoothness);

  int points() const { return std::ssize(x_); }
  double abscissa(int i) const { return x_[i]; }
  bool isSmooth() const {
    return smoothness_ != Smoothness::LinearSegments && smoothness_ != Smoothness::ConstantSegments;
  }
  /// i with x_i <= x < x_(i+1): -1 before the first point, points() - 1 from the last one on.
  int intervalOf(double x) const;

  /// Where pieces meet that differ: at point i the law jumps, or bends so that whoever follows it
  /// feels it. `periodic`: the last point is the first one of the next period.
  bool isBreak(int i, bool hold, bool periodic) const;

  /// The piece of interval i at x, also outside of the interval. Outside of the table the piece is
  /// a straight line, or the end point's value where `hold`.
  template <class S>
  S piece(int i, const S& x, bool hold = false) const {
    const int last = points() - 1;
    if (i < 0 || i >= last) {
      const int k = i < 0 ? 0 : last;
      if (hold || last == 0) return S(y_[k]);
      return y_[k] + (i < 0 ? slopeBefore_ : slopeAfter_) * (x - x_[k]);
    }
    const size_t k = i;
    const double h = x_[k + 1] - x_[k];
    if (smoothness_ == Smoothness::ConstantSegments || !(h > 0)) return S(y_[k]);
    const double d = (y_[k + 1] - y_[k]) / h;
    const S u = x - x_[k];
    if (smoothness_ == Smoothness::LinearSegments) return y_[k] + d * u;
    // Hermite: slopes m at both ends.
    const double m0 = slopes_[k], m1 = slopes_[k + 1];
    const double c2 = (3 * d - 2 * m0 - m1) / h, c3 = (m0 + m1 - 2 * d) / (h * h);
    return y_[k] + u * (m0 + u * (c2 + u * c3));
  }
  template <class S>
  S operator()(const S& x, bool hold = false) const {
    return piece(intervalOf(cardan::value(x)), x, hold);
  }

 private:
  /// Value, slope and curvature.
  struct Jet {
    double y = 0, slope = 0, curvature = 0;
  };
  /// Of the piece of interval i at its point k.
  Jet jet(int i, int k, bool hold) const;
  void measure();

  std::vector<double> x_, y_;
  std::vector<double> slopes_;  ///< at the points, cubic pieces only
  double slopeBefore_ = 0, slopeAfter_ = 0;
  Jet largest_;  ///< over the table, of the sizes
  Smoothness smoothness_ = Smoothness::LinearSegments;
};

/// States that the first column of the table `name` does not fall, or rises (`strictly`). True: it is
/// so. Its first row is number `firstRow` of the parameter.
bool requireAbscissas(ParameterReader& r, const char* name, const Eigen::MatrixXd& table,
                      bool strictly, int firstRow = 0);

/// MSL's parameters of a table, in the model or on a file.
void readTable(ParameterReader& r, Eigen::MatrixXd& table, const char* about);

}  // namespace cardan::one_dimensional
