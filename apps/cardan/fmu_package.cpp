#include "apps/cardan/fmu_package.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "apps/cardan/console.h"
#include "apps/cardan/fmu_libraries.h"
#include "apps/cardan/fmu_xml.h"
#include "apps/cardan/run_options.h"
#include "apps/cosimulation/scratch_folder.h"
#include "apps/cosimulation/types.h"
#include "apps/cosimulation/zip_file.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/picture/pictures.h"
#include "engine/results/output_file.h"
#include "engine/results/run_settings.h"
#include "engine/text/escaped.h"
#include "engine/text/file_text.h"
#include "engine/version.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = 1'000'000'000;  // of one file

std::string contentOf(const std::string& path) {
  Diagnostics diagnostics;
  auto text = readFileText(path, kMostBytes, "file", diagnostics);
  diagnostics.throwIfErrors();
  return std::move(*text);
}

/// The model's files as they lie in resources/, with which everything is tried.
class ModelCopy {
 public:
  ModelCopy(const ModelOptions& options, const Simulation& loaded) : overrides_(options.overrides) {
    Diagnostics ignored;
    if (const auto imported = options.import(options.path, ignored)) {
      file_ = fs::path("model") / (fs::path(options.path).stem().string() + ".yaml");
      put(file_, imported->text());
    } else {
      if (options.path == "-") refuse("a model from standard input has no file; write it to one");
      copyFiles(loaded.source());
    }
    const Simulation tried = load({});
    for (const std::string& f : sourcesOf(tried.source())) {
      const std::string inside = fs::absolute(f).lexically_relative(scratch_.path()).string();
      if (inside.empty() || inside.starts_with(".."))
        refuse("the model reads '" + f +
               "' by a path that no FMU can carry; name the file "
               "relative to the one that reads it");
    }
  }

  Simulation load(const Overrides& more) const {
    Overrides all = overrides_;
    all.insert(all.end(), more.begin(), more.end());
    return {allTypes(), (scratch_.path() / file_).string(), all};
  }
  const fs::path& file() const { return file_; }
  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }

 private:
  /// All in one folder that has them as they lie to each other.
  void copyFiles(const ModelSource& model) {
    std::vector<fs::path> paths;
    for (const std::string& f : sourcesOf(model))
      paths.push_back(fs::absolute(f).lexically_normal());
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    fs::path above = paths.front().parent_path();
    const auto isBelow = [&](const fs::path& p) {
      const fs::path relative = p.lexically_relative(above);
      return !relative.empty() && *relative.begin() != "..";
    };
    while (!std::ranges::all_of(paths, isBelow)) above = above.parent_path();
    for (const fs::path& p : paths) put("model" / p.lexically_relative(above), contentOf(p));
    file_ = "model" / fs::absolute(model.file).lexically_normal().lexically_relative(above);
  }

  void put(const fs::path& name, const std::string& content) {
    fs::create_directories((scratch_.path() / name).parent_path());
    writeTextFile((scratch_.path() / name).string(), content);
    files_.emplace_back(name.string(), content);
  }

  ScratchFolder scratch_;
  Overrides overrides_;
  fs::path file_;
  std::vector<std::pair<std::string, std::string>> files_;
};

