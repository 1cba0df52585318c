/// Routing of signals, and blocks whose inputs are as many as the user says.
#include <array>
#include <numeric>
#include <string>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"

namespace cardan::blocks {
namespace {

constexpr int kMostSignals = 10'000;

/// A size from 1 to 10 000.
void readSize(ParameterReader& r, const std::string& name, int& n, const char* about) {
  r.integer(name, n, about, Range{1});
  if (!r.require(n <= kMostSignals, name, "must not be greater than 10000")) n = 1;
}

}  // namespace

/// y = (u1, ..., uN), vectors of n1 to nN elements.
///
/// Source  MSL 4.0 Blocks.Routing.Multiplex2 to Multiplex6
template <int N>
class Multiplex final : public ComponentOf<Multiplex<N>> {
 public:
  void read(ParameterReader& r) override {
    sizes_.fill(1);
    for (int k = 0; k < N; ++k) {
      readSize(r, "n" + std::to_string(k + 1), sizes_[k], "elements of an input");
    }
    for (int k = 0; k < N; ++k) {
      r.input("u" + std::to_string(k + 1), std::vector<double>(sizes_[k], 0.0), "1", "input");
    }
  }
  void declare(Structure& s) override {
    for (size_t k = 0; k < N; ++k) u_[k] = s.input("u" + std::to_string(k + 1), sizes_[k]);
  }
  void describe(Variables& v) const override {
    v.array(output("y", "all inputs, one after another", Level::Time, {u_.begin(), u_.end()}),
            {std::accumulate(sizes_.begin(), sizes_.end(), 0)}, [this](const auto& x, auto* out) {
              for (size_t k = 0; k < N; ++k) {
                for (int i = 0; i < sizes_[k]; ++i) *out++ = x.input(u_[k], i);
              }
            });
  }

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
  void read(ParameterReader& r) override {
    sizes_.fill(1);
    for (int k = 0; k < N; ++k) {
      readSize(r, "n" + std::to_string(k + 1), sizes_[k], "elements of an output");
    }
    r.input("u", std::vector<double>(total(), 0.0), "1", "input");
  }
  void declare(Structure& s) override { u_ = s.input("u", total()); }
  void describe(Variables& v) const override {
    int first = 0;
    for (size_t k = 0; k < N; ++k) {
      v.array(output("y" + std::to_string(k + 1), "elements of the input", Level::Time, {u_}),
              {sizes_[k]}, [this, first, n = sizes_[k]](const auto& x, auto* out) {
                for (int i = 0; i < n; ++i) out[i] = x.input(u_, first + i);
              });
      first += sizes_[k];
    }
  }

 private:
  int total() const { return std::accumulate(sizes_.begin(), sizes_.end(), 0); }
  std::array<int, N> sizes_;
  SignalId u_;
};

/// Every one of the nout elements of y is u.
///
/// Source  MSL 4.0 Blocks.Routing.RealReplicator, BooleanReplicator
template <bool Boolean>
class Replicator final : public ComponentOf<Replicator<Boolean>> {
 public:
  void read(ParameterReader& r) override {
    readSize(r, "nout", nout_, "elements of the output");
    r.input("u", 1, Boolean ? "" : "1", "input");
  }
  void declare(Structure& s) override { u_ = s.input("u", 1); }
  void describe(Variables& v) const override {
    v.array(output("y", "the input, many times", Level::Time, {u_}, Boolean), {nout_},
            [this](const auto& x, auto* out) {
              for (int i = 0; i < nout_; ++i) out[i] = x.input(u_);
            });
  }

