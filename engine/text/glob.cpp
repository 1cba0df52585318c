#include "engine/text/glob.h"

namespace cardan {

bool matchesGlob(std::string_view text, std::string_view glob) {
  // Every star takes as little as it can. What the last * cannot mend no earlier * of the same name
  // can, and the dots leave those of other names no choice; then the last ** takes one more.
  constexpr size_t kNone = std::string_view::npos;
  struct Star {
    size_t glob = kNone;  // behind the star
    size_t text = 0;      // where its characters end
  };
  Star one, all;
  size_t t = 0, g = 0;
  while (true) {
    if (g < glob.size() && glob[g] == '*') {
      const bool crosses = g + 1 < glob.size() && glob[g + 1] == '*';
      while (g < glob.size() && glob[g] == '*') ++g;
      (crosses ? all : one) = {g, t};
      if (crosses) one = {};
    } else if (t < text.size() && g < glob.size() &&
               (glob[g] == '?' ? text[t] != '.' : glob[g] == text[t])) {
      ++t;
      ++g;
    } else if (t == text.size() && g == glob.size()) {
      return true;
    } else if (one.glob != kNone && one.text < text.size() && text[one.text] != '.') {
      t = ++one.text;
      g = one.glob;
    } else if (all.glob != kNone && all.text < text.size()) {
      t = ++all.text;
      g = all.glob;
      one = {};
    } else {
      return false;
    }
  }
}

}  // namespace cardan
