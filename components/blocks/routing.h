/// Routing of signals, and blocks whose inputs are as many as the user says.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "components/blocks/time_source.h"

namespace cardan::blocks {

/// y = (u1, ..., uN), vectors of n1 to nN elements.
///
/// Source  MSL 4.0 Blocks.Routing.Multiplex2 to Multiplex6
template <int N>
class Multiplex final : public ComponentOf<Multiplex<N>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  std::array<int, N> sizes_;
  std::array<SignalId, N> u_;
};

/// (y1, ..., yN) = u, vectors of n1 to nN elements.
///
/// Source  MSL 4.0 Blocks.Routing.DeMultiplex2 to DeMultiplex6
template <int N>
class DeMultiplex final : public ComponentOf<DeMultiplex<N>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  int total() const;
  std::array<int, N> sizes_;
  SignalId u_;
};

/// Every one of the nout elements of y is u.
///
/// Source  MSL 4.0 Blocks.Routing.RealReplicator, BooleanReplicator
template <bool Boolean>
class Replicator final : public ComponentOf<Replicator<Boolean>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { u_ = s.input("u", 1); }
  void describe(Variables& v) const override;

 private:
  int nout_ = 1;
  SignalId u_;
};

/// y is element `index` of u.
///
/// Source  MSL 4.0 Blocks.Routing.ExtractSignal: y(i) = u(extract(i))
class ExtractSignal final : public ComponentOf<ExtractSignal> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { u_ = s.input("u", nin_); }
  void describe(Variables& v) const override;

 private:
  int nin_ = 1;
  std::vector<int> extract_;
  SignalId u_;
};

/// y = k u, the sum of a vector's elements, or the product of them.
///
/// Source  MSL 4.0 Blocks.Math.MultiSum, MultiProduct
template <bool Product>
class MultiBlock final : public ComponentOf<MultiBlock<Product>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override { u_ = s.input("u", nu_); }
  void describe(Variables& v) const override;

 private:
  int nu_ = 1;
  Eigen::MatrixXd k_;
  SignalId u_;
};

/// y_abs = |(u_re, u_im)|, y_arg its angle; and back.
///
/// Source  MSL 4.0 Blocks.Math.RectangularToPolar, PolarToRectangular
template <bool ToPolar>
class PolarBlock final : public ComponentOf<PolarBlock<ToPolar>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  SignalId first_, second_;
};

}  // namespace cardan::blocks
