#include "apps/studio/studio_files.h"

#include <array>

#include "engine/picture/page.h"

namespace cardan::studio {
namespace {

// In the order in which the page reads them.
constexpr std::array<std::string_view, 9> kEditorScripts{
    "codemirror.js",   "yaml.js",   "show-hint.js", "matchbrackets.js", "closebrackets.js",
    "searchcursor.js", "dialog.js", "search.js",    "active-line.js"};
constexpr std::array<std::string_view, 12> kScripts{
    "dom.js",    "server.js",  "splitter.js", "keeper.js", "yaml_place.js", "completion.js",
    "editor.js", "sliders.js", "runs.js",     "files.js",  "panels.js",     "studio.js"};
constexpr std::array<std::string_view, 5> kStyles{"codemirror.css", "show-hint.css", "dialog.css",
                                                  "style.css", "studio.css"};
constexpr const char* kScriptType = "text/javascript; charset=utf-8";

/// The page with its parts and the names of its files put in.
const std::string& index() {
  static const std::string page = [] {
    std::string text(studioFile("index.html")), styles, scripts;
    for (const std::string_view s : kStyles)
      styles += "<link rel=\"stylesheet\" href=\"/" + std::string(s) + "\">\n";
    const auto add = [&](std::string_view s) {
      scripts += "<script src=\"/" + std::string(s) + "\"></script>\n";
    };
    add("three.js");
    for (const std::string_view s : kEditorScripts) add(s);
    for (const std::string_view s : kViewerScripts) add(s);
    for (const std::string_view s : kScripts) add(s);
    const auto put = [&text](const std::string& place, std::string_view with) {
      text.replace(text.find(place), place.size(), with);
    };
    put("@STYLES@", styles);
    put("@VIEW@", studioFile("view.html"));
    put("@SCRIPTS@", scripts);
    return text;
  }();
  return page;
}

}  // namespace

std::vector<PageFile> pageFiles() {
  std::vector<PageFile> files{{"/", "text/html; charset=utf-8", index()}};
  const auto add = [&files](std::string_view name, const char* type) {
    files.push_back({"/" + std::string(name), type, studioFile(name)});
  };
  add("three.js", kScriptType);
  for (const std::string_view s : kEditorScripts) add(s, kScriptType);
  for (const std::string_view s : kViewerScripts) add(s, kScriptType);
  for (const std::string_view s : kScripts) add(s, kScriptType);
  for (const std::string_view s : kStyles) add(s, "text/css; charset=utf-8");
  for (const char* licence : {"three.txt", "codemirror.txt"})
    add(licence, "text/plain; charset=utf-8");
  return files;
}

}  // namespace cardan::studio
