/// Matrices of numbers in MATLAB's files of level 4.
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
  int type = 0;        ///< of its numbers: 0 double, 1 single, 2 int32, 3 int16, 4 uint16, 5 uint8
  bool isBig = false;  ///< the first byte of a number counts most
  std::string_view numbers;  ///< bytes, column by column

  Eigen::MatrixXd values() const;
};

/// True of bytes that begin as a file of level 4 does.
bool isMatlabFile(std::string_view bytes);
/// Its matrices, which name the bytes; texts, sparse and complex ones are left out. `error`: what is wrong, where
/// not all could be read.
std::vector<MatlabMatrix> matlabMatrices(std::string_view bytes, std::string& error);

}  // namespace cardan
