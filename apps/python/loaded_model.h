/// LoadedModel: a model as it was read, once, with values of parameters on top; it does not change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/model_file/model_file.h"
#include "engine/modelica/import.h"
#include "engine/robots/import.h"
#include "engine/simulation.h"

namespace cardan::python {

class LoadedModel {
 public:
  /// Reads a model file, or a file of another kind. Throws ModelError.
  static std::shared_ptr<LoadedModel> open(const std::string& path, const Overrides& overrides,
                                           const modelica::ImportOptions& modelica,
                                           const robots::ImportOptions& robot);
  /// Reads the text of a model file; `name` stands for the file in messages.
  static std::shared_ptr<LoadedModel> parse(const std::string& text, const std::string& name,
                                            const Overrides& overrides);

  /// The same model with other values. Throws ModelError.
  std::shared_ptr<LoadedModel> with(const Overrides& overrides) const;

  /// A simulation for one run; may be asked for by several threads at once.
  Simulation simulation() const;
  /// The model once more, with `more` behind its values.
  Simulation reloaded(const Overrides& more) const;

  /// Never run: to look at.
  Simulation& prototype() { return prototype_; }
  const Overrides& overrides() const { return overrides_; }
  /// As it was read, and the files it came from.
  const YamlNode& tree() const { return read_->tree; }
  const std::vector<std::string>& files() const { return read_->files; }
  /// What reading it has warned of, a line each.
  std::vector<std::string> warnings() const;

  /// What it was read from, for all values.
  struct Read {
    YamlNode tree;
    std::vector<std::string> files;
    Diagnostics ofImport;
    ModelDocument document{tree, files.front()};
  };
  LoadedModel(std::shared_ptr<const Read> read, const Overrides& overrides);

 private:
  std::shared_ptr<const Read> read_;
  Overrides overrides_;
  Simulation prototype_;
  bool shares_;  ///< simulations of it need not be loaded again
};

}  // namespace cardan::python
