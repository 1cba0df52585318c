/// Values of expressions that are known before the run: parameters, start values, sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/expression/resolver.h"
#include "engine/expression/value.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// Value of an expression over names that `lookup` knows. Errors go to `diagnostics`, located in
/// the text: unknown names (with a suggestion out of `knownNames`), wrong types and shapes, `time`
/// and `der`, and operations without a finite result (division by zero, square root of a negative
/// number).
///
/// A name with indices is looked up in full first, then without its last indices, which are applied
/// to the value.
std::optional<ExpressionValue> evaluateConstant(const Expression& expression,
                                                const NameLookup& lookup, Diagnostics& diagnostics,
                                                const std::vector<std::string>& knownNames = {});

/// The number that an expression of constants is ("30*deg").
std::optional<double> readConstant(const std::string& text, const SourceMark& at,
                                   Diagnostics& diagnostics);

}  // namespace cardan
