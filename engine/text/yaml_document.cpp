#include "engine/text/yaml_document.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/text/file_text.h"
#include "engine/text/listing.h"
#include "engine/text/text_places.h"

namespace cardan {
namespace {

/// Bytes of all texts, with aliases expanded.
constexpr size_t kMaxYamlText = 50'000'000;

/// Stand in for the brackets of an index while yaml-cpp, for which they end a plain word, reads.
constexpr char kOpenIndex = '\x01';
constexpr char kCloseIndex = '\x02';
constexpr char kIndexComma = '\x03';

/// Leaves the parser; the message has been reported.
struct GiveUp {};

/// The text as yaml-cpp gets it, and the way from its bytes to places in the file.
class CheckedText {
 public:
  CheckedText(std::string_view text, const std::string& path)
      : text_(withPlainBreaks(text)), places_(text_, path) {}

  const std::string& text() const { return text_; }
  const TextPlaces& places() const { return places_; }

  /// yaml-cpp counts from 0, and bytes.
  std::pair<int, int> place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {0, 0};
    const int line = std::min(mark.line + 1, places_.lines());
    return {line, places_.column(line, places_.start(line) + std::max(mark.column, 0))};
  }
  SourceMark mark(const YAML::Mark& mark) const {
    const auto [line, column] = place(mark);
    return {*places_.path(), line, column};
  }
  /// The last character that is not a space before this place.
  char characterBefore(const YAML::Mark& mark) const {
    if (mark.is_null() || mark.pos <= 0) return '\0';
    size_t i = std::min<size_t>(mark.pos, text_.size());
    while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\n')) --i;
    return i > 0 ? text_[i - 1] : '\0';
  }

  /// Puts stand-ins for the brackets of `name[1]`, `name[2,3]` and `name[i+1]`. No valid YAML has a
  /// word and then, without a space, a list, so that this changes the meaning of nothing.
  void hideIndices() {
    for (size_t i = 1; i < text_.size(); ++i) {
      if (text_[i] != '[' || !isWordCharacter(text_[i - 1])) continue;
      const size_t close = endOfIndex(i);
      if (close == std::string::npos) continue;
      for (; i <= close; ++i) {
        char& c = text_[i];
        c = c == '[' ? kOpenIndex : c == ']' ? kCloseIndex : c == ',' ? kIndexComma : c;
      }
      --i;
    }
  }
  static std::string withIndices(std::string s) {
    std::replace(s.begin(), s.end(), kOpenIndex, '[');
    std::replace(s.begin(), s.end(), kCloseIndex, ']');
    std::replace(s.begin(), s.end(), kIndexComma, ',');
    return s;
  }

 private:
  static bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  /// The bracket that closes the index opened at `open`; npos where this is no index.
  size_t endOfIndex(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '[') {
        ++depth;
      } else if (c == ']') {
        if (--depth == 0) return i == open + 1 ? std::string::npos : i;
      } else if (!isWordCharacter(c) &&
                 std::string_view("+-*/().,:").find(c) == std::string::npos) {
        return std::string::npos;
      }
    }
    return std::string::npos;
  }

  /// Every line break becomes \n.
  static std::string withPlainBreaks(std::string_view text) {
    std::string plain;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    plain.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\r') {
        plain += text[i];
      } else if (i + 1 == text.size() || text[i + 1] != '\n') {
        plain += '\n';
      }
    }
    return plain;
  }

  std::string text_;
  TextPlaces places_;
};

/// Lines are indented with spaces; false after the first error.
bool checkIndentation(const CheckedText& source, Diagnostics& diagnostics) {
  bool inIndentation = true;
  for (size_t i = 0; i < source.text().size(); ++i) {
    const char c = source.text()[i];
    if (c == '\t' && inIndentation) {
      diagnostics.error(source.places().mark(i), "lines must be indented with spaces, found a tab");
      return false;
    }
    inIndentation = c == '\n' || (inIndentation && c == ' ');
  }
  return true;
}

std::string tooDeep() {
  return "lists and maps must not be nested deeper than " + std::to_string(kMaxYamlDepth);
}
std::string tooMany() {
  return "the file must not hold more than " + std::to_string(kMaxYamlNodes) + " values";
}

