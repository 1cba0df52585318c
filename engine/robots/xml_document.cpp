#include "engine/robots/xml_document.h"

#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "engine/text/file_text.h"
#include "engine/text/text_places.h"

namespace cardan {
namespace {

/// What pugixml found wrong.
std::string brokenXml(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_unrecognized_tag:
      return "a tag must begin with '<' and a name";
    case pugi::status_bad_pi:
      return "this '<?' must be closed by '?>'";
    case pugi::status_bad_comment:
      return "this comment must be closed by '-->'";
    case pugi::status_bad_cdata:
      return "this '<![CDATA[' must be closed by ']]>'";
    case pugi::status_bad_doctype:
      return "this '<!DOCTYPE' must be closed by '>'";
    case pugi::status_bad_start_element:
      return "a start tag must be '<name attribute=\"value\">'";
    case pugi::status_bad_attribute:
      return "an attribute must be 'name=\"value\"', with spaces between them";
    case pugi::status_bad_end_element:
      return "an end tag must be '</name>'";
    case pugi::status_end_element_mismatch:
      return "every start tag must have its end tag, and these must not cross";
    case pugi::status_no_document_element:
      return "the file must hold an XML element";
    default:
      return "the file must be an XML document";
  }
}

bool isXmlSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Makes our tree of pugixml's.
class XmlTreeBuilder {
 public:
  XmlTreeBuilder(std::string_view text, const TextPlaces& places, Diagnostics& diagnostics)
      : text_(text), places_(places), diagnostics_(diagnostics) {}

  /// Nothing after an error.
  std::optional<XmlElement> build(const pugi::xml_node& root) {
    XmlElement result = element(root, 1);
    if (failed_) return std::nullopt;
    return result;
  }

 private:
  XmlElement element(const pugi::xml_node& node, int depth) {
    XmlElement e;
    const size_t at = std::max<std::ptrdiff_t>(node.offset_debug(), 1);
    e.name = node.name();
    e.file = places_.path();
    std::tie(e.line, e.column) = places_.place(at - 1);
    if (++elements_ > kMaxXmlElements)
      fail(at - 1,
           "the file must not hold more than " + std::to_string(kMaxXmlElements) + " elements");
    if (depth > kMaxXmlDepth)
      fail(at - 1, "elements must not be nested deeper than " + std::to_string(kMaxXmlDepth));
    if (failed_) return e;
    readAttributes(node, at + e.name.size(), e);
    for (const pugi::xml_node& child : node.children()) {
      if (failed_) break;
      if (child.type() == pugi::node_element) {
        e.children.push_back(element(child, depth + 1));
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        addText(e.text, child.value());
      }
    }
    return e;
  }

  /// pugixml keeps no places of attributes: they are looked for behind the element's name, at `i`.
  void readAttributes(const pugi::xml_node& node, size_t i, XmlElement& e) {
    std::set<std::string_view> names;
    for (const pugi::xml_attribute& a : node.attributes()) {
      while (i < text_.size() && isXmlSpace(text_[i])) ++i;
      const size_t name = i;
      while (i < text_.size() && text_[i] != '"' && text_[i] != '\'') ++i;
      const size_t value = std::min(i + 1, text_.size());
      const auto [line, column] = places_.place(value);
      e.attributes.push_back({a.name(), a.value(), line, column});
      if (!names.insert(a.name()).second)
        diagnostics_.error(places_.mark(name), "attribute '" + std::string(a.name()) + "' of <" +
                                                   e.name + "> is given twice");
      const size_t end = i < text_.size() ? text_.find(text_[i], value) : std::string_view::npos;
      i = end == std::string_view::npos ? text_.size() : end + 1;
    }
    if (names.size() != e.attributes.size()) failed_ = true;
  }

  static void addText(std::string& all, std::string_view more) {
    while (!more.empty() && isXmlSpace(more.front())) more.remove_prefix(1);
    while (!more.empty() && isXmlSpace(more.back())) more.remove_suffix(1);
    if (!all.empty() && !more.empty()) all += ' ';
    all += more;
  }

  void fail(size_t at, std::string text) {
    if (!failed_) diagnostics_.error(places_.mark(at), std::move(text));
    failed_ = true;
  }

  std::string_view text_;
  const TextPlaces& places_;
  Diagnostics& diagnostics_;
  size_t elements_ = 0;
  bool failed_ = false;
};

}  // namespace

const XmlAttribute* XmlElement::attribute(std::string_view attributeName) const {
  const auto found = std::ranges::find(attributes, attributeName, &XmlAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

const XmlElement* XmlElement::child(std::string_view childName) const {
  const auto found = std::ranges::find(children, childName, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

std::optional<XmlElement> parseXml(std::string_view text, const std::string& path,
                                   Diagnostics& diagnostics) {
  if (text.size() > kMaxXmlBytes) {
    diagnostics.error({path, 0, 0}, "the file must not be larger than " +
                                        std::to_string(kMaxXmlBytes / 1'000'000) + " MB");
    return std::nullopt;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const TextPlaces places(text, path);
  if (!checkText(text, places, diagnostics)) return std::nullopt;

  // Bounds the memory before anything is parsed: an element has at most two tags.
  const size_t tags = std::ranges::count(text, '<');
  if (tags > 4 * kMaxXmlElements) {
    diagnostics.error({path, 0, 0}, "the file must not hold more than " +
                                        std::to_string(kMaxXmlElements) + " elements");
    return std::nullopt;
  }

  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed && parsed.status == pugi::status_no_document_element) {
    diagnostics.error({path, 0, 0}, brokenXml(parsed.status));
    return std::nullopt;
  }
  if (!parsed) {
    diagnostics.error(places.mark(std::max<std::ptrdiff_t>(parsed.offset, 0)),
                      "broken XML: " + brokenXml(parsed.status));
    return std::nullopt;
  }
  const pugi::xml_node root = document.document_element();
  for (pugi::xml_node n = root.next_sibling(); n; n = n.next_sibling()) {
    if (n.type() != pugi::node_element) continue;
    diagnostics.error(places.mark(n.offset_debug() - 1),
                      "the file must hold one element, <" + std::string(root.name()) +
                          ">, found <" + n.name() + "> behind its end");
    return std::nullopt;
  }
  return XmlTreeBuilder(text, places, diagnostics).build(root);
}

std::optional<XmlElement> readXml(const std::string& path, Diagnostics& diagnostics) {
  const auto text = readFileText(path, kMaxXmlBytes, "file", diagnostics);
  return text ? parseXml(*text, path, diagnostics) : std::nullopt;
}

}  // namespace cardan
