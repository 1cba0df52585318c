// Tables that stand in files of their own: what is read is what stands there, and mistakes are told
// where they are.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/model_file/table_file.h"
#include "engine/modelica/import.h"
#include "engine/simulation.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

Trajectory tableRun(const std::string& text, const std::string& name) {
  Simulation s = Simulation::fromText(catalogue(), text, name);
  Trajectory rows;
  s.run(rows);
  return rows;
}

std::string tableModel(const std::string& type, const std::string& table,
                       const std::string& more = "") {
  const std::string input = type == "CombiTable2Ds"   ? ", u1: \"3*time\", u2: \"2 - time\""
                            : type == "CombiTable1Ds" ? ", u: \"3*time - 1\""
                            : type == "CombiTable1Dv" ? ", u: [\"3*time - 1\", time]"
                                                      : "";
  return fmt::format(
      "components:\n  x: {{type: Blocks.{}, {}{}{}}}\n"
      "simulation: {{stop: 2, interval: 0.01}}\noutputs: [x.y]\n",
      type, table, input, more);
}

/// What is wrong with the text of a table's file.
std::string mistakesIn(const std::string& text, const TableFile& wanted = {}) {
  Diagnostics diagnostics;
  const auto table = parseTableFile(text, "t.txt", wanted, diagnostics);
  CHECK(table.has_value() == (diagnostics.errorCount() == 0));
  return diagnostics.format();
}

Eigen::MatrixXd valuesIn(const std::string& text, const TableFile& wanted = {}) {
  Diagnostics diagnostics;
  const auto table = parseTableFile(text, "t.txt", wanted, diagnostics);
  REQUIRE_MESSAGE(table.has_value(), diagnostics.format());
  CHECK(table->rows.size() == static_cast<size_t>(table->values.rows()));
  return table->values;
}

}  // namespace

TEST_CASE("tables on files: signals and events are those of the same table in the model") {
  const test::Folder folder;
  const std::string rows = "[[0, 1, 4], [0.5, 2, 3], [0.5, 0, 3], [1.25, -1, 0]]";
  const std::string rising = "[[0, 1, 4], [0.5, 2, 3], [1, 0, 3], [1.25, -1, 0]]";
  folder.write(
      "data/t.txt",
      "#1\n# two tables\ndouble jumps(4,3) # with a jump\n  0 1 4\n 0.5 2 3\n"
      "0.5,0,3\n1.25\t-1\n 0\n\nfloat rising(4, 3)\n0 1 4\n0.5 2 3 1 0 3\n1.25 -1 0 # end");
  folder.write("data/jumps.csv", "\"time\";a [m];b\r\n0;1;4\r\n0,5;2;3\r\n5e-1;0;3\r\n1,25;-1;0\r");
  folder.write("data/rising.csv", "0 1 4\n# a comment\n5e-1  2 +3\n1 0 3\n1.25 -1 0");
  const std::string model = folder / "m.yaml";
  for (const std::string type :
       {"CombiTimeTable", "CombiTable1Ds", "CombiTable1Dv", "CombiTable2Ds"}) {
    CAPTURE(type);
    const bool overTime = type == "CombiTimeTable";
    const std::string name = overTime ? "jumps" : "rising";
    for (const std::string more :
         {"", ", extrapolation: HoldLastPoint", ", smoothness: ConstantSegments"}) {
      CAPTURE(more);
      const std::string extra = more + (type == "CombiTimeTable" ? ", columns: [3, 2]" : "");
      const Trajectory in =
          tableRun(tableModel(type, "table: " + (overTime ? rows : rising), extra), model);
      const Trajectory text = tableRun(
          tableModel(type, "tableOnFile: true, fileName: data/t.txt, tableName: " + name, extra),
          model);
      const Trajectory csv = tableRun(
          tableModel(type, "tableOnFile: true, fileName: data/" + name + ".csv", extra), model);
      REQUIRE(text.time() == in.time());
      REQUIRE(csv.time() == in.time());

      for (const Column& c : in.columns()) {
        const std::string& column = c.name;
        CHECK(text[column] == in[column]);
        CHECK(csv[column] == in[column]);
      }
    }
  }
}

