/// Contacts: what a model file says of contacts between its shapes.
#pragma once

#include <string>
#include <vector>

#include "engine/model_file/model_source.h"

namespace cardan {

/// Reads the section `contacts`, null where there is none.
ContactsDescription readContacts(const YamlNode* section, Diagnostics& diagnostics);

/// The material of this name, or null.
const YamlNode* findMaterial(const ContactsDescription& contacts, const std::string& name);

/// Parameters of the component between two shapes: the keys of the `items` that name the pair, the
/// later ones' first; the shapes' materials as `a` and `b`; `defaults`.
YamlNode argumentsOfPair(const ContactsDescription& contacts, const std::vector<int>& items,
                         const std::string& material_a, const std::string& material_b);

/// The same of a component that has these values by default.
YamlNode argumentsOfAll(const YamlNode& defaults);

}  // namespace cardan
