#include "engine/model_file/table_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/model_file/matlab_file.h"
#include "engine/text/file_text.h"
#include "engine/text/joined.h"
#include "engine/text/mapped.h"
#include "engine/text/plain_number.h"
#include "engine/text/triangle_files.h"

namespace cardan {
namespace {

// Beyond these, it is an error instead of an exhausted memory, or of a screen full of the same.
constexpr size_t kMostTableBytes = size_t{256} << 20;
constexpr double kMostTableNumbers = 2e7;
constexpr int kMostMistakes = 10;

/// A finite number and nothing else.
std::optional<double> finiteNumber(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const auto x = plainNumber<double>(text);
  return x && std::isfinite(*x) ? x : std::nullopt;
}

/// A piece of a line, for messages.
std::string inQuotes(std::string_view text) {
  constexpr size_t kLongest = 30;
  return text.empty()             ? "nothing"
         : text.size() > kLongest ? "'" + std::string(text.substr(0, kLongest)) + "...'"
                                  : "'" + std::string(text) + "'";
}

/// What is wrong with the names of the tables in a file, of which one is wanted.
std::string faultIn(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string all = joined(names, ", ");
  if (wanted == "NoName") {
    if (names.size() < 2) return "";
    return "the file has several tables: 'tableName' must be one of " + all;
  }
  if (std::ranges::find(names, wanted) != names.end()) return "";
  return "there is no table '" + wanted + "'" + didYouMean(wanted, names, "the file has " + all);
}

/// Lines of a text with their places, and the mistakes in them.
class Lines {
 public:
  Lines(std::string_view text, const std::string& path, Diagnostics& diagnostics)
      : rest_(text), path_(path), diagnostics_(diagnostics) {}

  /// The next line, without its end; nothing at the end of the text.
  bool next() {
    if (rest_.empty() || tooMany()) return false;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    return true;
  }
  SourceMark at(std::string_view piece) const {
    const int before = piece.data() - line.data();
    return {path_, number, before + 1};
  }
  SourceMark at() const { return {path_, number, 1}; }
  void error(const SourceMark& mark, const std::string& text) {
    if (!tooMany()) diagnostics_.error(mark, text);
    if (++errors_ == kMostMistakes) diagnostics_.note(mark, "what comes after it is not looked at");
  }
  bool hasErrors() const { return errors_ > 0; }
  bool tooMany() const { return errors_ >= kMostMistakes; }

  std::string_view line;
  int number = 0;

 private:
  std::string_view rest_;
  const std::string& path_;
  Diagnostics& diagnostics_;
  int errors_ = 0;
};

/// Rows as they come.
class Rows {
 public:
  void begin(const SourceMark& at) { marks_.push_back(at); }
  void add(double x) { numbers_.push_back(x); }
  size_t count() const { return numbers_.size(); }
  TableOfFile table(Eigen::Index rows, Eigen::Index columns) && {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return {Eigen::Map<const RowMajor>(numbers_.data(), rows, columns), std::move(marks_)};
  }
  size_t rows() const { return marks_.size(); }

 private:
  std::vector<double> numbers_;
  std::vector<SourceMark> marks_;
};

/// `double NAME(rows,columns)`
struct Head {
  std::string name;
  SourceMark at;
  long rows = 0, columns = 0;
};

/// MSL's text format.
class TextTables {
 public:
  TextTables(Lines& lines, const TableFile& wanted) : lines_(lines), wanted_(wanted) {}

  std::optional<TableOfFile> read() {
    std::optional<TableOfFile> found;
    while (nextLine()) {
      const std::optional<Head> head = headOf(lines_.line);
      if (!head) return std::nullopt;
      const bool isWanted = wanted_.tableName == "NoName" || head->name == wanted_.tableName;
      if (isWanted && std::ranges::find(names_, head->name) != names_.end())
        lines_.error(head->at, "the table '" + head->name + "' is in the file twice");
      names_.push_back(head->name);
      std::optional<TableOfFile> table = numbersOf(*head);
      if (!table) return std::nullopt;
      if (isWanted && !found) found = std::move(table);
    }
    checkNames();
    return lines_.hasErrors() ? std::nullopt : std::move(found);
  }

