#include "tests/manual/markdown.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/apps/process.h"

namespace test {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string trimmedText(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The page without its fenced blocks.
std::vector<std::string> prose(const std::string& page) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : linesOf(page)) {
    if (line.starts_with("```")) {
      inside = !inside;
    } else if (!inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

/// Cells of "| a | b |"; a bar in code counts as one.
std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\') {
      cells.push_back(trimmedText(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

}  // namespace

std::string Block::fileName() const {
  static const std::regex first(R"(^# (\S+\.yaml)\n)");
  std::smatch found;
  return std::regex_search(text, found, first) ? found[1].str() : "";
}
std::string Block::modelName() const {
  static const std::regex first(R"(^# in (\S+\.yaml)\n)");
  std::smatch found;
  return std::regex_search(text, found, first) ? found[1].str() : "";
}

std::vector<Block> blocksOf(const std::string& page) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : linesOf(page)) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), "", number});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

std::vector<MarkdownTable> tablesOf(const std::string& page) {
  std::vector<MarkdownTable> tables;
  bool inside = false;
  for (const std::string& line : prose(page)) {
    const bool row = line.starts_with("|");
    if (row && !inside) {
      tables.push_back({cellsOf(line), {}});
    } else if (row && !line.starts_with("|-") && !line.starts_with("|:")) {
      tables.back().rows.push_back(cellsOf(line));
    }
    inside = row;
  }
  return tables;
}

std::vector<std::string> linksOf(const std::string& page) {
  static const std::regex link(R"(\]\(([^()\s]+)\))");
  std::vector<std::string> links;
  for (const std::string& line : prose(page)) {
    std::string outside;  // of code
    bool code = false;
    for (const char c : line) {
      if (c == '`') code = !code;
      if (!code) outside += c;
    }
    for (std::sregex_iterator i(outside.begin(), outside.end(), link), end; i != end; ++i) {
      links.push_back((*i)[1].str());
    }
  }
  return links;
}

std::vector<std::string> anchorsOf(const std::string& page) {
  std::vector<std::string> anchors;
  for (const std::string& line : prose(page)) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : trimmedText(line.substr(line.find_first_not_of('#')))) {
      const auto code = static_cast<unsigned char>(c);
      if (std::isalnum(code) || c == '_' || c == '-') {
        anchor += static_cast<char>(std::tolower(code));
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    anchors.push_back(anchor);
  }
  return anchors;
}

std::vector<std::string> codeOf(const std::string& text) {
  std::vector<std::string> pieces;
  size_t open = text.find('`');
  while (open != std::string::npos) {
    const size_t close = text.find('`', open + 1);
    if (close == std::string::npos) break;
    pieces.push_back(text.substr(open + 1, close - open - 1));
    open = text.find('`', close + 1);
  }
  return pieces;
}

std::string inOneLine(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  for (std::string word; in >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string missingIn(const std::string& output, const std::string& shown) {
  const std::string whole = inOneLine(output);
  size_t at = 0;
  std::string piece;
  std::string missing;
  const auto find = [&] {
    const std::string wanted = inOneLine(piece);
    piece.clear();
    if (wanted.empty() || !missing.empty()) return;
    const size_t found = whole.find(wanted, at);
    if (found == std::string::npos) {
      missing = wanted;
    } else {
      at = found + wanted.size();
    }
  };
  for (const std::string& line : linesOf(shown)) {
    if (line == "...") {
      find();
    } else {
      piece += line + "\n";
    }
  }
  find();
  return missing;
}

std::vector<std::string> deadLinksOf(const std::string& page, const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> dead;
  for (const std::string& link : linksOf(page)) {
    if (link.find("://") != std::string::npos) continue;
    const size_t hash = link.find('#');
    const std::string file = link.substr(0, hash);
    const fs::path path = fs::path(folder) / file;
    if (!file.empty() && !fs::exists(path)) {
      dead.push_back(link);
    } else if (hash != std::string::npos) {
      const std::vector<std::string> anchors = anchorsOf(file.empty() ? page : readFile(path));
      if (std::ranges::find(anchors, link.substr(hash + 1)) == anchors.end()) dead.push_back(link);
    }
  }
  return dead;
}

}  // namespace test
