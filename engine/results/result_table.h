/// ResultTable: a result as columns over time, from a file of any of the usual tools or from
/// memory.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// A result file cannot be used: which, where, and why ("run.csv:3: error: ...").
class ResultFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Times never fall; two rows of one time are the values before and after an event.
class ResultTable {
 public:
  /// Asks for a column by its name; true: it is read.
  using Wanted = std::function<bool(std::string_view name)>;
  /// What a field without a value is.
  enum class Gaps {
    refused,
    nan,  ///< not a number; so are `NA`, `N/A`, `null` and `-`. A row without a time is passed over
  };

  /// Reads a CSV file as Cardan, Dymola, OpenModelica, FMPy and the Reference-FMUs write it: the
  /// first column is the time; names quoted or not, `a[1,2]` also without quotes; separated by
  /// comma, semicolon (decimal commas then count as points) or tab; LF or CR LF, with or without a
  /// byte order mark; `true` and `false` are 1 and 0. The first of two columns of one name counts. A
  /// time in another unit, as `time [ms]`, is converted.
  /// Without `wanted`, all columns.
  /// Throws ResultFileError.
  static ResultTable read(const std::string& path, const Wanted& wanted = {},
                          Gaps gaps = Gaps::refused);
  /// The same from the text of a file; `path` is its name in messages.
  static ResultTable parse(std::string_view text, const std::string& path,
                           const Wanted& wanted = {}, Gaps gaps = Gaps::refused);

  std::vector<double> time;       ///< [s]
  std::string timeName = "time";  ///< of its column
  std::string twice;              ///< a name that several columns have; "": none
  size_t untimed = 0;             ///< rows that were passed over

  /// Throws ResultFileError where several columns have one name; `path`: of the file.
  void checkNames(const std::string& path) const;
  /// Adds a column; returns its values, to be filled. The reference stays good.
  std::vector<double>& add(const std::string& name);
  const std::vector<std::string>& names() const { return names_; }
  /// Values of the column; null where there is none. Blanks and apostrophes in names do not count.
  const std::vector<double>* find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::deque<std::vector<double>> values_;
  std::map<std::string, size_t, std::less<>> byName_;
};

/// The name without blanks and apostrophes: tools write `a[1, 2]` and `'a'.b` in both ways.
std::string plainName(std::string_view name);

}  // namespace cardan
