/// Makes what the fuzzer starts from: `fuzz_corpus SOURCE FOLDER` writes a folder of inputs for
/// every target and a dictionary of the language, out of the models and tests of the tree and of
/// the catalogue.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "engine/text/yaml_document.h"
#include "tests/fuzz/vocabulary.h"

namespace {

namespace fs = std::filesystem;
using namespace cardan;

constexpr size_t kRows = 8;  ///< of a result
constexpr size_t kLongestExpression = 300;

std::string textOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> filesOf(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == extension)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string unescaped(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      c = text[++i];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    result += c;
  }
  return result;
}

/// Contents of the string literals of a source: raw ones, or the plain ones of a line.
std::vector<std::string> literalsOf(const std::string& source, bool raw) {
  std::vector<std::string> result;
  const std::string open = raw ? "R\"(" : "\"";
  const std::string close = raw ? ")\"" : "\"";
  for (size_t at = 0; (at = source.find(open, at)) != std::string::npos;) {
    const size_t first = at + open.size();
    size_t last = source.find(close, first);
    while (!raw && last != std::string::npos && source[last - 1] == '\\') {
      last = source.find(close, last + 1);
    }
    if (last == std::string::npos) break;
    std::string text = source.substr(first, last - first);
    if (raw || text.find('\n') == std::string::npos) {
      result.push_back(raw ? std::move(text) : unescaped(text));
    }
    at = last + close.size();
  }
  return result;
}

void collectScalars(const YamlNode& node, std::set<std::string>& texts) {
  if (node.isScalar() && node.text.size() < kLongestExpression) texts.insert(node.text);
  for (const YamlNode& item : node.items) collectScalars(item, texts);
  for (const YamlNode::Entry& entry : node.entries) collectScalars(entry.value, texts);
}

std::string firstRows(const std::string& table) {
  size_t end = 0;
  for (size_t row = 0; row <= kRows && end < table.size(); ++row) {
    end = std::min(table.find('\n', end), table.size() - 1) + 1;
  }
  return table.substr(0, end);
}

/// A matrix 1 x 2 of doubles, of level 4 and of level 5.
std::vector<std::string> matlabFiles() {
  const auto words = [](std::initializer_list<std::int32_t> all) {
    return std::string(reinterpret_cast<const char*>(all.begin()), 4 * all.size());
  };
  const double numbers[] = {1, 2.5};
  const std::string data(reinterpret_cast<const char*>(numbers), sizeof numbers);
  const std::string name("a\0", 2), version("\0\1IM", 4);
  return {words({0, 1, 2, 0, 2}) + name + data,
          std::string(124, ' ') + version +
              words({14, 64, 6, 8, 6, 0, 5, 8, 1, 2, 0x10001, 'a', 9, 16}) + data};
}

