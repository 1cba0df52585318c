/// MotionTable: the motion of some coordinates over time, from a result file.
#pragma once

#include <string>
#include <vector>

#include "engine/results/result_table.h"

namespace cardan {

/// Positions, velocities and accelerations at the rows of the file. What the file does not give is
/// the derivative of a spline through what it gives: a velocity that of one through the positions,
/// an acceleration that of one through the velocities. Two rows of one time end one piece of the
/// splines and begin another.
class MotionTable {
 public:
  struct Coordinate {
    std::vector<double> q, v, a;
  };

  /// `path`: the name of the table in messages.
  explicit MotionTable(ResultTable table, std::string path = "")
      : table_(std::move(table)), path_(std::move(path)) {}

  const std::vector<double>& time() const { return table_.time; }  ///< [s]
  const std::vector<std::string>& names() const { return table_.names(); }
  bool has(const std::string& column) const { return table_.find(column) != nullptr; }
  /// Pre: has(position); the other columns need not be there. Throws as column() does.
  Coordinate coordinate(const std::string& position, const std::string& velocity,
                        const std::string& acceleration) const;
  /// Pre: has(name). Throws ResultFileError where a value of it is infinite or no number.
  const std::vector<double>& column(const std::string& name) const;
  /// Slopes of splines through values at the rows.
  std::vector<double> slopes(const std::vector<double>& values) const;

 private:
  ResultTable table_;
  std::string path_;
};

/// Slopes at t_i of the cubic spline through (t_i, x_i), whose ends have those of the cubics through
/// the first and the last four points. Error: of the fourth order of the distance, at the ends of
/// the third. Pre: t rises
std::vector<double> splineSlopes(const std::vector<double>& t, const std::vector<double>& x);

}  // namespace cardan