TEST_CASE("tables on files: the path is relative to the file that names it") {
  const test::Folder folder;
  folder.write("parts/t.csv", "0,1\n1,3");
  folder.write("parts/part.yaml",
               "submodels:\n  Part:\n    components:\n      c: {type: Blocks.CombiTimeTable, "
               "tableOnFile: true, fileName: t.csv}");
  folder.write(
      "m.yaml",
      "include: [parts/part.yaml]\ncomponents:\n  p: {type: Part}\noutputs: [\"p.c.y[1]\"]");
  Simulation s(catalogue(), folder / "m.yaml");
  Trajectory rows;
  s.run(rows);
  CHECK(rows["p.c.y[1]"].back() == 3);
  // A run writes over no file that it was made from.
  CHECK(s.source().included.back() == (folder / "parts/t.csv"));
}

TEST_CASE("tables on files: text in all its forms") {
  using Matrix = Eigen::MatrixXd;
  const Matrix two = (Matrix(2, 2) << 0, 1, 2, -3.5).finished();
  CHECK(valuesIn("#1\ndouble t(2,2)\n0 1\n2 -3.5\n") == two);
  CHECK(valuesIn("#1 \r\ndouble t ( 2 , 2 ) 0 1 2 -3.5") == two);
  CHECK(valuesIn("#1\ndouble a(1,1)\n7\ndouble t(2,2)\n0,1\n2,-3.5\n", {"", "t", "", -1}) == two);
  CHECK(valuesIn("0,1\n2,-3.5") == two);
  CHECK(valuesIn("0,1,\n2,-3.5,\n") == two);
  CHECK(valuesIn("\xEF\xBB\xBFx\ty\n0\t1\n\n2\t-3.5\n") == two);
  CHECK(valuesIn("\"x, in m\",y\n0,1\n2,-3.5\n") == two);
  CHECK(valuesIn("x;y\n0;1\n2;-3,5\n") == two);
  CHECK(valuesIn("  0   1\n2 -35e-1\n") == two);
  CHECK(valuesIn("a line\nanother, one\n0|1\n2|-3.5\n", {"", "", "|", 2}) == two);
  CHECK(valuesIn(",1\n2,-3.5\n") == two);  // the corner of a table over two inputs
}

TEST_CASE("tables on files: mistakes with their places") {
  CHECK(mistakesIn("#1\ndouble t(2,2)\n0 1\n2 x\n") ==
        "t.txt:4:3: error: 't' must have finite numbers, found 'x'");
  CHECK(mistakesIn("#1\ndouble t(3,2)\n0 1\n2 3\n") ==
        "t.txt:2:1: error: 't' must have 3 x 2 numbers, found 4");
  CHECK(mistakesIn("#1\ndouble s(2,2)\n0 1\n2\ndouble t(1,1)\n3\n") ==
        "t.txt:2:1: error: 's' must have 2 x 2 numbers, found 3");
  CHECK(mistakesIn("#1\ndouble t(1,2)\n0 1 2\n") ==
        "t.txt:3:5: error: 't' must end after 1 x 2 numbers, found '2'");
  CHECK(mistakesIn("#1\ndouble t(1,2)\n0 1\n2 3\n") ==
        "t.txt:4:1: error: a table must begin with 'double NAME(rows,columns)', found '2 3'");
  CHECK(mistakesIn("#1\ndouble t(1.5,0)\n") ==
        "t.txt:2:10: error: the numbers of rows and columns of 't' must be whole and above zero, "
        "found '1.5'\n"
        "t.txt:2:14: error: the numbers of rows and columns of 't' must be whole and above zero, "
        "found '0'");
  CHECK(mistakesIn("#1\ndouble t(2 2)\n") ==
        "t.txt:2:1: error: a table must begin with 'double NAME(rows,columns)', found 'double t(2 "
        "2)'");
  CHECK(mistakesIn("#1\ndouble t(100000,100000)\n") ==
        "t.txt:2:1: error: 't' must not have more than 20 million numbers");
  CHECK(mistakesIn("#1\n# nothing\n") ==
        "t.txt: error: the file must have a table, as 'double NAME(rows,columns)'");
  const std::string several = "#1\ndouble speed(1,2)\n0 1\ndouble load(1,2)\n0 1\n";
  CHECK(mistakesIn(several) ==
        "t.txt: error: the file has several tables: 'tableName' must be one of speed, load");
  CHECK(mistakesIn(several, {"", "lod", "", -1}) ==
        "t.txt: error: there is no table 'lod'; did you mean 'load'? the file has speed, load");
  CHECK(mistakesIn(several + "double load(1,1)\n0\n", {"", "load", "", -1}) ==
        "t.txt:6:1: error: the table 'load' is in the file twice");
  CHECK(mistakesIn("x,y\n0,1\n1,two\n2\n3,nan\n") ==
        "t.txt:3:3: error: a row must have finite numbers, found 'two'\n"
        "t.txt:4:1: error: the row must have 2 columns as the first one, found 1\n"
        "t.txt:5:3: error: a row must have finite numbers, found 'nan'");
  CHECK(mistakesIn("x,y\n") == "t.txt: error: the file must have rows of numbers");
  CHECK(mistakesIn("") == "t.txt: error: the file must have rows of numbers");
  CHECK(mistakesIn("x\n", {"", "", "", 3}) ==
        "t.txt: error: the file must have more than 3 lines ('nHeaderLines')");
  CHECK(mistakesIn(std::string("MATLAB\0x", 8)) ==
        "t.txt: error: the file of a table must be text (#1 and 'double NAME(rows,columns)', or "
        "CSV), found bytes that are none; of MATLAB's files those of versions 4 to 6 are read");
  std::string many = "0,0\n";
  for (int i = 0; i < 50; ++i) many += "a,b\n";
  const std::string told = mistakesIn(many);
  CHECK(std::ranges::count(told, '\n') == 10);
  CHECK(
      told.ends_with("t.txt:6:3: error: a row must have finite numbers, found 'b'\n"
                     "t.txt:6:3: note: what comes after it is not looked at"));
}