/// Files with numbers for names, each text once.
class Folder {
 public:
  Folder(const fs::path& root, const std::string& target) : path_(root / target) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  void add(const std::string& text) {
    if (!texts_.insert(text).second) return;
    std::string name = std::to_string(texts_.size());
    name.insert(0, 5 - std::min<size_t>(name.size(), 5), '0');
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

 private:
  fs::path path_;
  std::set<std::string> texts_;
};

void writeDictionary(const fs::path& path) {
  const fuzz::Vocabulary& words = fuzz::vocabulary();
  std::set<std::string> all;
  for (const auto& type : words.types) {
    all.insert(type.name);
    all.insert(type.connectors.begin(), type.connectors.end());
  }
  for (const auto* list : {&words.sections, &words.keys, &words.functions, &words.operators,
                           &words.numbers, &words.expressions}) {
    all.insert(list->begin(), list->end());
  }
  std::ofstream file(path);
  for (const std::string& word : all) {
    std::string escaped;
    for (const char c : word) {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
    file << '"' << escaped << "\"\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: fuzz_corpus SOURCE FOLDER\n";
    return 2;
  }
  const fs::path source = argv[1], folder = argv[2];
  std::vector<std::string> models;
  for (const fs::path& path : filesOf(source / "models", ".yaml")) models.push_back(textOf(path));
  std::vector<std::string> tables;
  for (const fs::path& path : filesOf(source / "models", ".csv")) {
    tables.push_back(firstRows(textOf(path)));
  }
  std::set<std::string> expressions;
  std::vector<std::string> modelica;
  for (const fs::path& path : filesOf(source / "models", ".mo")) modelica.push_back(textOf(path));
  std::vector<std::string> robots, mujoco;
  for (const fs::path& path : filesOf(source / "models", ".urdf")) robots.push_back(textOf(path));
  for (const fs::path& path : filesOf(source / "tests", ".cpp")) {
    const std::string text = textOf(path);
    for (std::string& literal : literalsOf(text, true)) {
      if (literal.find("\nend ") != std::string::npos) modelica.push_back(literal);
      if (literal.find("<mujoco") != std::string::npos) mujoco.push_back(literal);
      if (literal.find("components:") != std::string::npos) models.push_back(std::move(literal));
    }
    if (path.filename() == "expression_test.cpp" ||
        path.filename() == "orientation_functions_test.cpp") {
      for (std::string& literal : literalsOf(text, false)) expressions.insert(std::move(literal));
    }
    if (path.filename() == "comparison_test.cpp") {
      for (const std::string& literal : literalsOf(text, false)) {
        if (literal.find('\n') != std::string::npos) tables.push_back(literal);
      }
    }
  }

  Folder files(folder, "model_file"), starts(folder, "model_start"), texts(folder, "expression"),
      settings(folder, "overrides"), results(folder, "result_table"), inputs(folder, "input_file"),
      sources(folder, "modelica"), requests(folder, "http_request"), robotFiles(folder, "urdf"),
      mujocoFiles(folder, "mjcf"), tableFiles(folder, "table_file");
  for (const std::string& table : tables) tableFiles.add(table);
  tableFiles.add("#1\ndouble a(2,3)\n0 1 2\n1 2.5 4 # comment\nfloat b(1,1)\n7\n");
  for (const std::string& file : matlabFiles()) tableFiles.add(file);
  for (const std::string& text : mujoco) mujocoFiles.add(text);
  for (const std::string& text : robots) robotFiles.add(text);
  for (const std::string& text : modelica) sources.add(text);
  for (const std::string& model : models) {
    files.add(model);
    starts.add(model);
    Diagnostics ignored;
    if (const auto root = parseYaml(model, "", ignored)) collectScalars(*root, expressions);
  }
  for (const auto& type : fuzz::vocabulary().types) {
    files.add(fuzz::specimenModel(type));
    starts.add(fuzz::specimenModel(type));
  }
  for (const std::string& text : fuzz::vocabulary().expressions) expressions.insert(text);
  for (const std::string& f : fuzz::vocabulary().functions) {
    for (const char* arguments : {"(x)", "(x, y)", "(r)", "(r, r)", "(T)", "(A)", "(A, r)", "()"}) {
      expressions.insert(f + arguments);
    }
  }
  for (const std::string& text : expressions) texts.add(text);
  for (const char* text :
       {"L=2", "r[2]=0.3", "pin.phi.start=45*deg", "link.length=half", "world.g=0\nL=1", "M=[[1]]",
        "body.I_11={fixed: false, start: 1}", "motor.tau=2*pin.w", "law=nonlinear", "isOn=false",
        "link.bar.width=0.1", "table.table=[[0, 0], [1, 1], [2, 4]]", "link.color=[0, 0, 0]",
        "pin.n=[0, 1, 0]", "body.m=1e-6\nbody.r_CM=[1e3, 0, 0]", "pin.useAxisFlange=false"}) {
    settings.add(text);
  }
  for (const char* text :
       {"GET / HTTP/1.1\r\nHost: 127.0.0.1:4823\r\n\r\n",
        "POST /api/file HTTP/1.1\r\nHost: localhost:4823\r\nOrigin: http://127.0.0.1:4823\r\n"
        "X-Cardan-Token: right\r\nContent-Length: 6\r\n\r\nm.yaml",
        "POST /api/run HTTP/1.0\r\nhost:evil.example\r\nSec-Fetch-Site: cross-site\r\n"
        "Transfer-Encoding: chunked\r\n\r\n../../etc/passwd",
        "PUT /%2e%2e/ HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\na/../b"}) {
    requests.add(text);
  }
  for (const char* text :
       {"time,u\n0,0\n1,1\n", "time,u\n0,0\n0.3,1\n0.3,2\n0.7,0\n",
        "time,u,v[1],v[2]\n0,0,0,1\n0.1,1,0,2\n0.2,0,1,3\n0.30000000000000004,1,1,0\n1,0,2,0\n",
        "time,v[2],other\n0.25,1,1\n0.5,2,1\n", "time,u\n-1,3\n2,1e6\n"}) {
    inputs.add(text);
  }
  for (size_t i = 0; i < tables.size(); ++i) {
    results.add(tables[i]);
    results.add(tables[i] + "\n---\n" + tables[(i + 1) % tables.size()]);
    results.add(tables[i] + "\n---\n" + tables[i]);
  }
  writeDictionary(folder / "dictionary");
  return 0;
}