 private:
  void checkNames() {
    const std::string fault = names_.empty()
                                  ? "the file must have a table, as 'double NAME(rows,columns)'"
                                  : faultIn(names_, wanted_.tableName);
    if (!fault.empty()) lines_.error({lines_.at().file, 0, 0}, fault);
  }

  /// The next line that says something, without its comment.
  bool nextLine() {
    while (lines_.next()) {
      lines_.line = lines_.line.substr(0, lines_.line.find('#'));
      rest_ = lines_.line;
      if (!trimmed(rest_).empty()) return true;
    }
    return false;
  }

  std::optional<Head> headOf(std::string_view line) {
    const std::string_view text = trimmed(line);
    const SourceMark at = lines_.at(text);
    const size_t blank = text.find_first_of(" \t"), open = text.find('('), comma = text.find(','),
                 close = text.find(')');
    const std::string_view kind = text.substr(0, blank);
    const bool isShaped = (kind == "double" || kind == "float") && blank < open && open < comma &&
                          comma < close && close != text.npos;
    Head head{"", at, 0, 0};
    if (isShaped) head.name = trimmed(text.substr(blank, open - blank));
    if (head.name.empty()) {
      lines_.error(at,
                   "a table must begin with 'double NAME(rows,columns)', found " + inQuotes(text));
      return std::nullopt;
    }
    const auto count = [&](std::string_view piece, long& n) {
      piece = trimmed(piece);
      n = plainNumber<long>(piece).value_or(0);
      if (n > 0) return true;
      lines_.error(lines_.at(piece), "the numbers of rows and columns of '" + head.name +
                                         "' must be whole and above zero, found " +
                                         inQuotes(piece));
      return false;
    };
    const bool rows = count(text.substr(open + 1, comma - open - 1), head.rows);
    const bool columns = count(text.substr(comma + 1, close - comma - 1), head.columns);
    if (!rows || !columns) return std::nullopt;
    if (static_cast<double>(head.rows) * static_cast<double>(head.columns) > kMostTableNumbers) {
      lines_.error(at, "'" + head.name + "' must not have more than 20 million numbers");
      return std::nullopt;
    }
    rest_ = text.substr(close + 1);
    return head;
  }

  /// The next number's text; over line ends, unless `onLine`. Empty: there is none.
  std::string_view nextPiece(bool onLine) {
    constexpr std::string_view kBetween = " \t,";
    do {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(kBetween), rest_.size()));
      if (rest_.empty()) continue;
      const std::string_view piece = rest_.substr(0, rest_.find_first_of(kBetween));
      rest_.remove_prefix(piece.size());
      return piece;
    } while (!onLine && nextLine());
    return {};
  }

  /// Row by row, over as many lines as they take.
  std::optional<TableOfFile> numbersOf(const Head& head) {
    Rows rows;
    const size_t columns = head.columns;
    const size_t all = head.rows * columns;
    const std::string shape =
        std::to_string(head.rows) + " x " + std::to_string(head.columns) + " numbers";
    while (rows.count() < all) {
      const std::string_view piece = nextPiece(false);
      if (piece.empty() || piece == "double" || piece == "float") {
        lines_.error(head.at, "'" + head.name + "' must have " + shape + ", found " +
                                  std::to_string(rows.count()));
        return std::nullopt;
      }
      const auto x = finiteNumber(piece);
      if (!x) {
        lines_.error(lines_.at(piece),
                     "'" + head.name + "' must have finite numbers, found " + inQuotes(piece));
      }
      if (lines_.tooMany()) return std::nullopt;
      if (rows.count() % columns == 0) rows.begin(lines_.at(piece));
      rows.add(x.value_or(0));
    }
    std::string_view extra = nextPiece(true);
    if (extra.empty()) return std::move(rows).table(head.rows, head.columns);
    lines_.error(lines_.at(extra),
                 "'" + head.name + "' must end after " + shape + ", found " + inQuotes(extra));
    return std::nullopt;
  }

