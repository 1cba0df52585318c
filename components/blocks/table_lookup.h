/// Tables over signals: in one dimension and in two.
#pragma once

#include <limits>
#include <vector>

#include "components/component.h"
#include "components/laws/interpolation.h"

namespace cardan::blocks {

/// The abscissas of a table, and between which of those at which the table's law changes a signal is now.
///
/// Mode   stretch: number of such abscissas, breaks, at or below the signal; counted on through the periods
class TableAxis {
 public:
  using Extrapolation = one_dimensional::Extrapolation;

  /// `breaks`: indices into `abscissas`, in their order.
  void set(std::vector<double> abscissas, std::vector<int> breaks, Extrapolation extrapolation);
  void declare(Structure& s, const std::string& name) { stretch_ = s.mode(name, kUnset); }
  void guards(const View<double>& x, Guards& g, double u, const char* input) const;
  bool transition(Modes& m, double u) const;

  double least() const { return x_.front(); }
  double most() const { return x_.back(); }
  /// Where a signal is: the interval whose piece holds, -1 before the first abscissa, and what to take off
  /// the signal for the turns of a periodic table.
  struct Place {
    int interval;
    double shift;
  };
  template <class S>
  Place place(const View<S>& x, const S& u) const {
    return placeIn(x.mode(stretch_), value(u));
  }

 private:
  static constexpr int kUnset = std::numeric_limits<int>::min();
  bool repeats() const { return extrapolation_ == Extrapolation::Periodic && x_.size() > 1; }
  double period() const { return x_.back() - x_.front(); }
  double hair() const { return hair_; }
  /// Break number k, infinite beyond the first and the last.
  double breakAt(int k) const;
  int locate(double u) const;
  Place placeIn(int stretch, double u) const;

  std::vector<double> x_;
  std::vector<int> breaks_;
  Extrapolation extrapolation_ = Extrapolation::LastTwoPoints;
  double hair_ = 0;
  ModeId stretch_;
};

/// Columns of a table as functions of one input; OfVector: each of an input of its own.
///
/// Source  MSL 4.0 Blocks.Tables.CombiTable1Ds, CombiTable1Dv
template <bool OfVector>
class CombiTable1D final : public ComponentOf<CombiTable1D<OfVector>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  std::vector<one_dimensional::Interpolation> columns_;
  std::vector<TableAxis> axes_;  ///< one, or one a column
  one_dimensional::Extrapolation extrapolation_ = one_dimensional::Extrapolation::LastTwoPoints;
  SignalId u_;
};

using CombiTable1Ds = CombiTable1D<false>;
using CombiTable1Dv = CombiTable1D<true>;

/// A table over two inputs: u1 down the first column, u2 along the first row.
///
/// Equations  LinearSegments: bilinear;  ConstantSegments: the value at the grid point at or before both,
///            beyond the table bilinear;
///            ContinuousDerivative: bicubic, with Akima's slopes at the grid points (Akima 1974)
/// Source     MSL 4.0 Blocks.Tables.CombiTable2Ds
class CombiTable2Ds final : public ComponentOf<CombiTable2Ds> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  template <class S>
  S lookup(const View<S>& x) const;
  /// Value at a place in the cell (i, j).
  template <class S>
  S cell(int i, int j, const S& u1, const S& u2) const;
  void findSlopes(bool periodic);

  std::vector<double> x_, y_;  ///< grid of u1 and u2
  Eigen::MatrixXd z_, zx_, zy_, zxy_;
  one_dimensional::Smoothness smoothness_ = one_dimensional::Smoothness::LinearSegments;
  one_dimensional::Extrapolation extrapolation_ = one_dimensional::Extrapolation::LastTwoPoints;
  TableAxis axis1_, axis2_;
  SignalId u1_, u2_;
};

}  // namespace cardan::blocks
