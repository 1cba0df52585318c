/// WrittenExamples: examples of the types for which no arrangement of the usual parts is one.
#pragma once

#include <string>
#include <string_view>

namespace cardan {

/// The sections of a model file behind its name, with a component `x` of the type; "" where there is none.
std::string writtenExample(std::string_view type);

}  // namespace cardan