TEST_CASE("tables on files: a model that uses one wrongly is told where") {
  const test::Folder folder;
  folder.write("falls.csv", "t,x\n0,1\n2,1\n1,3");
  folder.write("one.csv", "0\n1");
  folder.write("word.txt", "#1\ndouble t(1,2)\n0 a");
  const std::string model = folder / "m.yaml";
  const auto told = [&](const std::string& type, const std::string& arguments) {
    try {
      Simulation::fromText(catalogue(), tableModel(type, arguments), model);
    } catch (const ModelError& e) {
      return folder.shortened(e.what());
    }
    return std::string("no error");
  };
  CHECK(
      told("CombiTimeTable", "tableOnFile: true, fileName: falls.csv") ==
      "falls.csv:4:1: error: Blocks.CombiTimeTable 'x': 'table' must not fall in its first column");
  CHECK(told("CombiTable1Ds", "table: [[0, 1], [1, 2], [1, 3]]") ==
        "m.yaml:2:42: error: Blocks.CombiTable1Ds 'x': 'table' must rise in its first column");
  CHECK(told("CombiTable1Ds", "tableOnFile: true, fileName: one.csv") ==
        "m.yaml:2:3: error: Blocks.CombiTable1Ds 'x': 'table' must have at least two columns");
  CHECK(told("CombiTable1Ds", "tableOnFile: true, fileName: none.csv") ==
        "m.yaml:2:64: error: Blocks.CombiTable1Ds 'x': cannot read the file of the table "
        "'none.csv'");
  CHECK(told("CombiTable2Ds", "tableOnFile: true, fileName: word.txt") ==
        "word.txt:3:3: error: 't' must have finite numbers, found 'a'\n"
        "m.yaml:2:64: note: Blocks.CombiTable2Ds 'x' reads it here");
  CHECK(told("CombiTable1Ds", "tableOnFile: true") ==
        "m.yaml:2:48: error: Blocks.CombiTable1Ds 'x': 'tableOnFile' is true, but no 'fileName' is "
        "given");
  CHECK(told("CombiTable1Ds", "fileName: falls.csv") ==
        "m.yaml:2:3: error: Blocks.CombiTable1Ds 'x': 'table' must have at least one row\n"
        "m.yaml:2:45: error: Blocks.CombiTable1Ds 'x': 'fileName' is read with tableOnFile: true "
        "only");
  CHECK(told("CombiTimeTable", "tableOnFile: true, fileName: falls.csv, table: [[0, 1], [1, 2]]") ==
        "m.yaml:2:83: error: Blocks.CombiTimeTable 'x': 'table' must not be given where it is read "
        "from a file");
}

