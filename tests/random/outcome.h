/// Outcome: what became of one random case, and the table of all of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cardan::random {

struct Outcome {
  enum class Class {
    completed,     ///< every run reached its end and every judge agrees
    sensitive,     ///< as completed, but small errors grow: compared until they are large
    stopped,       ///< the run, or the start, ended with an error that names its reason
    unfinished,    ///< the limit of computing time was reached; what was there was judged
    disagreement,  ///< runs at different tolerances or steps differ more than their errors explain
    violation,     ///< a row breaks a law: energy, a closed loop, a mode, a condition
    broken,        ///< an error that is no message to the author of a model
    crash,         ///< the process died
    hang           ///< the process was ended from outside
  };

  std::uint64_t seed = 0;
  Class what = Class::completed;
  std::string kind;    ///< of stop, disagreement, violation: the same words for the same reason
  std::string detail;  ///< with names and numbers
  long steps = 0;      ///< of all runs
  double seconds = 0;  ///< of all runs

  /// Nothing that was wrong without a word.
  bool good() const { return what <= Class::unfinished; }
};

const char* word(Outcome::Class c);
/// One line each way: outcomes travel between processes.
std::string serialised(const Outcome& o);
Outcome outcomeOf(const std::string& line);

/// Counts by class and kind, with the first seeds of each.
class OutcomeTable {
 public:
  void add(const Outcome& o);
  std::string format() const;
  long bad() const { return bad_; }

 private:
  struct Row {
    long count = 0;
    std::vector<std::uint64_t> seeds;
  };
  std::map<std::pair<Outcome::Class, std::string>, Row> rows_;
  long total_ = 0, bad_ = 0, steps_ = 0;
};

/// A message without the names and numbers in it, so that equal reasons count as one.
std::string kindOfMessage(const std::string& message);

}  // namespace cardan::random