/// Of all that makes an FMU what it is: alike for two exports of the same, and for no others.
std::string tokenOf(const std::string& description, const ModelCopy& copy, int fmiVersion) {
  std::uint64_t sums[] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
  const auto add = [&](std::string_view text) {
    for (std::uint64_t& sum : sums) {
      for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
      sum = (sum ^ text.size()) * 0x100000001b3u;
    }
  };
  add(fmt::format("{} {} {}", fmiVersion, version, revision));
  add(description);
  for (const auto& [name, content] : copy.files()) {
    add(name);
    add(content);
  }
  const std::string hex = fmt::format("{:016x}{:016x}", sums[0], sums[1]);
  return fmt::format("{{{}-{}-{}-{}-{}}}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

/// What an importer's user sees of it.
struct Looks {
  std::string page;
  std::string icon;  ///< .png of the start; "": none
};

/// Of the default run; without three.js and libpng, or where the run fails, no pictures.
Looks looksOf(Simulation& simulation, const FmuRequest& request) {
  Looks looks;
  const ModelSource& source = simulation.source();
  if (!request.noPage) {
    const ScratchFolder scratch;
    const auto written = [&](RunPicture& picture, const char* name, const StillOptions& still) {
      const std::string path = (scratch.path() / name).string();
      try {
        picture.write(path, still);
        return contentOf(path);
      } catch (const ModelError&) {  // a program without what it takes
        return std::string();
      }
    };
    RunPicture picture(simulation);
    Trajectory rows;
    std::string failed;
    try {
      picture.run(rows);
    } catch (const SolverError& e) {
      failed = e.what();
    }
    if (!failed.empty() && !request.quiet)
      printMessages("warning: the default run fails: " + failed);
    if (!rows.time().empty()) {
      looks.page = written(picture, "index.html", {});
      looks.icon =
          written(picture, "icon.png", {.time = rows.time().front(), .width = 256, .height = 256});
    }
  }
  if (!looks.page.empty()) return looks;
  looks.page = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>" +
               escapedXml(source.name) + "</title></head>\n<body><h1>" + escapedXml(source.name) +
               "</h1>\n<p>" + escapedXml(source.description) + "</p></body></html>\n";
  return looks;
}

/// A name that C understands.
std::string identifierOf(const std::string& name) {
  std::string id;
  for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) ? "_" + id : id;
}

const char* platform(int fmiVersion) {
#if defined(__aarch64__)
  return fmiVersion == 3 ? "aarch64-linux" : "linux64";
#else
  return fmiVersion == 3 ? "x86_64-linux" : "linux64";
#endif
}

std::string processorsOf(const std::string& processor) {
  if (processor == "native") return "processors like this machine's (the preset 'portable': any)";
  if (processor == "x86-64") return "any x86-64 processor";
  return processor + " processors";
}

FmuDescription describe(Simulation& simulation, const FmuRequest& request, const ModelCopy& copy,
                        const Overrides& overrides, std::vector<std::string>& dropped) {
  const ModelSource& source = simulation.source();
  const RunSettings settings = settingsOf(source, {});
  for (const std::string& o : overrides) {
    if (o.find_first_of("\t\n\r") != std::string::npos)
      refuse("--set '" + o + "' must be one line without tabs, for an FMU to carry it");
  }
  FmuDescription fmu;
  fmu.name = source.name;
  fmu.file = copy.file().string();
  fmu.overrides = overrides;
  fmu.start = settings.start;
  fmu.stop = settings.stop;
  fmu.interval = settings.interval;
  fmu.tolerance = settings.tolerance;
  fmu.variables = fmuVariables(
      simulation, request.choice, [&](const Overrides& more) { return copy.load(more); }, dropped);
  Simulation exchanged = copy.load({});
  addExchange(fmu, exchanged, request.version);
  fmu.token = tokenOf(fmu.write(), copy, request.version);
  return fmu;
}

void printSummary(const FmuDescription& fmu, const FmuRequest& request,
                  const FmuLibraries& libraries, const std::vector<std::string>& dropped) {
  const auto count = [&](auto isOne) { return std::ranges::count_if(fmu.variables, isOne); };
  if (!dropped.empty())
    printMessages("warning: cannot be set, as --set does not take it: " +
                  fmt::format("{}", fmt::join(dropped, ", ")));
  if (!fmu.noExchange.empty()) printMessages("no model exchange: " + fmu.noExchange);
  printMessages(fmt::format(
      "{}: FMI {}.0, {}co-simulation, {} inputs, {} outputs, {} parameters; for {}", request.output,
      request.version,
      fmu.noExchange.empty() ? fmt::format("model exchange ({} states) and ", fmu.states) : "",
      count([](const FmuVariable& v) { return v.role == FmuRole::input; }),
      count([](const FmuVariable& v) { return v.isOutput; }), count([](const FmuVariable& v) {
        return v.role == FmuRole::parameter || v.role == FmuRole::tunable;
      }),
      processorsOf(libraries.processor)));
}

}  // namespace

void writeFmu(const ModelOptions& model, const FmuRequest& request) {
  if (const std::string why = ZipFile::whyNone(); !why.empty()) refuse(why);
  const FmuLibraries libraries = FmuLibraries::find();
  Simulation& simulation = model.load(request.quiet);
  refuseLibrary(simulation.source());
  refuseOutside(simulation, "an FMU cannot hold it, as it is native code of others");
  protectFiles({{request.output, "--output-file"}}, sourcesOf(simulation.source()));
  const ModelCopy copy(model, simulation);
  std::vector<std::string> dropped;
  const FmuDescription fmu = describe(simulation, request, copy, model.overrides, dropped);
  const std::string identifier = identifierOf(fmu.name);

  ZipFile zip;
  zip.add("modelDescription.xml",
          modelDescriptionXml(fmu, request.version, identifier, simulation.source().description));
  zip.add("resources/cardan.txt", fmu.write());
  for (const auto& [name, content] : copy.files()) zip.add("resources/" + name, content);
  const Looks looks = looksOf(simulation, request);
  zip.add("documentation/index.html", looks.page);
  if (!looks.icon.empty())
    zip.add(request.version == 3 ? "terminalsAndIcons/icon.png" : "model.png", looks.icon);
  zip.add("documentation/licenses/license.txt", libraries.licences());
  for (const FmuLibraries::File& f : libraries.licenceFiles())
    zip.add("documentation/licenses/" + f.name, contentOf(f.path));
  const std::string binaries = std::string("binaries/") + platform(request.version) + "/";
  zip.add(binaries + identifier + ".so", contentOf(libraries.runtime));
  for (const FmuLibraries::File& f : libraries.needed)
    zip.add(binaries + f.name, contentOf(f.path));
  zip.write(request.output);
  if (!request.quiet) printSummary(fmu, request, libraries, dropped);
}

}  // namespace cardan
