/// ModelStructure: what the assembly of a model has decided, in the words of the model.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/unknowns.h"

namespace cardan {

class Simulation;

struct ModelStructure {
  /// A joint or rigid part of the tree; it comes after the one that carries it.
  struct Branch {
    std::string name, type;
    int parent = -1;  ///< among the branches; -1: the world
    int freedoms = 0;
    bool isPart = true;  ///< no: the world's own frame
    bool isFloating = false;
    std::vector<std::string> bodies{};  ///< that it carries
  };

  int components = 0, innerParts = 0;
  Unknowns unknowns;
  std::vector<std::string> ofOwnEquations;  ///< unknowns
  std::vector<Branch> tree;
  std::vector<std::string> bodiesOfWorld;
  std::vector<std::string> cuts, openEnds, algebraicLoops;
  /// Pairs of shapes that may touch, by the names of their components ("contact.foot.floor"); those
  /// that do not, as the model file might ask for them, and why.
  std::vector<std::string> contacts;
  struct ContactLeftOut {
    std::string a, b, why;
  };
  std::vector<ContactLeftOut> contactsLeftOut;

  static ModelStructure of(const Simulation& simulation);
};

}  // namespace cardan