/// As MATLAB writes them: a file is the matrices one behind the other.
TEST_CASE("tables on files: matrices of MATLAB's version 4, of any number and order of bytes") {
  bool isBig = false;
  const auto bytes = [&](auto x) {
    std::string one(reinterpret_cast<const char*>(&x), sizeof x);
    if (isBig != (std::endian::native == std::endian::big)) std::ranges::reverse(one);
    return one;
  };
  const auto head = [&](int code, int rows, int columns, int isComplex, const std::string& name) {
    std::string text;
    for (const int i : {code + (isBig ? 1000 : 0), rows, columns, isComplex, int(name.size()) + 1})
      text += bytes(std::int32_t{i});
    return text + name + '\0';
  };
  const auto matrix = [&]<class T>(int type, T, const std::string& name) {
    std::string text = head(10 * type, 2, 3, 0, name);
    for (const int i : {1, 2, 3, 4, 5, 250}) text += bytes(T(i));
    return text;
  };
  for (const bool big : {false, true}) {
    CAPTURE(big);
    isBig = big;
    const std::string letters = head(51, 1, 2, 0, "text") + "ab";
    const std::string complex = head(50, 1, 1, 1, "complex") + "ab";
    const std::string file = letters + matrix(0, double{}, "a") + complex +
                             matrix(1, float{}, "b") + matrix(2, std::int32_t{}, "c") +
                             matrix(3, std::int16_t{}, "d") + matrix(4, std::uint16_t{}, "e") +
                             matrix(5, std::uint8_t{}, "f");
    Eigen::MatrixXd expected(2, 3);
    expected << 1, 3, 5, 2, 4, 250;
    for (const char* name : {"a", "b", "c", "d", "e", "f"})
      CHECK(valuesIn(file, {"", name, "", -1}) == expected);
    CHECK(valuesIn(letters + matrix(3, std::int16_t{}, "d")) == expected);
    CHECK(mistakesIn(file) ==
          "t.txt: error: the file has several tables: 'tableName' must be one of a, b, c, d, e, f");
    CHECK(mistakesIn(file, {"", "text", "", -1})
              .starts_with("t.txt: error: there is no table 'text'"));
    CHECK(mistakesIn(letters) == "t.txt: error: the file must have a matrix of real numbers");
    CHECK(mistakesIn(file.substr(0, file.size() - 1), {"", "a", "", -1}) ==
          "t.txt: error: matrix 8 of the file must have 2 x 3 numbers, found the end of the file");
    CHECK(mistakesIn(file + "more", {"", "a", "", -1}) ==
          "t.txt: error: matrix 9 of the file must begin as those of MATLAB's version 4");
    CHECK(mistakesIn(head(0, 1 << 30, 1 << 30, 0, "a")) ==
          "t.txt: error: matrix 1 of the file must have 1073741824 x 1073741824 numbers, found the "
          "end of the file");
    CHECK(mistakesIn(head(0, 0, 3, 0, "a")) ==
          "t.txt: error: 'a' must have numbers, and not more than 20 million");
    CHECK(mistakesIn(head(0, 1, 1, 0, "a") + bytes(std::nan(""))) ==
          "t.txt: error: 'a' must have finite numbers");
  }
}

