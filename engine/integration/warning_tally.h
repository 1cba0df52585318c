/// WarningTally: warnings that would come again and again, each kind told once.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace cardan {

/// A kind keeps its worst case, how often it came, and when first.
class WarningTally {
 public:
  /// `kind`: the same for all that are told together; `text`: of this case; `badness`: the largest is
  /// told, of equal ones the first.
  void add(std::string_view kind, const std::string& text, double t, double badness = 0);
  void clear() { kinds_.clear(); }
  /// A text a kind: "text (first at t = 1 s)", "text (the worst of 3, first at t = 1 s)".
  std::vector<std::string> texts() const;

  auto kept() { return std::tie(kinds_); }

 private:
  struct Kind {
    std::string name, text;
    double badness = 0, first = 0;
    long count = 0;
    auto kept() { return std::tie(name, text, badness, first, count); }
  };
  std::vector<Kind> kinds_;
};

}  // namespace cardan
