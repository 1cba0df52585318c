/// Values of a model file, each at a place in the file that it comes from.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/imported_model.h"
#include "frames/algebra.h"

namespace cardan::robots {

/// The shortest decimals that read back as the same double.
YamlNode valueOf(double x, const SourceMark& at);
YamlNode valueOf(const Vector3d& v, const SourceMark& at);
YamlNode wordOf(const std::string& word, const SourceMark& at);

/// To 15 digits of the largest: what a computation leaves beyond them is its rounding.
double rounded(double x, double largest, int digits = 15);
inline double rounded(double x) { return rounded(x, x); }
Vector3d rounded(const Vector3d& v);
Matrix3d rounded(const Matrix3d& m);

/// The arguments of a component, put together one by one.
class ArgumentList {
 public:
  explicit ArgumentList(const SourceMark& at) : at_(at), map_(emptyMap(at)) {}

  template <class Value>
  ArgumentList& add(const std::string& key, const Value& value) {
    addEntry(map_, key, valueOf(value, at_), at_);
    return *this;
  }
  ArgumentList& addWord(const std::string& key, const std::string& word) {
    addEntry(map_, key, wordOf(word, at_), at_);
    return *this;
  }
  ArgumentList& addNode(const std::string& key, YamlNode value) {
    addEntry(map_, key, std::move(value), at_);
    return *this;
  }
  /// key: {fixed: true}
  ArgumentList& addFixed(const std::string& key) {
    return addNode(key, ArgumentList(at_).addWord("fixed", "true").map());
  }
  const SourceMark& at() const { return at_; }
  const YamlNode& map() const { return map_; }

 private:
  SourceMark at_;
  YamlNode map_;
};

}  // namespace cardan::robots
