/// Pages of the project as a test reads them: fenced blocks, tables, headings and links.
#pragma once

#include <string>
#include <vector>

namespace test {

/// What stands between two lines of ```.
struct Block {
  std::string kind;  ///< the word behind the opening ```; "" if there is none
  std::string text;
  int line = 0;  ///< of the opening ```, from 1

  /// The name of the file that it is, from a first line "# NAME.yaml"; else "".
  std::string fileName() const;
  /// The model that it is a piece of, from a first line "# in NAME.yaml"; else "".
  std::string modelName() const;
};

struct MarkdownTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

std::vector<Block> blocksOf(const std::string& page);
std::vector<MarkdownTable> tablesOf(const std::string& page);
/// Targets of links and pictures: "[text](target)".
std::vector<std::string> linksOf(const std::string& page);
/// The anchors that headings make, as GitHub names them: "What differs" -> "what-differs".
std::vector<std::string> anchorsOf(const std::string& page);
/// All pieces of code in a line: between two backticks.
std::vector<std::string> codeOf(const std::string& text);

/// Every white space one blank.
std::string inOneLine(const std::string& text);
/// Why `shown` is no part of `output`, wherever lines are broken; a line "..." stands for anything.
/// "" if it is one.
std::string missingIn(const std::string& output, const std::string& shown);

/// Links of a page that lead nowhere: to files that are not there, to headings that a page does not
/// have. `folder` is the page's.
std::vector<std::string> deadLinksOf(const std::string& page, const std::string& folder);

}  // namespace test
