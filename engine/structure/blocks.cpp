#include "engine/structure/blocks.h"

#include <algorithm>

#include "engine/structure/union_find.h"

namespace cardan {

std::vector<Block> blocksOf(const Eigen::Ref<const Eigen::MatrixXd>& A,
                            const Eigen::Ref<const Eigen::MatrixXd>& also) {
  const int rows = A.rows(), columns = A.cols();
  UnionFind sets(columns + rows);  // columns, then rows
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (A(i, j) != 0 || (also.size() > 0 && also(i, j) != 0)) sets.unite(j, columns + i);
    }
  }
  std::vector<Block> blocks;
  std::vector<int> blockOf(columns + rows, -1);
  for (int i = 0; i < rows; ++i) {
    int& block = blockOf[sets.find(columns + i)];
    if (block < 0) {
      block = std::ssize(blocks);
      blocks.emplace_back();
    }
    blocks[block].rows.push_back(i);
  }
  for (int j = 0; j < columns; ++j) {
    const int block = blockOf[sets.find(j)];
    if (block >= 0) blocks[block].columns.push_back(j);
  }
  return blocks;
}

std::vector<Block> blocksOf(const BlockMatrix& A, const BlockMatrix* also) {
  std::vector<Block> all;
  for (int s = 0; s < A.blocks(); ++s) {
    for (Block& b : also ? blocksOf(A.block(s), also->block(s)) : blocksOf(A.block(s))) {
      for (int& i : b.rows) i = A.rowsOf(s)[i];
      for (int& j : b.columns) j = A.columnsOf(s)[j];
      all.push_back(std::move(b));
    }
  }
  std::ranges::sort(all, {}, [](const Block& b) { return b.rows.front(); });
  return all;
}

}  // namespace cardan
