#include "apps/cardan/class_comments.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "engine/text/joined.h"

namespace cardan {
namespace {

/// "class Revolute final : ..." -> "Revolute"
std::string firstWordBehind(const std::string& line, const std::string& keyword) {
  const size_t from = keyword.size();
  return line.substr(from, line.find_first_of(" <;:{", from) - from);
}

/// "a::b<c>" -> "a::b"
std::string withoutArguments(const std::string& name) { return name.substr(0, name.find('<')); }

/// The first template argument of a name, "" if it has none.
std::string firstArgument(const std::string& name) {
  const size_t open = name.find('<');
  if (open == std::string::npos) return "";
  const std::string argument = name.substr(open + 1, name.find_first_of(",>", open) - open - 1);
  return withoutArguments(std::string(trimmed(argument)));
}

/// A row with its name in front: "Equations  der(phi) = w".
bool beginsTable(const std::string& line) {
  size_t i = 0;
  while (i < line.size() && std::isalpha(static_cast<unsigned char>(line[i]))) ++i;
  return i > 0 && line.compare(i, 2, "  ") == 0;
}

}  // namespace

ClassComments::ClassComments(std::string_view source) {
  std::istringstream in{std::string(source)};
  for (std::string line; std::getline(in, line);) readLine(line);
}

void ClassComments::readLine(const std::string& line) {
  const auto scoped = [this](const std::string& name) {
    return scope_.empty() ? name : scope_ + "::" + name;
  };
  if (line.starts_with("///")) {
    block_.push_back(line.size() > 4 ? line.substr(4) : "");
    return;
  }
  if (line.starts_with("template ")) return;  // between a comment and its class
  for (const std::string keyword : {"class ", "struct "}) {
    if (line.starts_with(keyword) && !block_.empty())
      comments_[scoped(firstWordBehind(line, keyword))] = block_;
  }
  const std::string space = "namespace cardan";
  if (line.starts_with(space)) {
    const size_t at = space.size();
    scope_ = line.compare(at, 2, "::") == 0 ? line.substr(at + 2, line.find(' ', at) - at - 2) : "";
  } else if (line.starts_with("using ")) {
    const size_t equals = line.find(" = "), end = line.rfind(';');
    if (equals != std::string::npos) {
      aliases_[scoped(line.substr(6, equals - 6))] = line.substr(equals + 3, end - equals - 3);
    } else if (const size_t last = line.rfind("::"); last != std::string::npos) {
      aliases_[scoped(line.substr(last + 2, end - last - 2))] = line.substr(6, end - 6);
    }
  } else if (const size_t entry = line.find("entry<"); entry != std::string::npos) {
    const size_t behind = line.find(">(\"", entry);
    if (behind == std::string::npos) return;
    const size_t quote = behind + 3;
    classOfType_[line.substr(quote, line.find('"', quote) - quote)] = {
        line.substr(entry + 6, behind - entry - 6), scope_};
  }
  block_.clear();
}

std::string ClassComments::find(const std::string& name, const std::string& scope) const {
  const std::string plain = withoutArguments(name);
  const std::string inside = scope.empty() ? plain : scope + "::" + plain;
  for (const std::string& n : {inside, plain}) {
    if (comments_.contains(n) || aliases_.contains(n)) return n;
  }
  return "";
}

ClassComment ClassComments::of(const std::string& type) const {
  ClassComment result;
  const auto entry = classOfType_.find(type);
  if (entry == classOfType_.end()) return result;
  auto [name, at] = entry->second;
  at += "::";
  const std::vector<std::string>* comment = nullptr;
  // Through the aliases; a law that a shell is filled with says more than the shell, an axis does not.
  for (int depth = 0; depth < 5 && !comment; ++depth) {
    const std::string scope =
        at.substr(0, at.rfind("::") == std::string::npos ? 0 : at.rfind("::"));
    const std::string argument = firstArgument(name);
    const bool isLaw = !argument.empty() && !argument.ends_with("Axis");
    const std::string law = isLaw ? find(argument, scope) : "";
    at = find(name, scope);
    const auto found = comments_.find(comments_.contains(law) ? law : at);
    if (found != comments_.end()) {
      comment = &found->second;
      result.generic = found->first.starts_with("one_dimensional::");
    } else if (const auto alias = aliases_.find(at); alias != aliases_.end()) {
      name = alias->second;
    }
  }
  if (!comment) return result;
  for (const std::string& line : *comment) {
    if (line.empty() && !result.lines.empty()) break;  // what follows is for readers of the code
    if (!result.lines.empty() || beginsTable(line)) {
      result.lines.push_back(line);
    } else if (!line.empty()) {
      result.text += (result.text.empty() ? "" : " ") + line;
    }
  }
  return result;
}

}  // namespace cardan
