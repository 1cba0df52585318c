#include "engine/urdf/model_values.h"

#include "engine/expression/value.h"

namespace cardan::urdf {

YamlNode valueOf(double x, const SourceMark& at) {
  return textNode(formatNumber(x == 0 ? 0.0 : x), at);  // no negative zero
}

YamlNode valueOf(const Vector3d& v, const SourceMark& at) {
  return listOf({valueOf(v[0], at), valueOf(v[1], at), valueOf(v[2], at)}, at);
}

YamlNode listOf(std::vector<YamlNode> items, const SourceMark& at) {
  YamlNode list = emptyMap(at);
  list.kind = YamlNode::Kind::sequence;
  list.items = std::move(items);
  return list;
}

YamlNode wordOf(const std::string& word, const SourceMark& at) { return textNode(word, at); }

}  // namespace cardan::urdf
