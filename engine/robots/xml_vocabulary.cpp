#include "engine/robots/xml_vocabulary.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <sstream>

#include "engine/robots/xml_document.h"

namespace cardan {
namespace {

using Element = XmlVocabulary::Element;
using Attribute = XmlVocabulary::Attribute;
using Fate = XmlVocabulary::Fate;

bool isMark(const std::string& word) {
  return word.size() == 1 && std::string_view("+-!x").find(word[0]) != std::string_view::npos;
}

std::string restOf(std::istream& in) {
  std::string rest;
  std::getline(in >> std::ws, rest);
  return rest;
}

/// A line at the margin: an element for each of its tags.
std::vector<Element> elementsIn(const std::string& line) {
  const size_t colon = line.find(':');
  assert(colon != std::string::npos);
  std::istringstream names(line.substr(0, colon)), rest(line.substr(colon + 1));
  std::vector<Element> found;
  Element common;
  std::string word;
  while (names >> word) {
    if (word == "as") {
      names >> common.kind;
    } else if (word[0] == '(') {
      common.inside = word.substr(1, word.size() - 2);
    } else {
      found.emplace_back().tag = word;
    }
  }
  while (rest >> word) {
    if (isMark(word)) {
      common.fate = static_cast<Fate>(word[0]);
      common.text = restOf(rest);
    } else {
      common.around.push_back(word);
    }
  }
  for (Element& e : found) {
    const std::string tag = e.tag;
    e = common;
    e.tag = tag;
    if (e.kind.empty()) e.kind = tag;
    if (e.inside.empty()) e.inside = e.kind;
  }
  return found;
}

void addAttributes(Element& e, const std::string& line, const std::vector<Element>& all) {
  const size_t bar = std::min(line.find('|'), line.size());
  std::istringstream words(line.substr(0, bar)), text(line.substr(std::min(bar + 1, line.size())));
  std::string mark, word;
  words >> mark;
  e.isOpen = e.isOpen || mark == "*";
  if (mark == "=") {
    words >> word;
    const auto other = std::ranges::find(all, word, &Element::kind);
    assert(other != all.end());
    e.attributes.insert(e.attributes.end(), other->attributes.begin(), other->attributes.end());
    return;
  }
  const std::string why = restOf(text);
  while (words >> word) {
    const size_t equals = std::min(word.find('='), word.size());
    e.attributes.push_back({word.substr(0, equals), static_cast<Fate>(mark[0]),
                            word.substr(std::min(equals + 1, word.size())), why});
  }
}

/// Numbers that are all zero, or the value that is known to do nothing.
bool isHarmless(const std::string& value, const Attribute& known) {
  if (!known.harmless.empty()) return value == known.harmless;
  std::istringstream in(value);
  std::string word;
  while (in >> word) {
    double x = 1;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), x).ptr;
    if (x != 0 || end != word.data() + word.size()) return false;
  }
  return true;
}

/// What one element after the other is asked.
class Check {
 public:
  Check(const XmlVocabulary& vocabulary, XmlVocabulary::Unknown unknown, ImportReport& report,
        Diagnostics& diagnostics)
      : vocabulary_(vocabulary), unknown_(unknown), report_(report), diagnostics_(diagnostics) {}

