#include "engine/picture/page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/picture/embedded_file.h"
#include "engine/text/escaped.h"
#include "engine/version.h"

namespace cardan {
namespace {

using PageJson = nlohmann::ordered_json;

constexpr size_t kMostNumbersInText = 16;  // further ones are bytes

std::string base64(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
  };
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (size_t k = 0; k < 4; ++k) {
      const bool there = i + k <= bytes.size();
      text += there ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

/// A script's text must not hold "</".
std::string inScript(std::string text) {
  for (size_t i = 0; (i = text.find("</", i)) != std::string::npos; i += 3)
    text.insert(i + 1, "\\");
  for (size_t i = 0; (i = text.find("<!--", i)) != std::string::npos; i += 5)
    text.insert(i + 1, "\\");
  return text;
}

class PageWriter {
 public:
  explicit PageWriter(const Scene& scene) : scene_(scene) {}

  /// The scene's numbers lie in the bytes.
  PageData write(bool spatial, const std::vector<std::string>& shown) {
    PageJson data{{"title", scene_.title},           {"description", scene_.description},
                  {"times", scene_.times},           {"up", scene_.up},
                  {"lowest", scene_.lowest},         {"highest", scene_.highest},
                  {"events", scene_.events},         {"followed", scene_.followed},
                  {"traced", scene_.traced},         {"frames", PageJson::array()},
                  {"meshes", PageJson::array()},     {"items", PageJson::array()},
                  {"components", PageJson::array()}, {"curves", PageJson::array()}};
    for (const Scene::Chapter& c : scene_.chapters)
      data["chapters"].push_back({{"name", c.name}, {"from", c.from}, {"to", c.to}});
    if (spatial) addScene(data);
    for (const Scene::Curve& c : scene_.curves) {
      PageJson curve{{"name", c.name},
                     {"unit", c.unit},
                     {"description", c.description},
                     {"values", floats(c.values)}};
      if (!c.times.empty()) curve["times"] = times(c.times);
      if (c.panel >= 0) curve["panel"] = c.panel;
      if (c.dashed) curve["dash"] = {6, 4};
      if (!spatial || std::ranges::find(shown, c.name) != shown.end()) curve["shown"] = true;
      data["curves"].push_back(std::move(curve));
    }
    return {data.dump(-1, ' ', false, PageJson::error_handler_t::replace), std::move(bytes_)};
  }

 private:
  void addScene(PageJson& data) {
    for (const Scene::Frame& f : scene_.frames) {
      PageJson frame{{"name", f.name}};
      if (f.carried.base >= 0) {
        frame.update(
            {{"base", f.carried.base}, {"r_rel", f.carried.r_rel}, {"q_rel", f.carried.q_rel}});
      } else {
        frame.update({{"r", floats(f.r.values)}, {"q", floats(f.q.values)}});
      }
      data["frames"].push_back(std::move(frame));
    }
    for (const Mesh& m : scene_.meshes) {
      PageJson mesh{{"positions", bytesOf(m.positions)}, {"indices", bytesOf(m.indices)}};
      if (!m.normals.empty()) mesh["normals"] = bytesOf(m.normals);
      if (!m.colors.empty()) mesh["colors"] = bytesOf(m.colors);
      for (const std::vector<float>& t : m.targets) mesh["targets"].push_back(bytesOf(t));
      if (m.lines) mesh["lines"] = true;
      if (m.closed) mesh["closed"] = true;
      data["meshes"].push_back(std::move(mesh));
    }
    addItems(data["items"], scene_.items);
    if (!scene_.contactForces.empty()) addItems(data["contactForces"], scene_.contactForces);
    for (const Scene::Component& c : scene_.components) {
      PageJson parameters = PageJson::array();
      for (const auto& [name, value] : c.parameters) parameters.push_back({name, value});
      data["components"].push_back(
          {{"name", c.name}, {"type", c.type}, {"parameters", std::move(parameters)}});
    }
  }

  void addItems(PageJson& list, const std::vector<Scene::Item>& items) {
    for (const Scene::Item& i : items) {
      PageJson item{{"component", i.component},
                    {"name", i.name},
                    {"frame", i.frame},
                    {"mesh", i.mesh},
                    {"r", floats(i.r.values)},
                    {"q", floats(i.q.values)},
                    {"scale", floats(i.scale.values)},
                    {"weights", floats(i.weights.values)},
                    {"color", floats(i.color.values)},
                    {"colorWidth", i.color.width},
                    {"specular", i.specular},
                    {"opacity", i.opacity}};
      list.push_back(std::move(item));
    }
  }

  PageJson times(const std::vector<double>& x) {
    while (bytes_.size() % 8 != 0) bytes_.push_back('\0');
    PageJson place = bytesOf(x);
    place["double"] = true;
    return place;
  }
  PageJson floats(const std::vector<float>& x) {
    if (x.size() > kMostNumbersInText) return bytesOf(x);
    PageJson list = PageJson::array();
    for (const float v : x) list.push_back(v);
    return list;
  }
  /// A place in the page's bytes.
  template <class T>
  PageJson bytesOf(const std::vector<T>& x) {
    while (bytes_.size() % 4 != 0) bytes_.push_back('\0');
    PageJson place{{"at", bytes_.size()}, {"count", x.size()}};
    bytes_.append(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T));
    return place;
  }

  const Scene& scene_;
  std::string bytes_;
};

std::string pageOf(const Scene& scene, const PageData& data, bool spatial) {
  std::string page(embeddedFile("page.html"));
  const auto put = [&page](const std::string& place, std::string_view text) {
    if (const size_t i = page.find(place); i != std::string::npos)
      page.replace(i, place.size(), text);
  };
  put("@VERSION@", version);
  put("@TITLE@", escapedXml(scene.title));
  put("@KIND@", spatial ? "spatial" : "flat");
  put("@STYLE@", embeddedFile("style.css"));
  put("@VIEW@", embeddedFile("view.html"));
  std::string script;
  for (const std::string_view file : kViewerScripts) script += embeddedFile(file);
  put("@SCRIPT@", script += embeddedFile("page.js"));
  std::string three;
  if (spatial) {
    three = "<script id=\"three-licence\" type=\"text/plain\">\n" +
            inScript(std::string(embeddedFile("three.txt"))) + "</script>\n<script>\n" +
            inScript(std::string(embeddedFile("three.js"))) + "\n</script>";
  }
  put("@THREE@", three);
  put("@DATA@", inScript(data.json));
  put("@BLOB@", base64(data.bytes));
  return page;
}

}  // namespace

bool canDrawPages() { return !embeddedFile("three.js").empty(); }

const char* whyNoPages() {
  return "this program was built without three.js, which draws in a page: install it (on Debian "
         "'apt-get install libjs-three') and build again with './cardan build'; .glb files do not "
         "need it";
}

PageData pageData(const Scene& scene, const std::vector<std::string>& shown) {
  return PageWriter(scene).write(true, shown);
}

std::string formatPage(const Scene& scene, const std::vector<std::string>& shown) {
  return pageOf(scene, pageData(scene, shown), true);
}

std::string formatCurvePage(const Scene& scene) {
  return pageOf(scene, PageWriter(scene).write(false, {}), false);
}

}  // namespace cardan
