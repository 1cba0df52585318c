#include "engine/fit/told_apart.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "engine/structure/singular_values.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPart = 1e-2;   // of a direction: an element that belongs to it
constexpr double kWhole = 2e-2;  // of an exponent: it is meant to be a simple number

/// What is orthogonal to the columns of `open`, in rows of reduced echelon form.
MatrixXd invariants(const MatrixXd& open) {
  const Index n = open.rows(), k = n - open.cols();
  const SingularValues svd(open);
  MatrixXd rest = MatrixXd::Identity(n, n) - svd.U * svd.U.transpose();
  Index r = 0;
  for (Index c = 0; c < n && r < k; ++c) {
    Index row = 0;
    const double pivot = rest.col(c).tail(n - r).cwiseAbs().maxCoeff(&row);
    if (pivot < 1e-4) continue;
    rest.row(r).swap(rest.row(r + row));
    rest.row(r) /= rest(r, c);
    for (Index i = 0; i < n; ++i) {
      if (i != r) rest.row(i) -= (rest(i, c) * rest.row(r)).eval();
    }
    ++r;
  }
  return rest.topRows(r);
}

/// "2", "1/2"; nothing where it is no simple number.
std::optional<std::string> simple(double x) {
  for (const int below : {1, 2, 3}) {
    const double above = std::round(x * below);
    if (std::abs(x * below - above) > kWhole * below || std::abs(above) > 6) continue;
    return below == 1 ? fmt::format("{}", above) : fmt::format("({}/{})", above, below);
  }
  return std::nullopt;
}

struct Text {
  std::string text;
  bool isSimple = true;
};

/// "m*L^2/c" of exponents, "a - 2*b" of factors.
Text combination(const VectorXd& row, const std::vector<std::string>& names, bool product) {
  Text t;
  for (Index i = 0; i < row.size(); ++i) {
    if (std::abs(row[i]) < kWhole) continue;
    const bool minus = row[i] < 0;
    const double size = std::abs(row[i]);
    const auto number = simple(size);
    t.isSimple = t.isSimple && number.has_value();
    const std::string shown = number.value_or(fmt::format("{:.3g}", size));
    const bool one = shown == "1";
    if (product) {
      t.text += t.text.empty() ? (minus ? "1/" : "") : (minus ? "/" : "*");
      t.text += names[i] + (one ? "" : "^" + shown);
    } else {
      t.text += t.text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
      t.text += (one ? "" : shown + "*") + names[i];
    }
  }
  return t;
}

std::string list(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  return text;
}

}  // namespace

ToldApart::ToldApart(const MatrixXd& J, const VectorXd& x, const VectorXd& sizes,
                     const std::vector<std::string>& names, double error)
    : isDetermined(names.size(), true), names_(names), x_(x) {
  const Index n = x.size();
  inverse = MatrixXd::Zero(n, n);
  if (n == 0) return;
  const VectorXd norms = J.colwise().norm();
  // What one parameter does, as a whole, beside the most that any does.
  const VectorXd effects = norms.cwiseProduct(sizes);
  const double least = error * effects.maxCoeff();
  std::vector<Index> known;
  for (Index i = 0; i < n; ++i) {
    if (norms[i] > 0 && effects[i] > 10 * least) {
      known.push_back(i);
      continue;
    }
    isDetermined[i] = false;
    texts.push_back(names[i] + " changes nothing in these signals");
  }
  if (known.empty()) return;
  const Index k = std::ssize(known);
  MatrixXd A(J.rows(), k);
  for (Index c = 0; c < k; ++c) A.col(c) = J.col(known[c]) / norms[known[c]];
  const SingularValues svd(A);
  const double zero = 10 * error * std::sqrt(static_cast<double>(k)) * svd.values[0];
  const Index most = svd.values.size();
  Index rank = 0;
  while (rank < most && svd.values[rank] > zero) ++rank;
  MatrixXd scaled = MatrixXd::Zero(k, k);
  for (Index i = 0; i < rank; ++i)
    scaled += svd.V.col(i) * svd.V.col(i).transpose() / (svd.values[i] * svd.values[i]);
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b)
      inverse(known[a], known[b]) = scaled(a, b) / (norms[known[a]] * norms[known[b]]);
  }
  if (rank == k) return;
  // V may be thin where there are fewer residuals than parameters: what is left is the complement.
  const MatrixXd told = svd.V.leftCols(rank);
  const SingularValues left(MatrixXd::Identity(k, k) - told * told.transpose());
  const MatrixXd null = left.U.leftCols(k - rank);
  for (Index c = 0; c < k; ++c) {
    if (null.row(c).norm() < kPart) continue;
    members_.push_back(known[c]);
    isDetermined[known[c]] = false;
  }
  open_.resize(std::ssize(members_), k - rank);
  Index row = 0;
  for (Index c = 0; c < k; ++c) {
    if (null.row(c).norm() >= kPart) open_.row(row++) = null.row(c) / norms[known[c]];
  }
}

void ToldApart::tell(const MatrixXd& there, const VectorXd& y) {
  if (!isOpen()) return;
  const Index p = open_.rows();
  std::vector<std::string> members;
  VectorXd here(p), other(p);
  MatrixXd J(there.rows(), p);
  for (Index i = 0; i < p; ++i) {
    members.push_back(names_[members_[i]]);
    here[i] = x_[members_[i]];
    other[i] = y[members_[i]];
    J.col(i) = there.col(members_[i]);
  }
  MatrixXd logarithmic = open_;
  bool hasLogarithms = true;
  for (Index i = 0; i < p; ++i) {
    hasLogarithms = hasLogarithms && here[i] != 0 && other[i] != 0;
    logarithmic.row(i) /= here[i];
  }
  // The same direction, of logarithms or of the numbers, changes nothing at the other point either.
  const double ofSums = (J * open_).norm() / (J.cwiseAbs() * open_.cwiseAbs()).norm();
  const MatrixXd back = other.asDiagonal() * logarithmic;
  const double ofProducts =
      hasLogarithms ? (J * back).norm() / (J.cwiseAbs() * back.cwiseAbs()).norm() : INFINITY;
  const bool product = ofProducts <= ofSums;
  const MatrixXd rows = invariants(product ? logarithmic : open_);
  std::vector<std::string> told;
  for (Index r = 0; r < rows.rows(); ++r) {
    const Text t = combination(rows.row(r), members, product);
    told.push_back(t.isSimple ? t.text : "about " + t.text);
  }
  texts.push_back(told.empty()
                      ? "nothing can be told of " + list(members, " and ") + " from these signals"
                      : "only " + list(told, " and ") + " can be told from these signals, not " +
                            list(members, " and "));
}

}  // namespace cardan
