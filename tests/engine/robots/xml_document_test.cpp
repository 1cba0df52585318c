#include "engine/robots/xml_document.h"

#include <doctest/doctest.h>

using namespace cardan;

namespace {

std::string errorsOfXmlDocument(std::string_view text) {
  Diagnostics diagnostics;
  const auto root = parseXml(text, "r.xml", diagnostics);
  CHECK(root.has_value() == (diagnostics.errorCount() == 0));
  return diagnostics.format();
}

}  // namespace

TEST_CASE("XmlDocument: elements and the values of attributes know their places, in characters") {
  Diagnostics diagnostics;
  const auto root = parseXml(
      "\xEF\xBB\xBF<?xml version=\"1.0\"?>\r\n<!-- \xC3\xA4 -->\n"
      "<a \xC3\xA4='\xC3\xB6' b = \"1 &lt; 2\">\n  <c/>text <d x=\"\"/> more\n</a>\n",
      "r.xml", diagnostics);
  REQUIRE(root.has_value());
  CHECK(diagnostics.format().empty());
  CHECK(root->name == "a");
  CHECK(root->mark().line == 3);
  CHECK(root->mark().column == 1);
  REQUIRE(root->attributes.size() == 2);
  CHECK(root->attributes[0].value == "\xC3\xB6");
  CHECK(root->attributes[0].column == 7);
  CHECK(root->attribute("b")->value == "1 < 2");
  CHECK(root->attribute("b")->line == 3);
  CHECK(root->attribute("b")->column == 15);
  REQUIRE(root->child("d") != nullptr);
  CHECK(root->child("d")->line == 4);
  CHECK(root->child("d")->column == 12);
  CHECK(root->child("d")->attribute("x")->column == 18);
  CHECK(root->child("e") == nullptr);
  CHECK(root->text == "text more");
}

TEST_CASE("XmlDocument: what is no XML is an error at its place") {
  CHECK(errorsOfXmlDocument("") == "r.xml: error: the file must hold an XML element");
  CHECK(errorsOfXmlDocument("no tags") == "r.xml: error: the file must hold an XML element");
  CHECK(errorsOfXmlDocument("<a>\n  <b>\n</a>") ==
        "r.xml:3:3: error: broken XML: every start tag must have its end tag, and these must not "
        "cross");
  CHECK(errorsOfXmlDocument("<a b=1/>") ==
        "r.xml:1:6: error: broken XML: an attribute must be 'name=\"value\"', with spaces between "
        "them");
  CHECK(errorsOfXmlDocument("<a/>\n<b/>") ==
        "r.xml:2:1: error: the file must hold one element, <a>, found <b> behind its end");
  CHECK(errorsOfXmlDocument("<a b='1' b='2'/>") ==
        "r.xml:1:10: error: attribute 'b' of <a> is given twice");
  CHECK(errorsOfXmlDocument("<a>\n \xFF</a>") ==
        "r.xml:2:2: error: the file must be UTF-8 text, found another byte");
  CHECK(errorsOfXmlDocument(std::string_view("<a>\0</a>", 8)) ==
        "r.xml:1:4: error: the file must be text, found the control character 0x00");
}

TEST_CASE("XmlDocument: size and depth are bounded") {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "<a>";
  for (int i = 0; i < 200; ++i) deep += "</a>";
  CHECK(errorsOfXmlDocument(deep) ==
        "r.xml:1:301: error: elements must not be nested deeper than 100");
  std::string wide = "<a>";
  for (int i = 0; i < 200'000; ++i) wide += "<b/>";
  CHECK(errorsOfXmlDocument(wide + "</a>").find("must not hold more than 200000 elements") !=
        std::string::npos);
  std::string many;
  for (int i = 0; i < 1'000'000; ++i) many += "<a>";
  CHECK(errorsOfXmlDocument(many) ==
        "r.xml: error: the file must not hold more than 200000 elements");
  CHECK(errorsOfXmlDocument(std::string(20'000'001, ' ')) ==
        "r.xml: error: the file must not be larger than 20 MB");
}
