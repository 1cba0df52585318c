/// Connections: sets of connectors, through connectors of composites and buses, and what a model
/// file has to say to unite the same ones.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan::modelica {

/// A connector of a component of the catalogue.
struct ConnectorEnd {
  std::string path;
  bool isInput = false;
};

/// Connectors are nodes of a tree of names; nodes that are united have all their children united,
/// name by name (buses, vectors of signals).
class Connections {
 public:
  struct Connection {
    std::string a, b;
    SourceMark at;
  };
  /// Gets an input and the variable that drives it.
  using Bind = std::function<void(const std::string&, const std::string&, const SourceMark&)>;

  /// Says that a connector is one of a component.
  void addEnd(const std::string& path, bool isInput);
  /// Says that a connector of a composite has a value by an equation; `isSignal`: an input or an output.
  void addVariable(const std::string& path, bool isSignal);
  /// `within`: the composite whose statement it is, "" for the model.
  void connect(const std::string& a, const std::string& b, const std::string& within,
               const SourceMark& at);

  /// Call before what follows.
  void finish();
  /// Where the signal of a connector comes from, also of one with an index; "": from nowhere.
  std::string sourceOf(const std::string& path) const;
  /// A component's connector that is united with this one, of those whose name begins with `inside`
  /// if there are any; "" if there is none.
  std::string endOf(const std::string& path, const std::string& inside) const;
  /// All components' connectors that are united with this one.
  std::vector<std::string> endsAt(const std::string& path) const;
  /// The component's connector that the statements of a composite connect its own one with; "" if
  /// there is none.
  std::string innerEnd(const std::string& path) const;
  /// What the statements of a composite connect its own connector with, of its own.
  std::vector<std::string> connectedInside(const std::string& path) const;
  std::vector<std::string> connectedInside(const std::string& path,
                                           const std::string& composite) const {
    return partnersOf(path, composite + ".");
  }
  /// All components' connectors that the statements of a composite, and of those in it, unite with its
  /// own one: what flows into them is what flows into it. None if it is united with another one of its
  /// own, which leaves the share of each open.
  std::vector<std::string> innerEnds(const std::string& path) const;
  /// Where connectors are, for the connections to write.
  struct Places {
    /// The innermost body around a name, by its name; "" for the model.
    std::function<std::string(const std::string&)> bodyOf;
    /// True of connectors that stand for all they are united with inside their body.
    std::function<bool(const std::string&)> isExported;
    /// The component's connector that a body's own connector stands for; others as they are.
    std::function<std::string(const std::string&)> endOf;
  };
  /// The connections to write, in the order of the statements, united inside each body first; inputs
  /// that a variable drives go to `bind(input, variable)`.
  std::vector<Connection> write(Diagnostics& diagnostics, const Places& places,
                                const Bind& bind) const;

 private:
  struct Node {
    int united = -1;  ///< the node that stands for it
    std::map<std::string, int> children;
  };
  struct Statement {
    int a;  ///< the node of the first, united with that of the other
    std::string aPath, bPath, within;
    SourceMark at;
  };
  struct Member {
    std::string path;
    bool isInput = false;
    bool isDerived = false;  ///< an element of a vector that is in a set as a whole
  };

  struct Variable {
    std::string path;
    bool isSignal = false;
  };

  /// Ends that are one, by who stands for them.
  using Groups = std::map<std::string, std::string>;
  static std::string groupOf(const Groups& groups, std::string path);

  int standing(int node) const;
  int node(const std::string& path);
  int found(const std::string& path) const;
  void unite(int a, int b);
  const std::vector<Member>& membersOf(int set) const;
  const Member* memberOf(int set, const std::string& path) const;
  bool isEnd(const std::string& path) const { return memberOf(found(path), path); }
  bool isSignal(int set) const;
  std::vector<std::string> partnersOf(const std::string& path, const std::string& owner) const;
  void writeEnds(int set, const Statement& s, const Places& places, Groups& groups,
                 std::vector<Connection>& out) const;
  bool haveOneSource(int set, const Statement& s, Diagnostics& diagnostics) const;
  void writeSignals(int set, const Statement& s, const Bind& bind, std::vector<Connection>& out,
                    std::map<std::string, bool>& done) const;

  std::vector<Node> nodes_{Node{}};
  std::map<int, std::vector<ConnectorEnd>> ends_;  ///< by node, then by set
  std::map<int, std::vector<Variable>> variables_;
  std::map<int, std::vector<Member>> members_;  ///< by set
  std::vector<Statement> statements_;
  std::multimap<std::string, size_t> statementsOf_;  ///< by connector
};

}  // namespace cardan::modelica