  /// `isLeft`: with what is around it.
  void visit(const XmlElement& e, const Element& known, const std::string& around, bool isLeft) {
    std::string owner = around;
    for (const char* key : {"reference", "name"}) {
      if (const XmlAttribute* a = e.attribute(key)) owner = a->value;
    }
    const bool isLost = known.fate == Fate::lost && !isLeft;
    if ((known.fate == Fate::idle || isLost) && !isLeft)
      report_.ignore(e, e.name, owner, known.text);
    isLeft = isLeft || known.fate != Fate::read;
    if (isLost) report_.warn(owner, e.mark(), "<" + e.name + "> is left out: " + known.text);
    if (known.fate == Fate::refused)
      diagnostics_.error(e.mark(), "<" + e.name + "> is not supported: " + known.text,
                         ErrorKind::unsupported);
    for (const XmlAttribute& a : e.attributes) checkAttribute(e, a, known, owner, isLeft);
    for (const XmlElement& c : e.children) {
      const Element* inner = vocabulary_.element(c.name, known.inside);
      if (inner) {
        visit(c, *inner, owner, isLeft);
      } else if (!known.isOpen && c.name.find(':') == std::string::npos) {
        refuse(c.mark(), "<" + e.name + "> has no element <" + c.name + ">",
               didYouMean(c.name, tagsIn(known)), owner);
        if (!isLeft) report_.ignore(c, c.name, owner, "its name means nothing here");
      }
    }
  }

 private:
  void checkAttribute(const XmlElement& e, const XmlAttribute& a, const Element& known,
                      const std::string& owner, bool isLeft) {
    const Attribute* attribute = known.attribute(a.name);
    if (!attribute) {
      // Namespaces, and names out of them, are of other programs.
      if (known.isOpen || a.name.starts_with("xmlns") || a.name.find(':') != std::string::npos)
        return;
      std::vector<std::string> names;
      for (const Attribute& k : known.attributes) names.push_back(k.name);
      refuse(e.mark(a), "<" + e.name + "> has no attribute '" + a.name + "'",
             didYouMean(a.name, names), owner);
      report_.leaveOut(e, a.name, owner, "its name means nothing here");
    } else if (attribute->fate == Fate::lost && !isLeft && !isHarmless(a.value, *attribute)) {
      report_.leaveOut(e, a.name, owner, attribute->text);
      report_.warn(owner, e.mark(a),
                   "'" + a.name + "' of <" + e.name + "> is left out: " + attribute->text);
    }
  }

  void refuse(const SourceMark& at, const std::string& rule, const std::string& hint,
              const std::string& owner) {
    using Unknown = XmlVocabulary::Unknown;
    if (unknown_ == Unknown::refused || (unknown_ == Unknown::refusedIfClose && !hint.empty())) {
      diagnostics_.error(at, rule + (hint.empty() ? "; --allow-unknown leaves it out" : hint));
    } else {
      report_.warn(owner, at, rule + "; it is left out");
    }
  }

  std::vector<std::string> tagsIn(const Element& known) const {
    std::vector<std::string> tags;
    for (const Element& k : vocabulary_.elements()) {
      if (std::ranges::find(k.around, known.inside) != k.around.end()) tags.push_back(k.tag);
    }
    return tags;
  }

  const XmlVocabulary& vocabulary_;
  XmlVocabulary::Unknown unknown_;
  ImportReport& report_;
  Diagnostics& diagnostics_;
};

}  // namespace

const Attribute* Element::attribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

XmlVocabulary::XmlVocabulary(std::string_view table) {
  std::istringstream lines{std::string(table)};
  std::string line;
  size_t first = 0;  // of the elements that the line at the margin named
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      first = elements_.size();
      for (Element& e : elementsIn(line)) elements_.push_back(std::move(e));
    } else {
      for (size_t k = first; k < elements_.size(); ++k)
        addAttributes(elements_[k], line, elements_);
    }
  }
}

const Element* XmlVocabulary::element(std::string_view tag, std::string_view kind) const {
  for (const Element& e : elements_) {
    if (e.tag != tag) continue;
    if (kind.empty() ? e.around.empty() : std::ranges::find(e.around, kind) != e.around.end())
      return &e;
  }
  return nullptr;
}

void XmlVocabulary::check(const XmlElement& root, Unknown unknown, ImportReport& report,
                          Diagnostics& diagnostics) const {
  const Element* known = element(root.name, "");
  assert(known);
  Check(*this, unknown, report, diagnostics).visit(root, *known, "", false);
}

}  // namespace cardan
