#include "engine/robots/import_report.h"

#include "engine/robots/xml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cardan {
namespace {

/// The name that an element has, or that of the one around it.
std::string ownerOf(const XmlElement& element, const std::string& around) {
  for (const char* key : {"name", "reference"}) {
    if (const XmlAttribute* a = element.attribute(key)) return a->value;
  }
  return around;
}

std::string counted(int n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

nlohmann::ordered_json entriesAsJson(const std::vector<ImportReport::Entry>& entries) {
  auto list = nlohmann::ordered_json::array();
  for (const ImportReport::Entry& e : entries) {
    nlohmann::ordered_json item{{"what", e.what}, {"name", e.name}, {"line", e.line}};
    if (!e.reason.empty()) item["reason"] = e.reason;
    list.push_back(std::move(item));
  }
  return list;
}

nlohmann::ordered_json namesAsJson(const ImportReport::Names& names) {
  auto map = nlohmann::ordered_json::object();
  for (const auto& [inFile, inModel] : names) map[inFile] = inModel;
  return map;
}

}  // namespace

void ImportReport::convert(const XmlElement& element, std::string what, std::string name) {
  use(element);
  converted_.push_back({std::move(what), std::move(name), element.line, ""});
}

void ImportReport::ignore(const XmlElement& element, std::string what, std::string name,
                          std::string reason) {
  isUsed_[&element] = false;
  leaveOut(element, std::move(what), std::move(name), std::move(reason));
}

void ImportReport::leaveOut(const XmlElement& element, std::string what, std::string name,
                            std::string reason) {
  notConverted_.push_back({std::move(what), std::move(name), element.line, std::move(reason)});
}

void ImportReport::warn(std::string name, const SourceMark& at, std::string text) {
  warnings_.push_back({std::move(name), at, std::move(text)});
}

void ImportReport::finish(const XmlElement& root, const std::string& reason) {
  tags_.clear();
  count(root, false, "", reason);
  std::ranges::stable_sort(converted_, {}, &Entry::line);
  std::ranges::stable_sort(notConverted_, {}, &Entry::line);
}

void ImportReport::count(const XmlElement& element, bool ignored, const std::string& owner,
                         const std::string& reason) {
  const std::string name = ownerOf(element, owner);
  if (!ignored) {
    const auto found = isUsed_.find(&element);
    if (found == isUsed_.end()) leaveOut(element, element.name, name, reason);
    ignored = found == isUsed_.end() || !found->second;
  }
  Count& n = tags_[element.name];
  ++(ignored ? n.ignored : n.converted);
  if (!ignored && !element.text.empty())
    leaveOut(element, "text", name, "words between the tags mean nothing");
  for (const XmlElement& child : element.children) count(child, ignored, name, reason);
}

std::string ImportReport::text() const {
  int moving = 0, all = 0;
  std::string types;
  for (const auto& [type, n] : joints) {
    all += n;
    if (type != "fixed") moving += n;
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", n, type);
  }
  std::string text = fmt::format("{}: {}, {}{}, {:.6g} kg\n", robot.empty() ? "robot" : robot,
                                 counted(links, "link"), counted(all, "joint"),
                                 all > 0 ? " (" + types + ")" : "", mass);
  const auto list = [&](const char* title, const std::vector<Entry>& entries) {
    std::vector<std::pair<const Entry*, int>> groups;  // the first of each, and how many there are
    for (const Entry& e : entries) {
      const auto same = std::ranges::find_if(groups, [&](const auto& g) {
        return g.first->what == e.what && g.first->reason == e.reason;
      });
      if (same == groups.end()) {
        groups.emplace_back(&e, 1);
      } else {
        ++same->second;
      }
    }
    if (!groups.empty()) text += title;
    for (const auto& [first, n] : groups) {
      text += fmt::format("  {:>4} {}", n, first->what);
      if (!first->reason.empty())
        text += fmt::format(": {} ({}line {})", first->reason, n > 1 ? "first: " : "", first->line);
      text += '\n';
    }
  };
  list("converted:\n", converted_);
  list("not converted:\n", notConverted_);
  std::string renamed;
  int changes = 0;
  for (const Names* names : {&linkNames, &jointNames}) {
    for (const auto& [inFile, inModel] : *names) {
      if (inFile == inModel) continue;
      if (++changes <= 5)
        renamed += fmt::format("{}'{}' is {}", changes > 1 ? ", " : "", inFile, inModel);
    }
  }
  if (changes > 5) renamed += fmt::format(", and {} more", changes - 5);
  if (changes > 0) text += "other names in the model: " + renamed + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

std::string ImportReport::json() const {
  nlohmann::ordered_json report;
  report["robot"] = robot;
  report["links"] = links;
  report["joints"] = joints;
  report["mass"] = mass;
  report["names"] = {{"links", namesAsJson(linkNames)}, {"joints", namesAsJson(jointNames)}};
  if (!merged.empty()) report["merged"] = namesAsJson(merged);
  report["converted"] = entriesAsJson(converted_);
  report["not_converted"] = entriesAsJson(notConverted_);
  auto list = nlohmann::ordered_json::array();
  for (const Warning& w : warnings_)
    list.push_back({{"name", w.name}, {"line", w.at.line}, {"text", w.text}});
  report["warnings"] = std::move(list);
  auto tags = nlohmann::ordered_json::object();
  for (const auto& [tag, n] : tags_)
    tags[tag] = {{"converted", n.converted}, {"ignored", n.ignored}};
  report["tags"] = std::move(tags);
  // A name may hold what is no character.
  return report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace cardan