/// Bounds what yaml-cpp may queue before its first event: it reads a whole line of lists ahead.
bool checkSize(const CheckedText& source, Diagnostics& diagnostics) {
  size_t values = 0;
  int row = 0;  // brackets opened with nothing between them
  for (size_t i = 0; i < source.text().size(); ++i) {
    const char c = source.text()[i];
    const bool opens = c == '[' || c == '{';
    row = opens ? row + 1 : c == ' ' || c == '\n' ? row : 0;
    if (opens || c == ',') ++values;
    if (row > kMaxYamlDepth || values > kMaxYamlNodes) {
      diagnostics.error(source.places().mark(i), row > kMaxYamlDepth ? tooDeep() : tooMany());
      return false;
    }
  }
  return true;
}

/// Builds the tree from yaml-cpp's events.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const CheckedText& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  YamlNode takeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      fail(mark, "the file must hold one YAML document, found more behind its end");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(mark, YamlNode::Kind::null), anchor, {});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    checkTag(mark, tag);
    countText(mark, value.size());
    YamlNode n = node(mark, YamlNode::Kind::scalar);
    n.text = CheckedText::withIndices(value);
    n.quoted = tag == "!";
    const Measure measure{1, n.text.size(), 0};
    add(std::move(n), anchor, measure);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "an alias must not stand inside the value it repeats");
    const Measure& measure = found->second.second;
    if (std::ssize(stack_) + measure.depth > kMaxYamlDepth) failDepth(mark);
    count(mark, measure.nodes);
    countText(mark, measure.text);
    add(found->second.first, 0, measure);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    push(mark, tag, anchor, YamlNode::Kind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    push(mark, tag, anchor, YamlNode::Kind::map);
  }
  void OnSequenceEnd() override { pop(); }
  void OnMapEnd() override { pop(); }

 private:
  /// What an alias to a node adds to the tree.
  struct Measure {
    size_t nodes = 1;
    size_t text = 0;  ///< bytes
    int depth = 0;
  };
  /// A list or map that is not complete.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    Measure measure;
    std::optional<YamlNode> key;
    std::vector<YamlNode> merged;  ///< behind '<<'
  };

  [[noreturn]] void fail(const YAML::Mark& mark, std::string text) {
    diagnostics_.error(source_.mark(mark), std::move(text));
    throw GiveUp{};
  }
  [[noreturn]] void failDepth(const YAML::Mark& mark) { fail(mark, tooDeep()); }

  YamlNode node(const YAML::Mark& mark, YamlNode::Kind kind) {
    count(mark, 1);
    YamlNode n;
    n.kind = kind;
    n.file = source_.places().path();
    std::tie(n.line, n.column) = source_.place(mark);
    return n;
  }
  void count(const YAML::Mark& mark, size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > kMaxYamlNodes) fail(mark, tooMany());
  }
  void countText(const YAML::Mark& mark, size_t bytes) {
    text_ += bytes;
    if (text_ > kMaxYamlText) {
      fail(mark, "the file must not hold more than " + std::to_string(kMaxYamlText / 1'000'000) +
                     " MB of text, with what its aliases repeat");
    }
  }
  void checkTag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail(mark, "YAML tags are not supported, found '" + CheckedText::withIndices(tag) + "'");
    }
  }

  void push(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    checkTag(mark, tag);
    if (std::ssize(stack_) >= kMaxYamlDepth) failDepth(mark);
    stack_.push_back({node(mark, kind), anchor, {}, {}, {}});
  }
  void pop() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    for (const YamlNode& below : done.merged) merge(below, done.node);
    ++done.measure.depth;
    add(std::move(done.node), done.anchor, done.measure);
  }

  /// `<<: *link`: the entries of another map that this one does not have.
  void merge(const YamlNode& below, YamlNode& map) {
    if (below.isSequence() && !below.items.empty() && !below.items[0].isSequence()) {
      for (const YamlNode& item : below.items) merge(item, map);
      return;
    }
    if (!below.isMap()) {
      diagnostics_.error(
          below.mark(), "'<<' must have a map or a list of maps behind it, as '<<: *link', found " +
                            below.describe());
      throw GiveUp{};
    }
    std::unordered_set<std::string> own;
    for (const YamlNode::Entry& entry : map.entries) own.insert(entry.key);
    for (const YamlNode::Entry& entry : below.entries) {
      if (!own.contains(entry.key)) map.entries.push_back(entry);
    }
  }

  void add(YamlNode n, YAML::anchor_t anchor, Measure measure) {
    if (anchor != 0) {
      count({}, measure.nodes);  // the copy kept for aliases
      countText({}, measure.text);
      anchors_[anchor] = {n, measure};
    }
    if (stack_.empty()) {
      root_ = std::move(n);
      return;
    }
    Open& open = stack_.back();
    open.measure.nodes += measure.nodes;
    open.measure.text += measure.text;
    open.measure.depth = std::max(open.measure.depth, measure.depth);
    if (open.node.isSequence()) {
      open.node.items.push_back(std::move(n));
    } else if (!open.key) {
      if (!n.isScalar()) {
        diagnostics_.error(n.mark(), "a key must be a word, found " + n.describe());
        throw GiveUp{};
      }
      open.key = std::move(n);
    } else if (open.key->text == "<<" && !open.key->quoted) {
      open.merged.push_back(std::move(n));
      open.key.reset();
    } else {
      YamlNode::Entry entry{std::move(open.key->text), open.key->line, open.key->column,
                            std::move(n)};
      open.node.entries.push_back(std::move(entry));
      open.key.reset();
    }
  }

  const CheckedText& source_;
  Diagnostics& diagnostics_;
  YamlNode root_;
  std::vector<Open> stack_;
  std::unordered_map<YAML::anchor_t, std::pair<YamlNode, Measure>> anchors_;
  size_t nodes_ = 0;
  size_t text_ = 0;
  int documents_ = 0;
};

