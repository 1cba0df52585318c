/// TextPlaces: the way from the bytes of a text to lines and columns of its file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

class TextPlaces {
 public:
  TextPlaces(std::string_view text, const std::string& path);

  const std::shared_ptr<const std::string>& path() const { return path_; }
  int lines() const { return static_cast<int>(lineStarts_.size()); }
  /// Byte at which a line begins, 1-based.
  std::size_t start(int line) const { return lineStarts_[static_cast<std::size_t>(line) - 1]; }
  /// Column of a byte of a line, both 1-based, counted in characters.
  int column(int line, std::size_t at) const;
  std::pair<int, int> place(std::size_t at) const;
  SourceMark mark(std::size_t at) const;

 private:
  std::shared_ptr<const std::string> path_;
  std::size_t size_;
  std::vector<std::size_t> lineStarts_{0};
  std::vector<std::size_t> continuations_;  ///< bytes that are not the first of their character
};

/// Bytes that no file of text holds are an error, of which the first is reported: false.
bool checkText(std::string_view text, const TextPlaces& places, Diagnostics& diagnostics);

}  // namespace cardan