  Lines& lines_;
  const TableFile& wanted_;
  std::string_view rest_;  ///< of the line, not yet read
  std::vector<std::string> names_;
};

/// CSV.
class SeparatedRows {
 public:
  SeparatedRows(Lines& lines, const TableFile& wanted) : lines_(lines), wanted_(wanted) {}

  std::optional<TableOfFile> read() {
    for (int i = 0; i < wanted_.nHeaderLines; ++i) {
      if (lines_.next()) continue;
      lines_.error({lines_.at().file, 0, 0}, "the file must have more than " +
                                                 std::to_string(wanted_.nHeaderLines) +
                                                 " lines ('nHeaderLines')");
      return std::nullopt;
    }
    Rows rows;
    size_t columns = 0;
    bool first = true;
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line);
      if (line.empty() || line.front() == '#') continue;
      if (first) chooseSeparator(line);
      const std::vector<std::string_view> fields = split(lines_.line);
      const bool isHeader = first && wanted_.nHeaderLines < 0 && !isNumbers(fields);
      first = false;
      if (columns == 0) columns = fields.size();
      if (fields.size() != columns) {
        lines_.error(lines_.at(), "the row must have " + std::to_string(columns) +
                                      " columns as the first one, found " +
                                      std::to_string(fields.size()));
      }
      if (isHeader) continue;
      rows.begin(lines_.at());
      for (const std::string_view f : fields) rows.add(number(f, rows));
      if (static_cast<double>(rows.count()) > kMostTableNumbers) {
        lines_.error(lines_.at(), "a table must not have more than 20 million numbers");
        return std::nullopt;
      }
    }
    if (rows.rows() == 0 && !lines_.hasErrors())
      lines_.error({lines_.at().file, 0, 0}, "the file must have rows of numbers");
    if (lines_.hasErrors()) return std::nullopt;
    const auto count = rows.rows();
    return std::move(rows).table(count, columns);
  }

 private:
  void chooseSeparator(std::string_view line) {
    separator_ = ' ';
    for (const char c : {',', '\t', ';'}) {
      if (line.find(c) != line.npos) separator_ = c;
    }
    if (wanted_.delimiter.size() == 1) separator_ = wanted_.delimiter.front();
    if (wanted_.delimiter == "\\t") separator_ = '\t';
  }

  std::vector<std::string_view> split(std::string_view line) const {
    std::vector<std::string_view> fields;
    if (separator_ == ' ') {
      for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        fields.push_back(line.substr(0, line.find_first_of(" \t")));
        line.remove_prefix(fields.back().size());
      }
      return fields;
    }
    bool quoted = false;
    size_t from = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"') quoted = !quoted;
      if (line[i] != separator_ || quoted) continue;
      fields.push_back(trimmed(line.substr(from, i - from)));
      from = i + 1;
    }
    const std::string_view last = trimmed(line.substr(from));
    if (!last.empty() || fields.empty())
      fields.push_back(last);  // a separator may stand at the end
    return fields;
  }

  std::optional<double> plain(std::string_view field) const {
    std::string text(field);
    if (separator_ == ';') std::ranges::replace(text, ',', '.');
    return finiteNumber(text);
  }

  bool isNumbers(const std::vector<std::string_view>& fields) const {
    // The corner of a table over two inputs says nothing.
    return std::all_of(fields.begin(), fields.end(), [&](std::string_view f) {
      return plain(f).has_value() || (f.empty() && f.data() == fields[0].data());
    });
  }

  double number(std::string_view field, const Rows& rows) {
    if (const auto x = plain(field)) return *x;
    if (!(field.empty() && rows.count() == 0))
      lines_.error(lines_.at(field), "a row must have finite numbers, found " + inQuotes(field));
    return 0;
  }

  Lines& lines_;
  const TableFile& wanted_;
  char separator_ = ',';
};

