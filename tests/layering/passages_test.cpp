// Each idea once: no passage of the product stands twice, but for those that passages.txt explains.
#include "tests/layering/passages.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;

constexpr int kLines = 10;  // shorter ones may be alike by the language's doing

std::string textOf(const fs::path& file) {
  std::ifstream input(file);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

SourceTokens product() {
  const fs::path root = CARDAN_SOURCE_DIR;
  std::vector<fs::path> files;
  for (const char* folder : {"frames", "components", "engine", "apps"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  SourceTokens source;
  for (const fs::path& file : files) source.add(fs::relative(file, root), textOf(file));
  return source;
}

std::vector<Explanation> explanations() {
  return explanationsOf(textOf(CARDAN_SOURCE_DIR "/tests/layering/passages.txt"));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n" + line;
  return text;
}

// Ten lines that count, each of another shape.
const std::string kPassage = R"(double mean(const std::vector<double>& values) {
  double sum = 0;
  int count = 0;
  for (const double value : values) {
    if (value < 0) continue;
    sum += value * value;
    ++count;
  }
  const double part = sum / count;
  report("mean", part);
  return std::sqrt(part);
}
)";

int found(const std::string& other) {
  SourceTokens source;
  source.add("one.cpp", kPassage);
  source.add("two.cpp", other);
  return static_cast<int>(repetitions(source, kLines).size());
}

std::string replaced(const std::string& from, const std::string& to) {
  return std::regex_replace(kPassage, std::regex(from), to);
}

}  // namespace

TEST_CASE("house: what stands twice is explained, and what is explained stands twice") {
  const auto errors = unexplained(product(), kLines, explanations());
  INFO(joined(errors));
  CHECK(errors.empty());
}

TEST_CASE("house: a file that is planted once more under other names is seen") {
  SourceTokens source = product();
  const std::string planted =
      std::regex_replace(textOf(CARDAN_SOURCE_DIR "/engine/integration/root_search.cpp"),
                         std::regex("\\b(root|Root|time|values?)(\\w*)"), "other_$1$2");
  source.add("engine/planted.cpp", planted);
  const auto errors = unexplained(source, kLines, explanations());
  REQUIRE(!errors.empty());
  CHECK(errors.back().starts_with("engine/planted.cpp:"));
  CHECK(errors.back().find("stand at engine/integration/root_search.cpp:") != std::string::npos);
}

TEST_CASE("passages: names, numbers, texts, comments and layout hide nothing") {
  CHECK(found(kPassage) == 1);
  CHECK(found(replaced("\\bsum\\b", "total")) == 1);
  CHECK(found(replaced("= 0;", "= 1.5e3;")) == 1);
  CHECK(found(replaced("\"mean\"", "\"root of the mean // square\"")) == 1);
  CHECK(found(replaced("\\+\\+count;", "++count;  // of the valid ones")) == 1);
  CHECK(found(replaced("\n  ", "\n\n  /* a\n comment */ ")) == 1);
  CHECK(found("#include <cmath>\nint other;\n" + replaced("sum / count", "sum /\n      count")) ==
        1);
}

TEST_CASE("passages: another word, another use of a name and a shorter passage are none") {
  CHECK(found(replaced("\\+=", "-=")) == 0);
  CHECK(found(replaced("double sum", "int sum")) == 0);
  CHECK(found(replaced("sqrt\\(part\\)", "sqrt(sum)")) == 0);
  CHECK(found(replaced("  report.*\n", "")) == 0);
}

TEST_CASE("passages: the rows of a table and promised overrides are no lines") {
  std::string table;
  for (int i = 0; i < 40; ++i) table += "  if (kind == 3)\n    return \"a reason\";\n";
  std::string promises;
  for (const char* name : {"read(int r)", "declare(S& s, int)", "describe(V v) const", "go()"})
    promises += std::string("  void ") + name + " override;\n";
  for (const std::string& text : {table, promises + promises}) {
    SourceTokens source;
    source.add("one.cpp", text + "int f();");
    source.add("two.cpp", text + "void g(int);");
    CHECK(repetitions(source, 5).empty());
  }
}

TEST_CASE("explanations: one for each repetition, and none for what is not there") {
  SourceTokens source;
  source.add("one.cpp", kPassage);
  source.add("two.cpp", kPassage);
  CHECK(joined(unexplained(source, kLines, {})) ==
        "\ntwo.cpp:1: error: 10 lines, to 12, stand at one.cpp:1 already, but for what names are "
        "called");
  const auto says = [&](const std::string& text) {
    return joined(unexplained(source, kLines, explanationsOf(text)));
  };
  CHECK(says("# why\n\none.cpp ~ two.cpp: int count = 0; | both count").empty());
  CHECK(says("one.cpp ~ two.cpp: int count = 0; | both count\n"
             "one.cpp ~ three.cpp: int count = 0; | both count") ==
        "\nthree.cpp: error: an explanation of what stands in one.cpp too meets nothing: int count "
        "= 0;");
  CHECK(says("one.cpp ~ two.cpp: int sum = 0; | both count").find("meets nothing: int sum") !=
        std::string::npos);
  CHECK(says("one.cpp ~ two.cpp: int count = 0;").find("no explanation: one.cpp ~ two.cpp") !=
        std::string::npos);
}
