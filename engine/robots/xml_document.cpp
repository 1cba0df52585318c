#include "engine/robots/xml_document.h"

#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "engine/text/file_text.h"
#include "engine/text/utf8.h"

namespace cardan {
namespace {

/// The text, and the way from its bytes to places in the file.
class XmlText {
 public:
  XmlText(std::string_view text, const std::string& path)
      : text_(text), path_(std::make_shared<const std::string>(path)) {
    lineStarts_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lineStarts_.push_back(i + 1);
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continuations_.push_back(i);
    }
  }

  std::string_view text() const { return text_; }
  const std::shared_ptr<const std::string>& path() const { return path_; }

  /// Line and column, 1-based, of a byte.
  std::pair<int, int> place(size_t at) const {
    at = std::min(at, text_.size());
    const auto next = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), at);
    const size_t start = *(next - 1);
    const auto first = std::ranges::lower_bound(continuations_, start);
    const auto last = std::ranges::lower_bound(continuations_, at);
    const auto column = static_cast<std::ptrdiff_t>(at - start) - (last - first);
    return {next - lineStarts_.begin(), column + 1};
  }
  SourceMark mark(size_t at) const {
    const auto [line, column] = place(at);
    return {*path_, line, column};
  }

 private:
  std::string_view text_;
  std::shared_ptr<const std::string> path_;
  std::vector<size_t> lineStarts_;
  std::vector<size_t> continuations_;  ///< bytes that are not the first of their character
};

/// Characters that no XML file holds; false after the first error.
bool checkXmlCharacters(const XmlText& source, Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const size_t length = utf8Length(text, i);
    if (length == 0) {
      diagnostics.error(source.mark(i), "the file must be UTF-8 text, found another byte");
      return false;
    }
    if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F) {
      char code[8];
      std::snprintf(code, sizeof code, "0x%02X", c);
      diagnostics.error(source.mark(i),
                        std::string("the file must be text, found the control character ") + code);
      return false;
    }
    i += length;
  }
  return true;
}

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
  XmlTreeBuilder(const XmlText& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

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
    e.file = source_.path();
    std::tie(e.line, e.column) = source_.place(at - 1);
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
    const std::string_view text = source_.text();
    std::set<std::string_view> names;
    for (const pugi::xml_attribute& a : node.attributes()) {
      while (i < text.size() && isXmlSpace(text[i])) ++i;
      const size_t name = i;
      while (i < text.size() && text[i] != '"' && text[i] != '\'') ++i;
      const size_t value = std::min(i + 1, text.size());
      const auto [line, column] = source_.place(value);
      e.attributes.push_back({a.name(), a.value(), line, column});
      if (!names.insert(a.name()).second)
        diagnostics_.error(source_.mark(name), "attribute '" + std::string(a.name()) + "' of <" +
                                                   e.name + "> is given twice");
      const size_t end = i < text.size() ? text.find(text[i], value) : std::string_view::npos;
      i = end == std::string_view::npos ? text.size() : end + 1;
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
    if (!failed_) diagnostics_.error(source_.mark(at), std::move(text));
    failed_ = true;
  }

  const XmlText& source_;
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
  const XmlText source(text, path);
  if (!checkXmlCharacters(source, diagnostics)) return std::nullopt;

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
    diagnostics.error(source.mark(std::max<std::ptrdiff_t>(parsed.offset, 0)),
                      "broken XML: " + brokenXml(parsed.status));
    return std::nullopt;
  }
  const pugi::xml_node root = document.document_element();
  for (pugi::xml_node n = root.next_sibling(); n; n = n.next_sibling()) {
    if (n.type() != pugi::node_element) continue;
    diagnostics.error(source.mark(n.offset_debug() - 1),
                      "the file must hold one element, <" + std::string(root.name()) +
                          ">, found <" + n.name() + "> behind its end");
    return std::nullopt;
  }
  return XmlTreeBuilder(source, diagnostics).build(root);
}

std::optional<XmlElement> readXml(const std::string& path, Diagnostics& diagnostics) {
  const auto text = readFileText(path, kMaxXmlBytes, "file", diagnostics);
  return text ? parseXml(*text, path, diagnostics) : std::nullopt;
}

}  // namespace cardan
