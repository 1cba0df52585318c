/// FlatModel: everything the components of a model have declared, as plain data; nothing is decided
/// yet.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "components/component.h"
#include "engine/structure/encounters.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// A component as it stands in the model.
struct Instance {
  std::string name;  ///< full name ("boxBody1.body")
  std::string type;
  SourceMark at;  ///< of the component in the file; parts of a composite have the composite's
  Component* component = nullptr;
  int parent = -1;  ///< composite that this is a part of, or -1

  /// Full name of what it calls `inner`. The model's own equations have no name: what is theirs is
  /// the model's.
  std::string full(std::string_view inner) const {
    return name.empty() ? std::string(inner) : name + "." + std::string(inner);
  }
};

/// A component to be put into a model, already read.
struct NamedComponent {
  std::string name;
  std::string type;
  SourceMark at;
  std::unique_ptr<Component> component;
};

struct ConnectionStatement {
  std::string a, b;
  SourceMark at_a, at_b;
};

enum class ConnectorKind { frame, flange, input };

struct FlatModel {
  struct Frame {
    int instance;
    std::string name;        ///< full name
    std::vector<int> inner;  ///< of a composite's own frame: connectors inside that it stands for
    bool internal =
        false;  ///< the world's side of a part that is fixed in it: no connector of the user's
  };
  struct Edge {
    int instance;
    const JointLaw* law;  ///< null: it has no coordinates, and only closes loops
    const ClosureLaw* closure;
    FrameId a, b;
    std::vector<UnknownInfo> positions, velocities;
    CutPolicy policy = CutPolicy::normal;
    bool isRoot = false;
    RootRank rank = RootRank::body;

    int nq() const { return law ? law->positions() : 0; }
    int nv() const { return law ? law->velocities() : 0; }
  };
  struct Flange {
    int instance;
    std::string name;
    Domain domain;
    std::vector<int> inner;  ///< as of a frame
  };
  struct AxisBinding {
    FlangeId flange;
    JointId joint;
    int coordinate;
  };
  struct Ground {
    FlangeId flange;
    double potential;
  };
  struct Driven {
    FlangeId flange;
    std::unique_ptr<DrivenPotential> potential;
  };
  struct Input {
    int instance;
    std::string name;
    int size;
    Rate rate;
  };
  struct Unknown {
    int instance;
    UnknownInfo info;
    Kind kind;
  };
  struct Row {
    int instance;
    std::string name;
    int size;
  };
  struct Constraint {
    int instance;
    std::string name;
    std::string unit;  ///< of the position rows
    int positionRows, velocityRows;
  };
  struct Mode {
    int instance;
    std::string name;
    int start;
    bool isHalf = false;  ///< of a number
  };
  struct Number {
    int instance;
    NumberId modes;
  };

  struct Past {
    int instance;
    SignalId signal;
    ModeId stretch;
    double longest;  ///< [s]
  };

  const WorldSettings* world = nullptr;
  std::vector<Instance> instances;
  std::vector<std::unique_ptr<Component>> owned;
  std::vector<Frame> frames;  ///< frames[0] is the world frame
  std::vector<Edge> edges;
  std::vector<Flange> flanges;
  std::vector<AxisBinding> axes;
  std::vector<Ground> grounds;
  std::vector<Affine> affines;
  std::vector<Driven> driven;
  std::vector<Input> inputs;
  std::vector<Unknown> unknowns;
  std::vector<Row> rows;
  std::vector<Constraint> constraints;
  std::vector<Mode> modes;
  std::vector<Number> numbers;  ///< among the modes: those that derivatives follow
  std::vector<Past> pasts;
  std::vector<int> impulses;  ///< ImpulseId -> instance
  std::vector<int> outsides;  ///< OutsideId -> instance
  std::vector<FrameId> massiveFrames;
  std::vector<FlangeId> inertialFlanges;

  struct ConnectorRef {
    ConnectorKind kind;
    int index;
  };
  std::map<std::string, ConnectorRef, std::less<>> connectors;  ///< by full name

  std::vector<std::pair<int, int>> frameConnections;   ///< pairs of frame connectors
  std::vector<std::pair<int, int>> flangeConnections;  ///< pairs of flanges
  struct SignalConnection {
    std::string source;  ///< full name of an output, or of an input (then one set)
    int input;
    int element = -1;  ///< of a vector input; -1: all of it
    SourceMark at;
  };
  std::vector<SignalConnection> signalConnections;
  /// Neither frames nor flanges of one kind, nor a source with an input: checkConnections() tells
  /// why.
  std::vector<ConnectionStatement> otherConnections;

  Encounters encounters;  ///< of its shapes

  const Instance& instanceOf(const Edge& e) const { return instances[e.instance]; }
  /// The user's component that an instance is, or is a part of; -1 of -1.
  int wholeOf(int instance) const {
    while (instance >= 0 && instances[instance].parent >= 0) instance = instances[instance].parent;
    return instance;
  }
  std::string typeAndName(int instance) const;  ///< "Revolute 'j1'"
  /// `some`, per instance, with all that belongs to the same outermost composites: their parts may
  /// read each other's variables.
  std::vector<bool> withComposites(std::vector<bool> some) const;
};

/// Components with their connections.
struct Additions {
  std::vector<NamedComponent> components;
  std::vector<ConnectionStatement> connections;
};
/// What comes into a model once all that it is told of is there.
using MakeAdditions = std::function<Additions(FlatModel&)>;

/// Declares all components and resolves the connections, then those that `additions` gives. Errors
/// go to `diagnostics`.
FlatModel makeFlatModel(const WorldSettings& world, std::vector<NamedComponent> components,
                        const std::vector<ConnectionStatement>& connections,
                        Diagnostics& diagnostics, const MakeAdditions& additions = nullptr);

/// Reports the connections that are none: `isOutput` knows the names of signal outputs.
void checkConnections(const FlatModel& flatModel,
                      const std::function<bool(const std::string&)>& isOutput,
                      Diagnostics& diagnostics);

}  // namespace cardan