/// yaml-cpp's messages in the words of someone who writes a model.
std::string plainWords(const std::string& message, char before) {
  namespace Msg = YAML::ErrorMsg;
  const char* const noSpace = "; is the space behind ':' missing?";
  const std::map<std::string, std::string> words{
      {Msg::END_OF_MAP,
       "only the next 'key: value' of the map may stand here; check the indentation and the "
       "quotes"},
      {Msg::END_OF_MAP_FLOW,
       "a map opened with '{' must have ',' between its entries and end with '}'"},
      {Msg::END_OF_SEQ,
       "only the next '- value' of the list may stand here; check the indentation and the quotes"},
      {Msg::END_OF_SEQ_FLOW,
       "a list opened with '[' must have ',' between its values and end with ']'"},
      {Msg::FLOW_END, "there is no '[' or '{' that this bracket closes"},
      {Msg::EOF_IN_SCALAR, "a text in quotes must end with the same quote"},
      {Msg::DOC_IN_SCALAR, "a text in quotes must not hold '---' or '...' at the start of a line"},
      {Msg::CHAR_IN_SCALAR, "a value must not start with this character; put it in quotes"},
      {Msg::TAB_IN_INDENTATION, "lines must be indented with spaces, found a tab"},
      {Msg::BLOCK_ENTRY, "a list entry '- ' must not stand here"},
      {Msg::MAP_KEY, "a key must not stand here"},
      {Msg::MAP_VALUE,
       "a ':' must not stand here; check the indentation, and put a text that holds ': ' in "
       "quotes"},
      {Msg::ALIAS_NOT_FOUND,
       "a value must not start with '*' unless it is an alias; put it in quotes"},
      {Msg::CHAR_IN_ALIAS,
       "a value must not start with '*' unless it is an alias; put it in quotes"},
      {Msg::ALIAS_CONTENT, "an alias must not have a value of its own"},
      {Msg::ANCHOR_NOT_FOUND,
       "a value must not start with '&' unless it is an anchor; put it in quotes"},
      {Msg::CHAR_IN_ANCHOR,
       "a value must not start with '&' unless it is an anchor; put it in quotes"},
      {Msg::UNKNOWN_TOKEN, "a value must not start with this character; put it in quotes"},
      {Msg::CHAR_IN_BLOCK, "'|' and '>' must be followed by a new line"},
      {Msg::BAD_FILE, tooDeep()},
  };
  const auto found = words.find(message);
  std::string text =
      found != words.end()                       ? found->second
      : message.starts_with(Msg::UNKNOWN_ANCHOR) ? "an alias must repeat a value that has an anchor"
      : message.starts_with(Msg::INVALID_ESCAPE)
          ? "a text in double quotes must not hold this escape; write '\\\\' for a backslash"
          : "the file must be YAML: " + message;
  const bool flow = message == Msg::END_OF_MAP_FLOW || message == Msg::END_OF_SEQ_FLOW;
  if (flow && before == ':') text += noSpace;
  return text;
}

}  // namespace