 private:
  int nout_ = 1;
  SignalId u_;
};

/// y is element `index` of u.
///
/// Source  MSL 4.0 Blocks.Routing.ExtractSignal: y(i) = u(extract(i))
class ExtractSignal final : public ComponentOf<ExtractSignal> {
 public:
  void read(ParameterReader& r) override {
    int nout = 1;
    readSize(r, "nin", nin_, "elements of the input");
    readSize(r, "nout", nout, "elements of the output");
    for (int i = 1; i <= nout; ++i) extract_.push_back(i);
    r.integers("extract", extract_, "which elements of the input are outputs");
    for (int& i : extract_) {
      if (!r.require(i >= 1 && i <= nin_, "extract", "must be elements of the input")) i = 1;
    }
    r.require(!r.isGiven("nout") || std::ssize(extract_) == nout, "extract",
              "must have nout elements");
    if (extract_.empty()) extract_.push_back(1);
    r.input("u", std::vector<double>(nin_, 0.0), "1", "input");
  }
  void declare(Structure& s) override { u_ = s.input("u", nin_); }
  void describe(Variables& v) const override {
    v.array(output("y", "elements of the input", Level::Time, {u_}), {count(extract_)},
            [this](const auto& x, auto* out) {
              for (size_t i = 0; i < extract_.size(); ++i) out[i] = x.input(u_, extract_[i] - 1);
            });
  }

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
  void read(ParameterReader& r) override {
    readSize(r, "nu", nu_, "number of inputs");
    k_ = Eigen::MatrixXd::Ones(nu_, 1);
    if (!Product) {
      r.vectorOfAnySize("k", k_, "1", "gains of the elements");
      if (!r.isGiven("nu") && k_.size() > 0) nu_ = std::ssize(k_);
      if (!r.require(k_.size() == nu_, "k", "must have nu elements"))
        k_ = Eigen::MatrixXd::Ones(nu_, 1);
    }
    r.input("u", std::vector<double>(nu_, Product ? 1.0 : 0.0), "1", "inputs");
  }
  void declare(Structure& s) override { u_ = s.input("u", nu_); }
  void describe(Variables& v) const override {
    v.scalar(output("y", Product ? "product" : "sum", Level::Time, {u_}), [this](const auto& x) {
      std::decay_t<decltype(x.time())> y = Product ? 1.0 : 0.0;
      for (int i = 0; i < nu_; ++i) {
        if (Product) {
          y = y * x.input(u_, i);
        } else {
          y += k_(i, 0) * x.input(u_, i);
        }
      }
      return y;
    });
  }

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
  void read(ParameterReader& r) override {
    r.input(ToPolar ? "u_re" : "u_abs", 1, "1", ToPolar ? "first coordinate" : "length");
    r.input(ToPolar ? "u_im" : "u_arg", 1, ToPolar ? "1" : "rad",
            ToPolar ? "second coordinate" : "angle");
  }
  void declare(Structure& s) override {
    first_ = s.input(ToPolar ? "u_re" : "u_abs", 1);
    second_ = s.input(ToPolar ? "u_im" : "u_arg", 1);
  }
  void describe(Variables& v) const override {
    const std::vector<SignalId> both{first_, second_};
    if constexpr (ToPolar) {
      v.scalar(output("y_abs", "length", Level::Time, both), [this](const auto& x) {
        using S = std::decay_t<decltype(x.time())>;
        return S(sqrt(S(x.input(first_) * x.input(first_) + x.input(second_) * x.input(second_))));
      });
      VariableInfo angle = output("y_arg", "angle", Level::Time, both);
      angle.unit = "rad";
      v.scalar(angle, [this](const auto& x) {
        using S = std::decay_t<decltype(x.time())>;
        return S(atan2(S(x.input(second_)), S(x.input(first_))));
      });
    } else {
      v.scalar(output("y_re", "first coordinate", Level::Time, both), [this](const auto& x) {
        using S = std::decay_t<decltype(x.time())>;
        return S(x.input(first_) * cos(S(x.input(second_))));
      });
      v.scalar(output("y_im", "second coordinate", Level::Time, both), [this](const auto& x) {
        using S = std::decay_t<decltype(x.time())>;
        return S(x.input(first_) * sin(S(x.input(second_))));
      });
    }
  }

 private:
  SignalId first_, second_;
};

Catalogue routing() {
  return {
      entry<MultiBlock<false>>("Blocks.MultiSum", "weighted sum of many signals"),
      entry<MultiBlock<true>>("Blocks.MultiProduct", "product of many signals"),
      entry<PolarBlock<true>>("Blocks.RectangularToPolar", "length and angle of two coordinates"),
      entry<PolarBlock<false>>("Blocks.PolarToRectangular",
                               "two coordinates of a length and an angle"),
      entry<Replicator<false>>("Blocks.RealReplicator", "vector of equal signals"),
      entry<Replicator<false>>("Blocks.Replicator", "vector of equal signals"),
      entry<Replicator<true>>("Blocks.BooleanReplicator", "vector of equal truth values"),
      entry<ExtractSignal>("Blocks.ExtractSignal", "elements of a vector"),
      entry<Multiplex<2>>("Blocks.Multiplex2", "one vector of 2 signals"),
      entry<DeMultiplex<2>>("Blocks.DeMultiplex2", "2 signals of one vector"),
      entry<Multiplex<3>>("Blocks.Multiplex3", "one vector of 3 signals"),
      entry<DeMultiplex<3>>("Blocks.DeMultiplex3", "3 signals of one vector"),
      entry<Multiplex<4>>("Blocks.Multiplex4", "one vector of 4 signals"),
      entry<DeMultiplex<4>>("Blocks.DeMultiplex4", "4 signals of one vector"),
      entry<Multiplex<5>>("Blocks.Multiplex5", "one vector of 5 signals"),
      entry<DeMultiplex<5>>("Blocks.DeMultiplex5", "5 signals of one vector"),
      entry<Multiplex<6>>("Blocks.Multiplex6", "one vector of 6 signals"),
      entry<DeMultiplex<6>>("Blocks.DeMultiplex6", "6 signals of one vector"),
  };
}

}  // namespace cardan::blocks
