#include "engine/flange_network.h"

#include <cmath>

#include "engine/union_find.h"

namespace cardan {
namespace {

constexpr double kZero =
    1e-12;  // coefficients below are cancellation, relative to ratios of order one

/// Rows over [nodes | given sources | constant], brought to reduced form.
class Elimination {
 public:
  Elimination(int nodes, int given) : nodes_(nodes), given_(given), matrix_(0, nodes + given + 1) {}

  Eigen::RowVectorXd row() const { return Eigen::RowVectorXd::Zero(nodes_ + given_ + 1); }
  void add(const Eigen::RowVectorXd& r, std::string name) {
    matrix_.conservativeResize(matrix_.rows() + 1, Eigen::NoChange);
    matrix_.row(matrix_.rows() - 1) = r;
    names_.push_back(std::move(name));
  }

  /// Gauss-Jordan; a pivot is a node without inertia where there is one.
  void reduce(const std::vector<bool>& inertialNode) {
    pivotRow_.assign(static_cast<size_t>(nodes_), -1);
    for (int r = 0; r < matrix_.rows(); ++r) {
      int best = -1;
      double score = 0;
      for (int n = 0; n < nodes_; ++n) {
        const double c = std::abs(matrix_(r, n));
        if (c < kZero) continue;
        const double s = inertialNode[static_cast<size_t>(n)] ? c : c * 1e6;
        if (s > score) {
          score = s;
          best = n;
        }
      }
      if (best < 0) continue;
      matrix_.row(r) /= matrix_(r, best);
      for (int k = 0; k < matrix_.rows(); ++k) {
        if (k != r && matrix_(k, best) != 0) matrix_.row(k) -= matrix_(k, best) * matrix_.row(r);
      }
      pivotRow_[static_cast<size_t>(best)] = r;
    }
  }

  int pivotRow(int node) const { return pivotRow_[static_cast<size_t>(node)]; }
  const Eigen::MatrixXd& matrix() const { return matrix_; }
  const std::string& name(int row) const { return names_[static_cast<size_t>(row)]; }

 private:
  int nodes_, given_;
  Eigen::MatrixXd matrix_;
  std::vector<std::string> names_;
  std::vector<int> pivotRow_;
};

bool isMechanical(Domain d) { return d == Domain::Rotational || d == Domain::Translational; }

/// Multipliers m of all relations from the balance of every node, F + C' m = 0, as flows c m at
/// their flanges.
Eigen::MatrixXd relationFlows(const Blueprint& b, const std::vector<int>& nodeOfFlange, int nodes) {
  std::vector<std::vector<std::pair<FlangeId, double>>> relations;
  for (const Blueprint::AxisBinding& a : b.axes) relations.push_back({{a.flange, 1.0}});
  for (const Blueprint::Driven& d : b.driven) relations.push_back({{d.flange, 1.0}});
  for (const Blueprint::Ground& g : b.grounds) relations.push_back({{g.flange, 1.0}});
  for (const Affine& a : b.affines) relations.push_back(a.terms);
  const Eigen::Index flanges = static_cast<Eigen::Index>(b.flanges.size());
  const Eigen::Index count = static_cast<Eigen::Index>(relations.size());
  Eigen::MatrixXd atFlanges = Eigen::MatrixXd::Zero(flanges, count),
                  atNodes = Eigen::MatrixXd::Zero(nodes, count);
  for (Eigen::Index r = 0; r < count; ++r) {
    for (auto [f, c] : relations[static_cast<size_t>(r)]) {
      atFlanges(f.index, r) += c;
      atNodes(nodeOfFlange[static_cast<size_t>(f.index)], r) += c;
    }
  }
  if (count == 0) return Eigen::MatrixXd::Zero(flanges, nodes);
  return -atFlanges * atNodes.completeOrthogonalDecomposition().pseudoInverse();
}

/// Pins that parts connect with each other, none of them with ground: only differences of their
/// potentials would be known.
void requireGround(const Blueprint& b, const std::vector<int>& nodeOfFlange, int nodes,
                   Diagnostics& diagnostics) {
  UnionFind circuits(static_cast<size_t>(nodes));
  std::vector<int> firstNode(b.instances.size(), -1);
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (b.flanges[f].domain != Domain::Electrical) continue;
    int& first = firstNode[static_cast<size_t>(b.flanges[f].instance)];
    if (first < 0) first = nodeOfFlange[f];
    circuits.unite(first, nodeOfFlange[f]);
  }
  std::vector<bool> known(static_cast<size_t>(nodes), false);
  for (const Blueprint::Ground& g : b.grounds) {
    known[static_cast<size_t>(circuits.find(nodeOfFlange[static_cast<size_t>(g.flange.index)]))] =
        true;
  }
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (b.flanges[f].domain != Domain::Electrical) continue;
    const size_t circuit = static_cast<size_t>(circuits.find(nodeOfFlange[f]));
    if (known[circuit]) continue;
    known[circuit] = true;  // one message each
    const int instance = b.flanges[f].instance;
    diagnostics.error(b.instances[static_cast<size_t>(instance)].at,
                      b.typeAndName(instance) +
                          ": its circuit has no ground, so that no potential "
                          "is known: connect an Analog.Ground");
  }
}

}  // namespace

