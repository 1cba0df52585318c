/// The elements and attributes of MJCF, and what becomes of each.
#pragma once

#include "engine/robots/xml_vocabulary.h"

namespace cardan::robots::mjcf {

/// Of the XML reference of MuJoCo 3.12 and of older ones back to 2.1.
inline const XmlVocabulary& vocabulary() {
  static const XmlVocabulary table(embeddedVocabulary("mjcf"));
  return table;
}

}  // namespace cardan::robots::mjcf
