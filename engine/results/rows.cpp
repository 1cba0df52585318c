#include "engine/results/rows.h"

#include <stdexcept>

namespace cardan {

void Trajectory::begin(const std::vector<Column>& columns) {
  columns_ = columns;
  time_.clear();
  values_.assign(columns.size(), {});
}

void Trajectory::row(double time, std::span<const double> values) {
  time_.push_back(time);
  for (size_t i = 0; i < values.size(); ++i) values_[i].push_back(values[i]);
}

const std::vector<double>& Trajectory::operator[](const std::string& name) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return values_[i];
  }
  throw std::out_of_range("no column '" + name + "' in the result");
}

}  // namespace cardan
