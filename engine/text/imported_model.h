/// ImportedModel: what a model file says, as it was found in a file of another kind; and ModelFormat: such
/// a kind, and who reads it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// What the model and each of its submodels have.
struct ImportedSections {
  struct Entry {
    std::string name;
    YamlNode value;
    std::string comment;
    SourceMark at;  ///< of the name
  };
  struct Part {
    std::string name;
    std::string type;
    YamlNode arguments;  ///< a map
    std::string comment;
    SourceMark at;
    SourceMark typeAt;
  };
  struct Connection {
    std::string a, b;
    SourceMark at;
  };

  std::vector<Entry> parameters;
  std::vector<Part> components;
  std::vector<Connection> connections;
  std::vector<Entry> connectors;  ///< of a submodel: the value is the connector of a part
  std::vector<Entry> variables;
  std::vector<Entry> equations, initialEquations;  ///< the value is the text
  std::vector<Entry> whens, assertions;            ///< the value is a map

  /// The sections as text, each line `indent` spaces from the margin; `middle` stands between the
  /// parameters and the components.
  std::string text(size_t indent, const std::string& middle = "") const;
};

struct ImportedModel : ImportedSections {
  struct Submodel : ImportedSections {
    std::string name;
    std::string description;
    SourceMark at;
  };

  std::string name;
  std::string source;  ///< what it was in that file, where that is another name
  std::string description;
  SourceMark at;
  std::vector<Entry> inputs;  ///< the value is what they are until something else is said
  std::optional<Part> world;
  std::vector<Submodel> submodels;
  std::vector<Entry> contacts, simulation;
  std::vector<std::string> files;  ///< that were read
  std::vector<std::string> fixed;  ///< parameters that nothing outside may change

  /// Throws ModelError where overrides, `name=value`, are of fixed parameters.
  void checkOverrides(const std::vector<std::string>& overrides) const;
  /// The model file as a tree, every value with its place in the files that were read.
  YamlNode tree() const;
  /// The model file as a text.
  std::string text() const;
};

/// A kind of file that is no model file, and how it becomes a model.
struct ModelFormat {
  /// True of names of such files.
  std::function<bool(std::string_view path)> owns;
  /// Reads one. Everything that is wrong is in the diagnostics; nothing is returned then.
  std::function<std::optional<ImportedModel>(const Catalogue&, const std::string& path,
                                             Diagnostics&)>
      read;
};

/// Whoever puts a program together says which there are: {modelicaFormat(), robotFormat()}.
using ModelFormats = std::vector<ModelFormat>;

/// The model of a file by the first format that it belongs to; nothing where it belongs to none.
/// Throws ModelError with all that is wrong; else `warnings` gets what is not.
std::optional<ImportedModel> importedModel(const Catalogue& catalogue, const ModelFormats& formats,
                                           const std::string& path, Diagnostics& warnings);

/// A map with nothing in it, for entries that stand at a place.
YamlNode emptyMap(const SourceMark& at);
/// The same of lists.
YamlNode listOf(std::vector<YamlNode> items, const SourceMark& at);
void addEntry(YamlNode& map, const std::string& key, YamlNode value, const SourceMark& at);
YamlNode textNode(const std::string& text, const SourceMark& at);
/// True of values that are written alike, wherever they stand.
bool saysTheSame(const YamlNode& a, const YamlNode& b);
/// An expression that stands otherwise in the file that was read: its errors are located at its beginning,
/// as those of a block of text are.
YamlNode expressionNode(const std::string& text, const SourceMark& at);

}  // namespace cardan
