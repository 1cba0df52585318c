#include "engine/text/yaml_document.h"

#include <doctest/doctest.h>

#include <string>

using namespace cardan;

namespace {

std::string errorsOfYamlDocument(std::string_view text) {
  Diagnostics diagnostics;
  const auto root = parseYaml(text, "m.yaml", diagnostics);
  if (root) reportDuplicateKeysBelow(*root, diagnostics);
  return diagnostics.format();
}

YamlNode parsed(std::string_view text) {
  Diagnostics diagnostics;
  auto root = parseYaml(text, "m.yaml", diagnostics);
  REQUIRE_MESSAGE(root, diagnostics.format());
  return *root;
}

std::string repeated(std::string_view text, size_t bytes) {
  std::string s;
  while (s.size() < bytes) s += text;
  return s;
}

}  // namespace

TEST_CASE("YamlNode: values keep their kind, text and place") {
  const YamlNode root = parsed("a: 1\nb: [x, \"y z\"]\nc: {d: null, e: ~, f: }\n");
  REQUIRE(root.isMap());
  CHECK(root.find("a")->text == "1");
  CHECK(root.find("a")->mark().line == 1);
  CHECK(root.find("a")->mark().column == 4);
  const YamlNode& b = *root.find("b");
  REQUIRE(b.items.size() == 2);
  CHECK_FALSE(b.items[0].quoted);
  CHECK(b.items[1].quoted);
  CHECK(b.items[1].text == "y z");
  CHECK(b.items[1].column == 8);
  CHECK(b.items[1].markInText(2).column == 11);
  CHECK(root.find("c")->find("d")->isNull());
  CHECK(root.find("c")->find("e")->isNull());
  CHECK(root.find("c")->find("f")->isNull());
  CHECK(root.find("c")->entries[1].keyMark().column == 14);
  CHECK(root.find("x") == nullptr);
  CHECK(root.find("a")->mark().file == "m.yaml");
}

