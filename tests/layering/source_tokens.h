/// The sources as one row of tokens: what their lines say, without comments, includes and layout.
#pragma once

#include <map>
#include <string>
#include <vector>

class SourceTokens {
 public:
  struct Line {
    std::string file;
    int number;        ///< from 1
    std::string text;  ///< without the blanks around it
    int begin;         ///< its first token
    bool counts;       ///< has words, is no further row of a table and declares no override
  };

  /// Puts a file behind those that are there.
  void add(const std::string& file, const std::string& text);

  const std::vector<Line>& lines() const { return lines_; }
  int size() const { return static_cast<int>(tokens_.size()); }
  int lineOf(int token) const { return tokens_[token].line; }

  /// What a token says in a passage that begins at token `from`: a word, or of a name how many tokens
  /// ago the passage had it last. Passages that agree in this are equal but for what names are called.
  int meaning(int token, int from) const;

 private:
  struct Token {
    int word;
    bool name;
    int before;  ///< where the same word stood last; -1 where nowhere
    int line;
  };

  void addLine(const std::string& code);
  void addToken(const std::string& word, bool name);
  bool sameShapeAsLast(int line) const;

  std::vector<Line> lines_;
  std::vector<Token> tokens_;
  std::map<std::string, int> words_;
  std::vector<int> last_;  ///< of each word
};
