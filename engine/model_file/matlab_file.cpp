#include "engine/model_file/matlab_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace cardan {
namespace {

constexpr std::array<size_t, 8> kBytes{8, 4, 4, 2, 2, 1, 1, 4};  // of a number, by type
constexpr int kTypesOfLevel4 = 6;
/// Types of level 5 as those of kBytes, -1: others.
constexpr std::array kTypesOfLevel5{-1, 6, 5, 3, 4, 2, 7, 1, -1, 0};
constexpr size_t kHeaderBytes = 20, kHeaderOfLevel5 = 128;

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
    const bool isIt = code >= 0 && code / 10 < kTypesOfLevel4 && code % 10 <= 2 &&
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

bool isLevel5(std::string_view bytes) {
  using namespace std::string_view_literals;
  const std::string_view version =
      bytes.size() < kHeaderOfLevel5 ? "" : bytes.substr(kHeaderOfLevel5 - 4, 4);
  return version == "\0\1IM"sv || version == "\1\0MI"sv;
}

/// A type and bytes; few ones stand in the place of their length.
/// Source  MathWorks, MAT-File Format: level 5
struct MatlabElement {
  std::uint32_t type = 0;
  std::string_view bytes;
};

/// The first one of `rest`, which goes on behind it; nothing where the bytes end before it does.
std::optional<MatlabElement> takeElement(std::string_view& rest, bool isBig) {
  constexpr size_t kAlignment = 8;
  if (rest.size() < kAlignment) return std::nullopt;
  const auto word = numberIn<std::uint32_t>(rest, isBig);
  const bool isSmall = word >> 16 != 0;
  const size_t head = isSmall ? 4 : kAlignment;
  const size_t size = isSmall ? word >> 16 : numberIn<std::uint32_t>(rest.substr(4), isBig);
  if (size > (isSmall ? 4 : rest.size() - head)) return std::nullopt;
  const MatlabElement e{word & 0xffff, rest.substr(head, size)};
  const size_t whole = (head + size + kAlignment - 1) / kAlignment * kAlignment;
  rest.remove_prefix(std::min(whole, rest.size()));
  return e;
}

std::vector<MatlabMatrix> matricesOfLevel5(std::string_view bytes, std::string& error) {
  constexpr std::uint32_t kMatrix = 14, kCompressed = 15, kFirstOfNumbers = 6, kLastOfNumbers = 13,
                          kComplex = 0x800;
  std::vector<MatlabMatrix> all;
  const bool isBig = bytes[kHeaderOfLevel5 - 2] == 'M';
  bytes.remove_prefix(kHeaderOfLevel5);
  for (int i = 1; !bytes.empty(); ++i) {
    const std::string number = "element " + std::to_string(i) + " of the file";
    const auto e = takeElement(bytes, isBig);
    if (e && e->type == kCompressed) {
      error = number + " is compressed, which is not read; save the file with '-v6'";
      return all;
    }
    if (e && e->type != kMatrix) continue;
    std::string_view inside = e ? e->bytes : "";
    const auto flags = takeElement(inside, isBig), sizes = takeElement(inside, isBig),
               name = takeElement(inside, isBig), numbers = takeElement(inside, isBig);
    if (!flags || !sizes || !name || flags->bytes.size() < 4) {
      error = number + " must be a matrix, found the end of it";
      return all;
    }
    const auto kind = numberIn<std::uint32_t>(flags->bytes, isBig);
    const bool isFull = (kind & 0xff) >= kFirstOfNumbers && (kind & 0xff) <= kLastOfNumbers &&
                        (kind & kComplex) == 0 && sizes->bytes.size() == 8;
    const int type =
        numbers && numbers->type < kTypesOfLevel5.size() ? kTypesOfLevel5[numbers->type] : -1;
    if (!isFull || type < 0) continue;
    const MatlabMatrix m{std::string(name->bytes),
                         numberIn<std::int32_t>(sizes->bytes, isBig),
                         numberIn<std::int32_t>(sizes->bytes.substr(4), isBig),
                         type,
                         isBig,
                         numbers->bytes};
    if (m.rows < 0 || m.columns < 0 ||
        double(m.rows) * double(m.columns) * double(kBytes[type]) != double(m.numbers.size())) {
      error = number + " must have " + std::to_string(m.rows) + " x " + std::to_string(m.columns) +
              " numbers, found " + std::to_string(m.numbers.size()) + " bytes";
      return all;
    }
    all.push_back(m);
  }
  return all;
}

}  // namespace

Eigen::MatrixXd MatlabMatrix::values() const {
  Eigen::MatrixXd result(rows, columns);
  constexpr std::array kFill{fill<double>,       fill<float>,         fill<std::int32_t>,
                             fill<std::int16_t>, fill<std::uint16_t>, fill<std::uint8_t>,
                             fill<std::int8_t>,  fill<std::uint32_t>};
  kFill.at(type)(result, *this);
  return result;
}

bool isMatlabFile(std::string_view bytes) { return headerOf(bytes) || isLevel5(bytes); }

std::vector<MatlabMatrix> matlabMatrices(std::string_view bytes, std::string& error) {
  if (isLevel5(bytes)) return matricesOfLevel5(bytes, error);
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