FlangeNetwork makeFlangeNetwork(const Blueprint& b, Diagnostics& diagnostics) {
  FlangeNetwork net;
  const size_t flanges = b.flanges.size();
  if (flanges == 0) return net;
  UnionFind sets(flanges);
  for (auto [p, q] : b.flangeConnections) sets.unite(p, q);
  net.nodeOfFlange.assign(flanges, -1);
  std::vector<int> nodeOfSet(flanges, -1);
  std::vector<int> firstFlange;
  for (size_t f = 0; f < flanges; ++f) {
    int& node = nodeOfSet[static_cast<size_t>(sets.find(static_cast<int>(f)))];
    if (node < 0) {
      node = static_cast<int>(firstFlange.size());
      firstFlange.push_back(static_cast<int>(f));
    }
    net.nodeOfFlange[f] = node;
  }
  const int nodes = static_cast<int>(firstFlange.size());
  requireGround(b, net.nodeOfFlange, nodes, diagnostics);
  auto node = [&](FlangeId f) { return net.nodeOfFlange[static_cast<size_t>(f.index)]; };
  auto flange = [&](FlangeId f) -> const Blueprint::Flange& {
    return b.flanges[static_cast<size_t>(f.index)];
  };
  auto nameOf = [&](FlangeId f) { return flange(f).name; };

  // Sources that are there without the network.
  for (size_t i = 0; i < b.axes.size(); ++i) {
    const FlangeId f = b.axes[i].flange;
    net.sources.push_back(
        {FlangeNetwork::SourceKind::joint, static_cast<int>(i), flange(f).domain, nameOf(f)});
  }
  for (size_t i = 0; i < b.driven.size(); ++i) {
    const FlangeId f = b.driven[i].flange;
    net.sources.push_back(
        {FlangeNetwork::SourceKind::driven, static_cast<int>(i), flange(f).domain, nameOf(f)});
  }
  const int given = static_cast<int>(net.sources.size());

  Elimination e(nodes, given);
  const int constant = nodes + given;
  auto bind = [&](FlangeId f, int source) {
    Eigen::RowVectorXd r = e.row();
    r[node(f)] = 1;
    r[nodes + source] = -1;
    e.add(r, nameOf(f));
  };
  for (size_t i = 0; i < b.axes.size(); ++i) bind(b.axes[i].flange, static_cast<int>(i));
  for (size_t i = 0; i < b.driven.size(); ++i)
    bind(b.driven[i].flange, static_cast<int>(b.axes.size() + i));
  for (const Blueprint::Ground& g : b.grounds) {
    Eigen::RowVectorXd r = e.row();
    r[node(g.flange)] = 1;
    r[constant] = g.potential;
    e.add(r, nameOf(g.flange));
  }
  for (const Affine& a : b.affines) {
    Eigen::RowVectorXd r = e.row();
    for (auto [f, c] : a.terms) r[node(f)] += c;
    r[constant] = a.constant;
    e.add(r, a.terms.empty() ? "" : nameOf(a.terms.front().first));
  }
  std::vector<bool> inertialNode(static_cast<size_t>(nodes), false);
  for (FlangeId f : b.inertialFlanges) inertialNode[static_cast<size_t>(node(f))] = true;
  e.reduce(inertialNode);
  const Eigen::MatrixXd& m = e.matrix();

  // Rows without a node: relations among given sources, or contradictions.
  for (int r = 0; r < m.rows(); ++r) {
    if (m.row(r).head(nodes).cwiseAbs().maxCoeff() > kZero) continue;
    FlangeNetwork::Relation relation{{}, m(r, constant), e.name(r)};
    for (int s = 0; s < given; ++s) {
      if (std::abs(m(r, nodes + s)) > kZero) relation.terms.push_back({s, m(r, nodes + s)});
    }
    if (!relation.terms.empty()) {
      net.relations.push_back(std::move(relation));
    } else if (std::abs(m(r, constant)) > kZero) {
      diagnostics.error({}, "'" + e.name(r) + "' is fixed twice, at values that differ by " +
                                std::to_string(m(r, constant)));
    }
  }

  // Own coordinates for the nodes that nothing determines.
  std::vector<int> sourceOfNode(static_cast<size_t>(nodes), -1);
  for (int n = 0; n < nodes; ++n) {
    if (e.pivotRow(n) >= 0) continue;
    bool inertia = inertialNode[static_cast<size_t>(n)];
    for (int k = 0; k < nodes && !inertia; ++k) {
      const int r = e.pivotRow(k);
      inertia = r >= 0 && inertialNode[static_cast<size_t>(k)] && std::abs(m(r, n)) > kZero;
    }
    const Blueprint::Flange& f =
        b.flanges[static_cast<size_t>(firstFlange[static_cast<size_t>(n)])];
    const bool mechanical = isMechanical(f.domain);
    sourceOfNode[static_cast<size_t>(n)] = static_cast<int>(net.sources.size());
    if (inertia && mechanical) {
      net.sources.push_back(
          {FlangeNetwork::SourceKind::inertial, net.inertial++, f.domain, f.name});
    } else {
      net.sources.push_back({FlangeNetwork::SourceKind::massless, net.massless++, f.domain, f.name,
                             mechanical || inertia});
    }
  }
  net.nodes.resize(static_cast<size_t>(nodes));
  for (int n = 0; n < nodes; ++n) {
    FlangeNetwork::Node& out = net.nodes[static_cast<size_t>(n)];
    const int r = e.pivotRow(n);
    if (r < 0) {
      out.terms.push_back({sourceOfNode[static_cast<size_t>(n)], 1});
      continue;
    }
    out.constant = m(r, constant);
    for (int k = 0; k < nodes; ++k) {
      if (k != n && std::abs(m(r, k)) > kZero) {
        out.terms.push_back({sourceOfNode[static_cast<size_t>(k)], -m(r, k)});
      }
    }
    for (int s = 0; s < given; ++s) {
      if (std::abs(m(r, nodes + s)) > kZero) out.terms.push_back({s, -m(r, nodes + s)});
    }
  }
  net.relationFlows = relationFlows(b, net.nodeOfFlange, nodes);
  return net;
}

}  // namespace cardan