/// Of versions 5 and 6: elements of a type and bytes, those of a matrix inside of one.
TEST_CASE(
    "tables on files: matrices of MATLAB's versions 5 and 6, of any number and order of bytes") {
  bool isBig = false;
  const auto bytes = [&](auto x) {
    std::string one(reinterpret_cast<const char*>(&x), sizeof x);
    if (isBig != (std::endian::native == std::endian::big)) std::ranges::reverse(one);
    return one;
  };
  const auto element = [&](std::uint32_t type, const std::string& data) {
    const bool isSmall = !data.empty() && data.size() <= 4;
    std::string text = isSmall ? bytes(std::uint32_t(data.size() << 16 | type))
                               : bytes(type) + bytes(std::uint32_t(data.size()));
    text += data;
    return text + std::string((8 - text.size() % 8) % 8, '\0');
  };
  const auto head = [&](std::uint32_t kind, int rows, int columns, const std::string& name) {
    return element(6, bytes(kind) + bytes(std::uint32_t{0})) +
           element(5, bytes(std::int32_t{rows}) + bytes(std::int32_t{columns})) + element(1, name);
  };
  const auto matrix = [&]<class T>(std::uint32_t type, T, const std::string& name) {
    std::string numbers;
    for (const int i : {1, 2, 3, 4, 5, 100}) numbers += bytes(T(i));
    return element(14, head(6, 2, 3, name) + element(type, numbers));
  };
  for (const bool big : {false, true}) {
    CAPTURE(big);
    isBig = big;
    const std::string start =
        std::string(124, ' ') + bytes(std::uint16_t{0x100}) + bytes(std::uint16_t{0x4d49});
    const std::string letters = element(14, head(4, 1, 2, "text") + element(16, "ab"));
    const std::string complex = element(14, head(0x806, 1, 1, "complex") + element(9, bytes(1.0)));
    const std::string file = start + letters + matrix(9, double{}, "a long name") + complex +
                             matrix(7, float{}, "b") + matrix(5, std::int32_t{}, "c") +
                             matrix(3, std::int16_t{}, "d") + matrix(4, std::uint16_t{}, "e") +
                             matrix(2, std::uint8_t{}, "f") + matrix(1, std::int8_t{}, "g") +
                             matrix(6, std::uint32_t{}, "h");
    Eigen::MatrixXd expected(2, 3);
    expected << 1, 3, 5, 2, 4, 100;
    for (const char* name : {"a long name", "b", "c", "d", "e", "f", "g", "h"})
      CHECK(valuesIn(file, {"", name, "", -1}) == expected);
    CHECK(mistakesIn(file, {"", "text", "", -1})
              .starts_with("t.txt: error: there is no table 'text'"));
    CHECK(
        mistakesIn(start + element(15, "packed bytes")) ==
        "t.txt: error: element 1 of the file is compressed, which is not read; save the file with "
        "'-v6'");
    CHECK(mistakesIn(file.substr(0, file.size() - 8)) ==
          "t.txt: error: element 10 of the file must be a matrix, found the end of it");
    CHECK(mistakesIn(start + element(14, head(6, 2, 1 << 30, "a") + element(9, bytes(1.0)))) ==
          "t.txt: error: element 1 of the file must have 2 x 1073741824 numbers, found 8 bytes");
  }
}

/// The library's own function leaves it to its tool where the file lies, and so does one of the model.
TEST_CASE("tables on files: Modelica's models name them, too, by the folder of their package") {
  for (const std::string resource : {"Modelica.Utilities.Files.loadResource", "loadResource"}) {
    CAPTURE(resource);
    const test::Folder folder;
    folder.write("Drives/package.mo",
                 "package Drives\n  model Cycle\n    parameter Boolean onFile = not false;\n"
                 "    Modelica.Blocks.Sources.CombiTimeTable table(tableOnFile = onFile, tableName "
                 "= \"v\", fileName = " +
                     resource +
                     "(\"modelica://Drives/Resources/v.txt\"));\n"
                     "    function loadResource input String uri; output String path;\n"
                     "    external \"C\"; end loadResource;\n"
                     "    annotation (experiment(StopTime = 2));\n  end Cycle;\nend Drives;");
    folder.write("Drives/Resources/v.txt", "#1\ndouble v(2,2)\n0 1\n2 5");
    modelica::ImportOptions options;
    options.readsModelicaPath = false;
    options.className = "Drives.Cycle";
    Diagnostics diagnostics;
    const auto model =
        modelica::importModel(catalogue(), folder / "Drives/package.mo", options, diagnostics);
    REQUIRE_MESSAGE(model.has_value(), diagnostics.format());
    CHECK(model->text().find("columns: [2]") != std::string::npos);
    Simulation s = Simulation::fromTree(catalogue(), model->tree(), model->files);
    Trajectory rows;
    RunOptions run;
    run.outputs = {"table.y[1]"};
    s.run(rows, run);
    CHECK(rows["table.y[1]"].back() == 5);
  }
}