/// A row of nine coordinates for each triangle.
std::optional<TableOfFile> triangleTable(const std::string& text, const std::string& path,
                                         const std::string& ending, Diagnostics& diagnostics) {
  const std::vector<Triangle> triangles = trianglesIn(text, ending.substr(1));
  const auto isFinite = [](const Triangle& t) {
    return std::ranges::all_of(t, [](float x) { return std::isfinite(x); });
  };
  if (triangles.empty() || !std::ranges::all_of(triangles, isFinite)) {
    diagnostics.error({path, 0, 0}, "the file has no triangles, or some that are not finite");
    return std::nullopt;
  }
  TableOfFile table;
  table.values.resize(std::ssize(triangles), 9);
  for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
    for (int k = 0; k < 9; ++k) table.values(i, k) = triangles[i][k];
    table.rows.push_back({path, 0, 0});
  }
  return table;
}

std::optional<TableOfFile> matlabTable(std::string_view bytes, const std::string& path,
                                       const TableFile& wanted, Diagnostics& diagnostics) {
  std::string fault;
  const std::vector<MatlabMatrix> all = matlabMatrices(bytes, fault);
  const std::vector<std::string> names = mapped(all, &MatlabMatrix::name);
  if (fault.empty() && all.empty()) fault = "the file must have a matrix of real numbers";
  if (fault.empty()) fault = faultIn(names, wanted.tableName);
  TableOfFile table;
  if (fault.empty()) {
    const auto i = std::ranges::find(names, wanted.tableName) - names.begin();
    const MatlabMatrix& m = all[i == std::ssize(all) ? 0 : i];
    const double count = double(m.rows) * double(m.columns);
    if (count == 0 || count > kMostTableNumbers) {
      fault = "'" + m.name + "' must have numbers, and not more than 20 million";
    } else if (table.values = m.values(); !table.values.allFinite()) {
      fault = "'" + m.name + "' must have finite numbers";
    }
    table.rows.assign(table.values.rows(), {path, 0, 0});
  }
  if (fault.empty()) return table;
  diagnostics.error({path, 0, 0}, fault);
  return std::nullopt;
}

}  // namespace

std::optional<TableOfFile> parseTableFile(std::string_view text, const std::string& path,
                                          const TableFile& wanted, Diagnostics& diagnostics) {
  if (isMatlabFile(text)) return matlabTable(text, path, wanted, diagnostics);
  if (text.substr(0, 4096).find('\0') != text.npos) {
    diagnostics.error(
        {path, 0, 0},
        "the file of a table must be text (#1 and 'double NAME(rows,columns)', or "
        "CSV), found bytes that are none; of MATLAB's files those of versions 4 to 6 are read");
    return std::nullopt;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Lines lines(text, path, diagnostics);
  const std::string_view first = trimmed(text.substr(0, text.find('\n')));
  if (first == "#1") return TextTables(lines, wanted).read();
  return SeparatedRows(lines, wanted).read();
}

std::optional<TableOfFile> readTableFile(const std::string& path, const TableFile& wanted,
                                         Diagnostics& diagnostics) {
  const auto text = readFileText(path, kMostTableBytes, "table", diagnostics);
  if (!text) return std::nullopt;
  if (text->size() > kMostTableBytes) {
    diagnostics.error({path, 0, 0}, "the file of a table must not be larger than 256 MiB");
    return std::nullopt;
  }
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (ending == ".stl" || ending == ".obj") return triangleTable(*text, path, ending, diagnostics);
  return parseTableFile(*text, path, wanted, diagnostics);
}

}  // namespace cardan