TEST_CASE("YamlNode: columns count characters, lines any line break") {
  const YamlNode root = parsed(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: [\xC3\xA9\xC3\xA9, x]\r\n");
  CHECK(root.find("a")->column == 4);
  CHECK(root.find("b")->line == 2);
  CHECK(root.find("b")->items[1].column == 9);
}

TEST_CASE("YamlNode: names with indices need no quotes in lists and maps") {
  const YamlNode root = parsed("[path.q[1], R.T[2,3], a.b[1].c, 'k[1]', [1, 2], x]");
  REQUIRE(root.items.size() == 6);
  CHECK(root.items[0].text == "path.q[1]");
  CHECK(root.items[1].text == "R.T[2,3]");
  CHECK(root.items[2].text == "a.b[1].c");
  CHECK(root.items[3].text == "k[1]");
  CHECK(root.items[4].items.size() == 2);
  CHECK(root.items[5].column == 49);
  CHECK(parsed("{sine1[1]: 3}").find("sine1[1]")->text == "3");
  CHECK(parsed("a[1]: [[1, 2], [3, 4]]").find("a[1]")->items[1].items[0].text == "3");
}

TEST_CASE("YamlNode: an alias is its value again") {
  const YamlNode root = parsed("a: &r [1, 2]\nb: *r\n");
  CHECK(root.find("b")->items.size() == 2);
}

TEST_CASE("YAML errors: syntax in plain words, at its place") {
  CHECK(errorsOfYamlDocument("") == "m.yaml: error: the file must not be empty");
  CHECK(errorsOfYamlDocument("# nothing\n") == "m.yaml: error: the file must not be empty");
  CHECK(errorsOfYamlDocument("a: [1, 2\nb: 3") ==
        "m.yaml:2:2: error: a list opened with '[' must have ',' between its values and end with "
        "']'");
  CHECK(errorsOfYamlDocument("{a: 1 b: 2}") ==
        "m.yaml:1:8: error: a map opened with '{' must have ',' between its entries and end with "
        "'}'");
  CHECK(errorsOfYamlDocument("a: {b:[1]}") ==
        "m.yaml:1:7: error: a map opened with '{' must have ',' between its entries and end with "
        "'}'; is the "
        "space behind ':' missing?");
  CHECK(errorsOfYamlDocument("a: 1\n  b: 2") ==
        "m.yaml:2:4: error: a ':' must not stand here; check the indentation, and put a text that "
        "holds ': ' "
        "in quotes");
  CHECK(errorsOfYamlDocument("a: \"x") ==
        "m.yaml:1:6: error: a text in quotes must end with the same quote");
  CHECK(errorsOfYamlDocument("a: \"b\" c") ==
        "m.yaml:1:8: error: only the next 'key: value' of the map may stand here; check the "
        "indentation and "
        "the quotes");
  CHECK(errorsOfYamlDocument("a: ]") ==
        "m.yaml:1:4: error: there is no '[' or '{' that this bracket closes");
  CHECK(errorsOfYamlDocument("a: @x") ==
        "m.yaml:1:4: error: a value must not start with this character; put it in quotes");
  CHECK(errorsOfYamlDocument("a: *x") ==
        "m.yaml:1:4: error: an alias must repeat a value that has an anchor");
  CHECK(errorsOfYamlDocument("&x [*x]") ==
        "m.yaml:1:5: error: an alias must not stand inside the value it repeats");
  CHECK(errorsOfYamlDocument("a: 1\n---\nb: 2") ==
        "m.yaml:2:1: error: the file must hold one YAML document, found more behind its end");
  CHECK(errorsOfYamlDocument("? [a]\n: 3") ==
        "m.yaml:1:3: error: a key must be a word, found a list of 1");
  CHECK(errorsOfYamlDocument("a: !!str 3") ==
        "m.yaml:1:4: error: YAML tags are not supported, found 'tag:yaml.org,2002:str'");
}

TEST_CASE("YAML errors: characters that are no text") {
  CHECK(errorsOfYamlDocument(std::string_view("a: \0b", 5)) ==
        "m.yaml:1:4: error: the file must be text, found the control character 0x00");
  CHECK(errorsOfYamlDocument("a: \x01") ==
        "m.yaml:1:4: error: the file must be text, found the control character 0x01");
  CHECK(errorsOfYamlDocument("a: \xFF") ==
        "m.yaml:1:4: error: the file must be UTF-8 text, found another byte");
  CHECK(errorsOfYamlDocument("a: \xC0\xAF") ==
        "m.yaml:1:4: error: the file must be UTF-8 text, found another byte");
  CHECK(errorsOfYamlDocument("a: \xED\xA0\x80") ==
        "m.yaml:1:4: error: the file must be UTF-8 text, found another byte");
  CHECK(errorsOfYamlDocument("a:\n\tb: 1") ==
        "m.yaml:2:1: error: lines must be indented with spaces, found a tab");
}

TEST_CASE("YAML errors: a key given twice, with the place of the first") {
  CHECK(errorsOfYamlDocument("a: {m: 1, n: 2, m: 3}") ==
        "m.yaml:1:17: error: key 'm' is given twice\nm.yaml:1:5: note: first given here");
}

TEST_CASE("YAML errors: neither size nor depth exhausts memory or stack") {
  const std::string deep = "lists and maps must not be nested deeper than 100";
  CHECK(errorsOfYamlDocument(std::string(10'000'000, '[')) == "m.yaml:1:101: error: " + deep);
  for (const char* text :
       {"[", "{", "[{", "[a,", "{a: ", "- ", "? ", "[[", "- - ", "{a: 1, b: ["}) {
    INFO(text);
    CHECK(errorsOfYamlDocument(repeated(text, 200'000)).find(deep) != std::string::npos);
  }
  CHECK(errorsOfYamlDocument(std::string(100, '[') + std::string(100, ']')).empty());
  CHECK(errorsOfYamlDocument(std::string(kMaxYamlBytes + 1, 'a')) ==
        "m.yaml: error: the file must not be larger than 20 MB");
  CHECK(errorsOfYamlDocument("[" + repeated("a,", 2'100'000) + "]")
            .find("the file must not hold more than 1000000 values") != std::string::npos);
}

TEST_CASE("YAML errors: aliases of aliases stay bounded") {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [" + before;
    for (int k = 0; k < 9; ++k) laughs += ", " + before;
    laughs += "]\n";
  }
  CHECK(errorsOfYamlDocument(laughs).find("the file must not hold more than 1000000 values") !=
        std::string::npos);
  std::string tower = "a0: &a0 [x]\n";
  for (int i = 1; i < 200; ++i) {
    tower += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
             "]\n";
  }
  CHECK(errorsOfYamlDocument(tower).find("nested deeper than 100") != std::string::npos);
}

TEST_CASE("readYaml: a file that is not there") {
  Diagnostics diagnostics;
  CHECK_FALSE(readYaml("/nowhere/m.yaml", diagnostics));
  CHECK(diagnostics.format() ==
        "/nowhere/m.yaml: error: cannot read the file: No such file or directory");
  Diagnostics folder;
  CHECK_FALSE(readYaml("/tmp", folder));
  CHECK(folder.format() == "/tmp: error: cannot read the file: Is a directory");
}
