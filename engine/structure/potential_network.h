/// PotentialNetwork: one-dimensional parts (flanges, pins, heat ports) reduced to independent
/// coordinates.
///
/// Every node's potential is an affine function of sources: coordinates of joints, potentials that
/// a component drives, and coordinates of the network's own. Flows go back by the transpose:
/// virtual work.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/flat_model.h"

namespace cardan {

/// Force or torque flows there.
inline bool isMechanical(Domain d) { return d == Domain::Rotational || d == Domain::Translational; }

struct PotentialNetwork {
  enum class SourceKind {
    joint,     ///< coordinate of a joint
    driven,    ///< given by a component
    inertial,  ///< own coordinate with position and velocity
    massless,  ///< own coordinate, an unknown whose row says: sum of flows = 0; pins and heat ports
               ///< are always of this kind
  };
  struct Source {
    SourceKind kind;
    int index;  ///< axis binding, driven entry, or own number among its kind
    Domain domain;
    std::string name;   ///< flange that gives it its name
    bool state = true;  ///< of a massless one: its rate is read, so that its potential is a state
  };
  struct Term {
    int source;
    double coefficient;
  };
  struct Node {
    double constant = 0;
    std::vector<Term> terms;
  };
  /// sum of terms = constant among sources that are given otherwise (two joints on one gear).
  struct Relation {
    std::vector<Term> terms;
    double constant = 0;
    std::string name;
  };

  std::vector<int> nodeOfFlange;
  std::vector<Node> nodes;
  std::vector<Source> sources;
  std::vector<Relation> relations;
  /// Flow into the component at a flange that only takes part in relations, per flow that the
  /// other components take at a node: results only.
  struct RelationFlow {
    int flange, node;
    double factor;
  };
  std::vector<RelationFlow> relationFlows;
  int inertial = 0, massless = 0;
};

/// Unites connected flanges and eliminates the affine relations. Errors: contradictory fixed
/// flanges, a circuit without ground, a temperature that nothing determines.
PotentialNetwork makeFlangeNetwork(const FlatModel& flatModel, Diagnostics& diagnostics);

}  // namespace cardan
