/// Located messages for the author of a model file, collected so that all errors come in one go.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// A place in a model file; line and column are 1-based, 0 where unknown.
struct SourceMark {
  std::string file;
  int line = 0;
  int column = 0;

  /// So many characters further on, where the place is known.
  SourceMark behind(size_t characters) const {
    return {file, line, line > 0 ? column + static_cast<int>(characters) : column};
  }
};

enum class Severity { error, warning, note };

/// What an error is about, where somebody has to know.
enum class ErrorKind {
  general,
  unsupported,  ///< right in Modelica, but not among what this program can do
};

struct Diagnostic {
  Severity severity = Severity::error;
  SourceMark at;
  std::string text;
  ErrorKind kind = ErrorKind::general;

  /// `file:line:col: error: text`
  std::string format() const;
};

/// Collects diagnostics in the order of their discovery; a note belongs to the message before it.
class Diagnostics {
 public:
  void error(const SourceMark& at, std::string text, ErrorKind kind = ErrorKind::general);
  void warning(const SourceMark& at, std::string text);
  void note(const SourceMark& at, std::string text);

  /// Takes over all messages of another collection.
  void add(const Diagnostics& others);

  int errorCount() const { return errors_; }
  /// Errors are few so far: a text that takes a look at all names of the model is worth its time.
  bool areFew() const { return errors_ < kFewErrors; }
  /// didYouMean() of the names that `known()` gives; "", and nobody is asked, once errors are many.
  template <class Names>
  std::string suggestion(std::string_view name, Names known) const;
  const std::vector<Diagnostic>& all() const { return all_; }
  /// All messages, a line each.
  std::string format() const;
  /// Throws ModelError with all messages, sorted by place, if there is an error.
  void throwIfErrors() const;

 private:
  static constexpr int kFewErrors = 20;

  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

/// The model or its file is wrong: what() holds every message, a line each. Exit code 2.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(Diagnostics diagnostics);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

/// "; did you mean 'x'?" for the closest of `known` (edit distance, also other case), else "".
std::string didYouMean(std::string_view name, const std::vector<std::string>& known);

template <class Names>
std::string Diagnostics::suggestion(std::string_view name, Names known) const {
  return areFew() ? didYouMean(name, known()) : "";
}

/// "; did you mean 'x'? LIST", or "; LIST" where nothing is close: what there is stands behind.
std::string didYouMean(std::string_view name, const std::vector<std::string>& known,
                       const std::string& list);

}  // namespace cardan
