/// The elements and attributes of URDF, and what becomes of each.
#pragma once

#include "engine/robots/xml_vocabulary.h"

namespace cardan::robots::urdf {

/// Of URDF 1.2 as its parser (urdfdom) reads it, and of what the tools around it keep in the same files.
inline const XmlVocabulary& vocabulary() {
  static const XmlVocabulary table(embeddedVocabulary("urdf"));
  return table;
}

}  // namespace cardan::robots::urdf
