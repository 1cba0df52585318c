/// Blocks: parts of a matrix that share no row and no column: one loop among many.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/structure/block_matrix.h"

namespace cardan {

struct Block {
  std::vector<int> rows, columns;  ///< ascending; of a row without elements no columns
};

/// The blocks of A, and of `also` where it has elements of its own (of the same size, or empty); by
/// their first rows. Columns without elements belong to none.
std::vector<Block> blocksOf(const Eigen::Ref<const Eigen::MatrixXd>& A,
                            const Eigen::Ref<const Eigen::MatrixXd>& also = Eigen::MatrixXd());
/// Those within the blocks of A.
std::vector<Block> blocksOf(const BlockMatrix& A, const BlockMatrix* also = nullptr);

}  // namespace cardan