SourceMark YamlNode::markInText(size_t offset) const {
  if (column == 0 || text.find('\n') != std::string::npos) return mark();
  const auto isFirstByte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  const auto characters = std::count_if(text.begin(), end, isFirstByte);
  return markAt(line, column + (quoted ? 1 : 0) + characters);
}

const YamlNode::Entry* YamlNode::findEntry(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

const YamlNode* YamlNode::find(std::string_view key) const {
  const Entry* entry = findEntry(key);
  return entry ? &entry->value : nullptr;
}

std::string YamlNode::describe() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar: {
      constexpr size_t most = 60;
      const std::string shown = onOneLine(text);
      if (shown.size() <= most) return "'" + shown + "'";
      size_t end = most;
      while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
      return "'" + shown.substr(0, end) + "...'";
    }
    case Kind::sequence:
      return "a list of " + std::to_string(items.size());
    case Kind::map:
      return "a map";
  }
  return "";
}

std::optional<YamlNode> parseYaml(std::string_view text, const std::string& path,
                                  Diagnostics& diagnostics) {
  if (text.size() > kMaxYamlBytes) {
    diagnostics.error({path, 0, 0}, "the file must not be larger than " +
                                        std::to_string(kMaxYamlBytes / 1'000'000) + " MB");
    return std::nullopt;
  }
  CheckedText source(text, path);
  if (!checkText(source.text(), source.places(), diagnostics)) return std::nullopt;
  if (!checkIndentation(source, diagnostics)) return std::nullopt;
  source.hideIndices();
  if (!checkSize(source, diagnostics)) return std::nullopt;

  TreeBuilder builder(source, diagnostics);
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const GiveUp&) {
    return std::nullopt;
  } catch (const YAML::Exception& e) {
    diagnostics.error(source.mark(e.mark), plainWords(e.msg, source.characterBefore(e.mark)));
    return std::nullopt;
  }
  YamlNode root = builder.takeRoot();
  if (root.isNull()) {
    diagnostics.error({path, 0, 0}, "the file must not be empty");
    return std::nullopt;
  }
  return root;
}

std::optional<YamlNode> readYaml(const std::string& path, Diagnostics& diagnostics) {
  const auto text = readFileText(path, kMaxYamlBytes, "file", diagnostics);
  return text ? parseYaml(*text, path, diagnostics) : std::nullopt;
}

void reportDuplicateKeys(const YamlNode& map, std::string_view noun, Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, const YamlNode::Entry*> first;
  for (const YamlNode::Entry& entry : map.entries) {
    const auto [found, isNew] = first.emplace(entry.key, &entry);
    if (isNew) continue;
    diagnostics.error(entry.keyMark(), std::string(noun) + " '" + entry.key + "' is given twice");
    diagnostics.note(found->second->keyMark(), "first given here");
  }
}

void reportDuplicateKeysBelow(const YamlNode& node, Diagnostics& diagnostics) {
  reportDuplicateKeys(node, "key", diagnostics);
  for (const YamlNode& item : node.items) reportDuplicateKeysBelow(item, diagnostics);
  for (const YamlNode::Entry& entry : node.entries) {
    reportDuplicateKeysBelow(entry.value, diagnostics);
  }
}

}  // namespace cardan
