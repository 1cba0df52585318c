/// Rows: a trajectory whose columns are found quickly by name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "frames/rotations.h"

namespace cardan::random {

class Rows {
 public:
  explicit Rows(const Trajectory& t) : trajectory_(t) {
    for (const Column& c : t.columns()) columns_[c.name] = &t[c.name];
  }
  size_t size() const { return trajectory_.time().size(); }
  const std::vector<double>& time() const { return trajectory_.time(); }
  bool has(const std::string& name) const { return columns_.contains(name); }
  const std::vector<double>& operator[](const std::string& name) const {
    return *columns_.at(name);
  }
  Vector3d vector(const std::string& name, size_t i) const {
    return {(*this)[name + "[1]"][i], (*this)[name + "[2]"][i], (*this)[name + "[3]"][i]};
  }
  Matrix3d matrix(const std::string& name, size_t i) const {
    Matrix3d T;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c)
        T(r, c) =
            (*this)[name + "[" + std::to_string(r + 1) + "," + std::to_string(c + 1) + "]"][i];
    }
    return T;
  }

 private:
  const Trajectory& trajectory_;
  std::map<std::string, const std::vector<double>*> columns_;
};

}  // namespace cardan::random
