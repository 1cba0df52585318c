/// ReferencePages: the catalogue as a folder of Markdown pages, which mkdocs makes a site of.
#pragma once

#include <cstddef>
#include <string>

namespace cardan {

/// Writes `folder`/mkdocs.yml, and below `folder`/docs an index, a page per type with the picture of its
/// example and, where `models` names a folder, a page per model file in it. Files of these names are
/// replaced. Returns the number of types. Throws FileError, and ModelError for a folder of models that
/// is none.
size_t writeReferencePages(const std::string& folder, const std::string& models);

}  // namespace cardan
