/// ParameterText: the values of all parameters of a model as a JSON object, written straight into a
/// text: a large model has hundreds of thousands of them.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/model_file/parameter_table.h"

namespace cardan {

class Model;

class ParameterText {
 public:
  explicit ParameterText(const Model& model);

  /// Appends the object, the value of a key at the top: members are four blanks further in. Names
  /// and texts are made UTF-8.
  void append(std::string& text);

 private:
  using Published = ParameterTable::Published;
  /// What is written of a value that components have in common.
  struct Member {
    int key = 0;        ///< number of its key
    std::string after;  ///< the rest of the key, and the value
  };

  void begin(std::string& text);
  void appendOwn(std::string& text);
  void appendComponent(const std::string& name, const std::vector<const Published*>& values,
                       std::string& text);
  const Member& memberOf(const Published& value);

  const Model& model_;
  bool first_ = true;
  std::vector<std::string> found_;              ///< by the start, in their order
  std::map<std::string, double> valueOfFound_;  ///< those that are not written yet
  std::unordered_map<const Published*, Member> members_;
  std::unordered_map<std::string, int> numberOfKey_;
  // Of the component at hand
  std::vector<const Member*> component_;
  std::vector<const Member*> last_;  ///< per key: its last value
};

}  // namespace cardan
