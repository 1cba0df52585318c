/// Matrices of numbers in MATLAB's files of levels 4 and 5, without those that are compressed.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// A full matrix of real numbers, as it lies in the file.
struct MatlabMatrix {
  std::string name;
  Eigen::Index rows = 0, columns = 0;
  /// Of its numbers: 0 double, 1 single, 2 int32, 3 int16, 4 uint16, 5 uint8, 6 int8, 7 uint32.
  int type = 0;
  bool isBig = false;        ///< the first byte of a number counts most
  std::string_view numbers;  ///< bytes, column by column

  Eigen::MatrixXd values() const;
};

/// True of bytes that begin as a file of these levels does.
bool isMatlabFile(std::string_view bytes);
/// Its matrices, which name the bytes; texts, structures, sparse and complex ones are left out. `error`: what is wrong, where
/// not all could be read.
std::vector<MatlabMatrix> matlabMatrices(std::string_view bytes, std::string& error);

}  // namespace cardan
