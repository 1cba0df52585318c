#include "engine/model_file/matlab_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace cardan {
namespace {

constexpr std::array<size_t, 6> kBytes{8, 4, 4, 2, 2, 1};  // of a number, by type
constexpr size_t kHeaderBytes = 20;

template <class T>
T numberIn(std::string_view bytes, bool isBig) {
  std::array<char, sizeof(T)> one;
  std::copy_n(bytes.begin(), sizeof(T), one.begin());
  if (isBig != (std::endian::native == std::endian::big)) std::ranges::reverse(one);
  return std::bit_cast<T>(one);
}

template <class T>
void fill(Eigen::MatrixXd& values, const MatlabMatrix& m) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values.data()[i] = numberIn<T>(m.numbers.substr(i * sizeof(T)), m.isBig);
}

/// Five integers before the name; the first says how numbers are stored, in decimals: machine, 0, type, kind.
/// Source  MathWorks, MAT-File Format: level 4
struct MatlabHeader {
  MatlabMatrix matrix;
  int kind = 0;  ///< 0: full, 1: text, 2: sparse
  bool isComplex = false;
  size_t nameBytes = 0;
};

std::optional<MatlabHeader> headerOf(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  for (const bool isBig : {false, true}) {
    const auto integer = [&](size_t i) {
      return numberIn<std::int32_t>(bytes.substr(4 * i), isBig);
    };
    const int of = isBig ? 1000 : 0, code = integer(0) < of ? -1 : integer(0) - of;
    const bool isIt = code >= 0 && code / 10 < std::ssize(kBytes) && code % 10 <= 2 &&
                      integer(1) >= 0 && integer(2) >= 0 && (integer(3) == 0 || integer(3) == 1) &&
                      integer(4) >= 1;
    if (!isIt) continue;
    return MatlabHeader{{"", integer(1), integer(2), code / 10, isBig, {}},
                        code % 10,
                        integer(3) == 1,
                        static_cast<size_t>(integer(4))};
  }
  return std::nullopt;
}

}  // namespace

Eigen::MatrixXd MatlabMatrix::values() const {
  Eigen::MatrixXd result(rows, columns);
  constexpr std::array kFill{fill<double>,       fill<float>,         fill<std::int32_t>,
                             fill<std::int16_t>, fill<std::uint16_t>, fill<std::uint8_t>};
  kFill.at(type)(result, *this);
  return result;
}

bool isMatlabFile(std::string_view bytes) { return headerOf(bytes).has_value(); }

std::vector<MatlabMatrix> matlabMatrices(std::string_view bytes, std::string& error) {
  std::vector<MatlabMatrix> all;
  for (int i = 1; !bytes.empty(); ++i) {
    std::optional<MatlabHeader> head = headerOf(bytes);
    const std::string number = "matrix " + std::to_string(i) + " of the file";
    if (!head) {
      error = number + " must begin as those of MATLAB's version 4";
      break;
    }
    MatlabMatrix& m = head->matrix;
    bytes.remove_prefix(kHeaderBytes);
    // As doubles: they are compared before anything is as large.
    const double size =
        double(m.rows) * double(m.columns) * double(kBytes[m.type]) * (head->isComplex ? 2 : 1);
    if (double(head->nameBytes) + size > double(bytes.size())) {
      error = number + " must have " + std::to_string(m.rows) + " x " + std::to_string(m.columns) +
              " numbers, found the end of the file";
      break;
    }
    m.name = bytes.substr(0, head->nameBytes - 1);
    m.numbers = bytes.substr(head->nameBytes, static_cast<size_t>(size));
    bytes.remove_prefix(head->nameBytes + m.numbers.size());
    if (head->kind == 0 && !head->isComplex) all.push_back(std::move(m));
  }
  return all;
}

}  // namespace cardan
