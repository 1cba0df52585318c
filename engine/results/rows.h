/// Rows of a result: their columns, who takes them, and a result in memory.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cardan {

/// One column of a result.
struct Column {
  std::string name;
  std::string unit;
  std::string description;
  bool isBoolean = false;
};

/// Receives a result row by row.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(const std::vector<Column>& columns) = 0;
  /// `values`: one per column. Without RunOptions::eventRows a second row of one time takes the place of the
  /// first: an input was set there.
  virtual void row(double time, std::span<const double> values) = 0;
  /// Between the rows before and behind an event where the output grid has none: what changes there.
  virtual void event(const std::vector<std::string>& /*changed*/) {}
  /// False: of the rows on the output grid the first and the last one will do.
  virtual bool wantsGrid() const { return true; }
};

/// Rows for two.
class TwoSinks final : public RowSink {
 public:
  TwoSinks(RowSink& a, RowSink& b) : a_(a), b_(b) {}
  void begin(const std::vector<Column>& columns) override {
    a_.begin(columns);
    b_.begin(columns);
  }
  void row(double time, std::span<const double> values) override {
    a_.row(time, values);
    b_.row(time, values);
  }
  void event(const std::vector<std::string>& changed) override {
    a_.event(changed);
    b_.event(changed);
  }
  bool wantsGrid() const override { return a_.wantsGrid() || b_.wantsGrid(); }

 private:
  RowSink &a_, &b_;
};

/// A result in memory.
class Trajectory final : public RowSink {
 public:
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;

  const std::vector<double>& time() const { return time_; }
  const std::vector<Column>& columns() const { return columns_; }
  /// Values of the column `name`; throws std::out_of_range where there is none.
  const std::vector<double>& operator[](const std::string& name) const;

 private:
  std::vector<Column> columns_;
  std::vector<double> time_;
  std::vector<std::vector<double>> values_;
};

}  // namespace cardan
