#include "engine/modelica/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "components/names.h"
#include "engine/expression/constant_evaluation.h"
#include "engine/expression/functions.h"
#include "engine/modelica/catalogue_inputs.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/scalar_expression.h"
#include "engine/text/mapped.h"
#include "engine/text/meanwhile.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

constexpr int kDeepestEvaluation = 2000;
constexpr long kMostSteps = 2'000'000;
constexpr size_t kLongestString = 100'000;

/// Sizes of an array of the catalogue: of 3D mechanics all are of three elements, of others they are not
/// known, which is 0.
std::vector<int> sizesInside(const Component& c, const Expression& name, size_t part) {
  const bool isOfSpace = c.type.kind == TypeKind::physical
                             ? physicalConnector(c.type.fullName) == "frame"
                             : c.type.catalogueType.find('.') == std::string::npos;
  return std::vector<int>(name.name[part].subscripts.size(), isOfSpace ? 3 : 0);
}

bool isCallable(const ClassDefinition& c) {
  return c.restriction.ends_with("function") || c.restriction.ends_with("record") ||
         c.isEnumeration;
}

/// How expressions of a model file say a constant of the library; "" where they do not.
std::string wordOf(const std::string& fullName) {
  double unused = 0;
  if (!findConstant(fullName, unused)) return "";
  return fullName == "Modelica.Constants.pi"    ? "pi"
         : fullName == "Modelica.Constants.D2R" ? "deg"
                                                : fullName;
}

/// What an index stands for: literals and Booleans have places.  Source  MLS 3.6, 10.5
Value placeOf(Value v) {
  if (v.kind == Value::Kind::boolean) return Value::real(v.number + 1);
  for (Value& item : v.items) item = placeOf(std::move(item));
  return placesOf(std::move(v));
}

void requireIndex(const Value& v, const SourceMark& at) {
  if (!v.isNumber() || v.number != std::floor(v.number) || v.number < 1 || v.number > 1e6)
    throw Refusal{at, "an index must be a whole number from 1, found " + v.describe()};
}

std::string writtenName(const Expression& e) { return (e.isGlobal ? "." : "") + calledName(e); }

}  // namespace

std::optional<std::vector<int>> sizesInSpace(std::string_view path) {
  using Sizes = std::vector<int>;
  for (const char* name : {".r_0", ".v_0", ".a_0", ".w_a", ".z_a", ".g_0", ".R.w"}) {
    if (path.ends_with(name)) return Sizes{3};
  }
  if (path.ends_with(".R.T")) return Sizes{3, 3};
  const size_t frame = path.rfind(".frame_");
  const std::string_view inFrame = frame == path.npos ? "" : path.substr(frame + 7);
  const bool isLoad = inFrame.ends_with(".f") || inFrame.ends_with(".t");
  return isLoad ? std::optional(Sizes{3}) : std::nullopt;
}

void Evaluation::step(const SourceMark& at) {
  if (++steps_ > kMostSteps)
    throw Refusal{at, "more than " + std::to_string(kMostSteps) + " steps of loops and functions"};
}

void Evaluation::countLoop(const SourceMark& at) {
  if (depth_ > 0) {
    step(at);
  } else if (++loops_ > kMostSteps) {
    throw Refusal{at, "more than " + std::to_string(kMostSteps) + " steps of loops"};
  }
}

Value Evaluation::structural(const Expression& e, const Scope& scope) {
  const Meanwhile structural(isStructural_, true);
  return settled(e, scope);
}

Value Evaluation::structural(const Binding& b) {
  const Meanwhile structural(isStructural_, true);
  return value(b);
}

std::optional<Value> Evaluation::known(const Binding& b) {
  try {
    return value(b);
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

Value Evaluation::value(const Binding& b) {
  Value v = value(*b.expression, b.scope);
  for (const int i : b.picks) {
    if (!v.isArray()) {
      throw Refusal{b.mark(),
                    "must be an array, or have 'each' in front: it is for an array of "
                    "components, found " +
                        v.describe()};
    }
    if (i > std::ssize(v.items)) {
      throw Refusal{b.mark(), "the array of components has an element " + std::to_string(i) +
                                  ", this value " + std::to_string(v.items.size())};
    }
    Value one = v.items[i - 1];
    v = std::move(one);
  }
  return v;
}

int Evaluation::cardinality(const Expression& connector, const Scope& scope) {
  if (connector.kind != ExpressionKind::name)
    refuse(scope, connector.at, "'cardinality' is of a connector");
  const Target t = resolve(connector, scope);
  if (t.kind != Target::Kind::component || !cardinality_)
    refuseUnsupported(scope.mark(connector.at), "'cardinality' has no value here");
  return t.component->isRemoved
             ? 0
             : cardinality_(t.component->path + (t.tail.empty() ? "" : "." + t.tail));
}

Value Evaluation::valueOf(const Component& component) {
  const Component& c = reached(component);
  // What the structure depends on is followed to its end once, so that all of it is known.
  const bool isFollowed = !isStructural_ || !structural_.insert(&c).second;
  if (const auto known = values_.find(&c); known != values_.end() && isFollowed)
    return known->second;
  if (c.isOfWhole()) {
    const Value whole = valueOf(*c.parent->component);
    if (const Value* field = whole.field(c.element->name)) {
      // Of an array of records the element that the name says.
      const Value* v = field;
      for (size_t at = c.name.find('['); v->isArray() && at < c.name.size() - 1;
           at = c.name.find_first_of(",]", at + 1))
        v = &v->items.at(std::stoul(c.name.substr(at + 1)) - 1);
      return Value(*v);
    }
  }
  if (c.type.kind == TypeKind::record && c.instance && !c.value()) {
    Value record;
    record.kind = Value::Kind::record;
    for (const auto& field : c.instance->components)
      record.fields.emplace_back(field->name, valueOf(*field));
    return record;
  }
  if (c.type.isSimple() && c.isEmpty()) return Value::array({});
  if (!c.isParameter() || c.isRemoved) {
    throw Refusal{c.mark(), "'" + c.path + "' is a variable, which has no value before the run"};
  }
  if (std::ranges::find(underway_, &c) != underway_.end()) {
    std::string circle;
    for (auto i = std::ranges::find(underway_, &c); i != underway_.end(); ++i)
      circle += (*i)->path + " -> ";
    throw Refusal{c.mark(), "parameter '" + c.path + "' depends on itself: " + circle + c.path};
  }
  if (!c.value()) {
    throw Refusal{c.mark(), "parameter '" + c.path + "' has no value"};
  }
  if (const auto known = refused_.find(&c); known != refused_.end()) throw known->second;
  underway_.push_back(&c);
  Value v;
  try {
    v = value(*c.value());
  } catch (const Refusal& r) {
    underway_.pop_back();
    refused_.emplace(&c, r);
    throw;
  }
  underway_.pop_back();
  if (c.modifier.isEach && !v.isArray()) {
    for (auto n = c.sizes.rbegin(); n != c.sizes.rend(); ++n)
      v = Value::array(std::vector<Value>(*n, v));
  }
  values_[&c] = v;
  return v;
}

Value Evaluation::subscript(const Expression& e, const Scope& scope, int size) {
  if (size == 0) return placeOf(structural(e, scope));  // or not known
  return placeOf(structural(e, scope.with("end", Value::real(size))));
}

std::string Evaluation::indices(const std::vector<Expression>& subscripts, const Scope& scope,
                                const std::vector<int>& sizes) {
  if (subscripts.empty()) return "";
  std::string text;
  for (size_t i = 0; i < subscripts.size(); ++i) {
    const Expression& e = subscripts[i];
    if (e.kind == ExpressionKind::all || e.kind == ExpressionKind::range) {
      refuseUnsupported(scope.mark(e.at), "a part of an array cannot be named here");
    }
    const Value v = subscript(e, scope, i < sizes.size() ? sizes[i] : 0);
    requireIndex(v, scope.mark(e.at));
    text += (text.empty() ? "" : ",") + formatNumber(v.number);
  }
  return "[" + text + "]";
}

Tree Evaluation::element(const Tree& whole, const Expression& e, const Scope& scope) {
  std::vector<int> indices;
  for (size_t i = 1; i < e.arguments.size(); ++i) {
    const Expression& subscript = e.arguments[i];
    const bool isAll = subscript.kind == ExpressionKind::all;
    const Value v = isAll ? Value::real(0) : structural(subscript, scope);
    if (!isAll) requireIndex(v, scope.mark(subscript.at));
    indices.push_back(static_cast<int>(v.number));
  }
  return elementNode(whole, indices);
}

/// A component that a name leads to: complete, of an outer one the inner.
const Component& Evaluation::reached(const Component& c) {
  const Meanwhile ordinary(isStructural_, false);
  const Component* found = &c;
  while (true) {
    if (complete_) complete_(*found);
    if (!found->inner) return *found;
    found = found->inner;
  }
}

const Component& Evaluation::elementOf(const Component& array, const NamePart& part,
                                       const Expression& name, const Scope& scope) {
  if (part.subscripts.size() != array.sizes.size()) {
    refuse(scope, name.at,
           "'" + array.path + "' is an array of components, which has to be named with " +
               (array.sizes.size() == 1 ? "an index" : "indices"));
  }
  const std::string full = array.name + indices(part.subscripts, scope, array.sizes);
  const auto element = std::ranges::find(array.elements, full, &Component::name);
  if (element == array.elements.end()) {
    refuse(scope, name.at,
           "there is no '" + full + "': '" + array.name + "' has " +
               std::to_string(array.elements.size()) + " elements");
  }
  return **element;
}

/// What a name says of the inside of a component, from a part on.
std::string Evaluation::tailOf(const Component& c, const Expression& name, size_t part,
                               const Scope& scope) {
  std::string tail;
  for (size_t i = part; i < name.name.size(); ++i) {
    const bool isOfCatalogue = i == part && c.type.kind == TypeKind::catalogue;
    const std::string_view written = name.name[i].name;
    tail += tail.empty() ? "" : ".";
    tail += isOfCatalogue ? presentName(c.type.catalogueType, written) : written;
    tail += indices(name.name[i].subscripts, scope, sizesInside(c, name, i));
  }
  return tail;
}

/// Down from a component along the rest of the name.
Target Evaluation::inside(const Component& start, const Expression& name, size_t part,
                          const Scope& scope) {
  const Component* c = &start;
  Target target;
  target.kind = Target::Kind::component;
  while (true) {
    c = &reached(*c);
    const NamePart& here = name.name[part];
    if (c->isRemoved) {
      target.part = &here;
      target.component = c;
      return target;
    }
    const bool isLast = part + 1 == name.name.size();
    if (c->type.isSimple()) {
      target.component = c;
      target.part = &here;
      if (isLast) return target;
      if (c->type.kind != TypeKind::orientation)
        refuse(scope, name.at, "'" + c->path + "' has no parts to name");
    } else if (!c->sizes.empty()) {
      c = &elementOf(*c, here, name, scope);
    } else if (!here.subscripts.empty()) {
      refuse(scope, name.at, "'" + c->path + "' is no array");
    }
    target.component = c;
    target.part = &name.name[part];
    if (isLast) return target;
    if (c->instance) {
      const std::string& next = name.name[part + 1].name;
      if (const Component* below = c->instance->find(next)) {
        c = below;
        ++part;
        continue;
      }
      if (c->type.kind != TypeKind::bus || !c->type.definition->isExpandable) {
        refuse(scope, name.at,
               "'" + c->path + "' has no element '" + next + "'" +
                   didYouMean(next, c->instance->names()));
      }
    }
    target.tail = tailOf(*c, name, part + 1, scope);
    return target;
  }
}

/// What a name means that begins with one of a loop or a function.
Value Evaluation::partOf(const Value& local, const Expression& name, const Scope& scope) {
  Value v = select(local, name.name[0].subscripts, scope, name.at);
  for (size_t i = 1; i < name.name.size(); ++i) {
    const Value* field = v.field(name.name[i].name);
    if (!field) {
      refuse(scope, name.at,
             "'" + name.name[0].name + "' has no element '" + name.name[i].name + "'");
    }
    Value inside = select(*field, name.name[i].subscripts, scope, name.at);
    v = std::move(inside);
  }
  return v;
}

/// A constant of a class or package.
Value Evaluation::constant(const Entity& found, const Expression& name, const Scope& scope) {
  const Element& e = *found.element;
  // Of what is around a class or function, and is no package.  Source  MLS 3.6, 5.3.1
  const bool isOfPackage = !found.component && found.definition->restriction == "package";
  const SourceMark at = found.definition->mark(e.at);
  if (e.variability == Variability::parameter && !isOfPackage)
    refuse(scope, name.at,
           fmt::format("'{}' is no constant but a parameter of '{}' ({}:{}:{}), which a class or "
                       "function inside does not see",
                       writtenName(name), found.definition->name, at.file, at.line, at.column));
  const bool isConstant =
      e.variability == Variability::constant || e.variability == Variability::parameter;
  const Expression* given = found.changed          ? found.changed
                            : e.modification.value ? &*e.modification.value
                                                   : nullptr;
  if (!isConstant || !given)
    refuse(scope, name.at, "'" + writtenName(name) + "' is no constant with a value");
  std::set<std::string> all = constantsUnderway_;
  const Heritage* of = found.scope.heritage.get();
  if (!all.insert(found.fullName + " " + (of && of->heir ? of->heir->fullName : "")).second)
    refuse(scope, name.at, "constant '" + found.fullName + "' depends on itself");
  const auto valueOfIt = [&] {
    const Meanwhile underway(constantsUnderway_, std::move(all));
    return value(*given, found.scope);
  };
  return select(valueOfIt(), name.name.back().subscripts, scope, name.at);
}

Target Evaluation::resolve(const Expression& name, const Scope& scope) {
  const Meanwhile deeper(depth_, depth_ + 1);
  if (depth_ > kDeepestEvaluation) refuse(scope, name.at, "depends on too much");
  const std::string& head = name.name[0].name;
  Target target;
  if (!name.isGlobal) {
    if (const Value* local = scope.local(head)) {
      target.value = partOf(*local, name, scope);
      return target;
    }
    if (head == "time" && name.name.size() == 1) {
      target.word = "time";
      return target;
    }
    if (const Component* c = scope.component(head)) return inside(*c, name, 0, scope);
  }
  const std::vector<std::string> parts = mapped(name.name, &NamePart::name);
  const Entity found = lookup_.find(parts, name.isGlobal, scope);
  if (found.kind == Entity::Kind::literal) {
    if (!found.rest.empty()) refuse(scope, name.at, "'" + found.fullName + "' has no parts");
    target.value = found.value;
    return target;
  }
  if (found.component && found.component->variability == Variability::constant)
    return inside(*found.component, name, 0, scope);
  if (found.kind == Entity::Kind::constant && found.rest.empty()) {
    target.value = constant(found, name, scope);
    target.word = wordOf(found.fullName);
    return target;
  }
  if (found.isWhole() && found.definition && found.definition->isEnumeration) {
    // As a size or a range all its literals are meant.
    int place = 0;
    target.value = Value::array({});
    for (const std::string& literal : found.definition->literals)
      target.value.items.push_back(Value::literal(literal, ++place));
    return target;
  }
  if (const auto known = found.isWhole() ? knownType(found.fullName) : std::nullopt;
      known && known->base == "Boolean" && known->size == 0) {
    target.value = Value::array({Value::boolean(false), Value::boolean(true)});
    return target;
  }
  if (found.isWhole())
    refuse(scope, name.at, "'" + writtenName(name) + "' is a class, and no value");
  const auto names = scope.instance ? scope.instance->names() : std::vector<std::string>();
  if (found.kind == Entity::Kind::constant)
    refuse(scope, name.at, "'" + writtenName(name) + "' is no constant with a value");
  refuse(scope, name.at,
         "unknown name '" + writtenName(name) + "'" +
             (parts.size() == 1 ? didYouMean(parts[0], names) : ""));
}

std::optional<Target> Evaluation::componentNamed(const Expression& e, const Scope& scope) {
  if (e.kind != ExpressionKind::name || !scope.instance) return std::nullopt;
  try {
    const Target t = resolve(e, scope);
    return t.kind == Target::Kind::component ? std::optional(t) : std::nullopt;
  } catch (const Refusal&) {
    return std::nullopt;  // said where it is written
  }
}

const Component* Evaluation::recordNamed(const Expression& e, const Scope& scope) {
  const auto t = componentNamed(e, scope);
  const bool isRecord =
      t && t->tail.empty() && t->component->type.kind == TypeKind::record && t->component->instance;
  return isRecord ? t->component : nullptr;
}

/// The elements that a part of a name means by indices of which one is an array, or, where asked for,
/// `:`; nothing where all are numbers.
std::optional<Expression> Evaluation::sliced(const Expression& name, size_t part,
                                             const std::vector<int>& sizes, bool isAllSpread,
                                             const Scope& scope) {
  const std::vector<Expression>& written = name.name[part].subscripts;
  const size_t count = std::min(written.size(), sizes.size());
  std::vector<std::optional<Value>> values(count);
  bool isSlice = false;
  for (size_t d = 0; d < count; ++d) {
    const bool isPlain =
        written[d].kind == ExpressionKind::number || written[d].kind == ExpressionKind::all;
    if (!isPlain) {
      try {
        values[d] = subscript(written[d], scope, sizes[d]);
      } catch (const Refusal&) {
        continue;  // of variables, or said where it is written
      }
    }
    isSlice = isSlice || (values[d] && values[d]->isArray()) ||
              (isAllSpread && written[d].kind == ExpressionKind::all);
  }
  for (size_t d = 0; isSlice && d < count; ++d) {
    std::vector<double> chosen;
    if (written[d].kind == ExpressionKind::all) {
      for (int i = 1; i <= sizes[d]; ++i) chosen.push_back(i);
    } else if (values[d] && values[d]->isArray()) {
      for (const Value& i : values[d]->items) chosen.push_back(i.number);
    } else {
      continue;
    }
    Expression all = made(ExpressionKind::array, name.at);
    for (const double i : chosen) {
      Expression one = name;
      one.name[part].subscripts[d] = numberAt(name.at, i);
      std::optional<Expression> parts = spread(one, scope);
      all.arguments.push_back(parts ? std::move(*parts) : std::move(one));
    }
    return all;
  }
  return std::nullopt;
}

std::optional<Expression> Evaluation::spread(const Expression& name, const Scope& scope,
                                             bool isAllSpread) {
  if (name.isGlobal || scope.local(name.name[0].name)) return std::nullopt;
  const Instance* instance = scope.instance;
  for (size_t k = 0; k < name.name.size(); ++k) {
    const Component* c = instance ? instance->find(name.name[k].name) : nullptr;
    if (c) c = &reached(*c);
    if (!c || c->isRemoved) return std::nullopt;
    if (c->type.isSimple()) return sliced(name, k, c->sizes, isAllSpread, scope);
    if (name.name[k].subscripts.size() > c->sizes.size()) return std::nullopt;
    if (!c->sizes.empty()) {
      // What is not written means all.
      Expression whole = name;
      whole.name[k].subscripts.resize(c->sizes.size(), made(ExpressionKind::all, name.at));
      if (auto elements = sliced(whole, k, c->sizes, true, scope)) return elements;
      const std::string full = c->name + indices(name.name[k].subscripts, scope, c->sizes);
      const auto element = std::ranges::find(c->elements, full, &Component::name);
      if (element == c->elements.end()) return std::nullopt;
      c = element->get();
    }
    instance = c->instance.get();
    for (size_t inside = k + 1; !instance && inside < name.name.size(); ++inside) {
      if (name.name[inside].subscripts.empty()) continue;
      const std::vector<int> sizes = sizesInside(*c, name, inside);
      if (auto elements = sliced(name, inside, sizes, sizes[0] > 0, scope)) return elements;
    }
  }
  return std::nullopt;
}

std::optional<Expression> Evaluation::fieldOf(const Expression& e, const Scope& scope,
                                              const Instance& record, const std::string& field) {
  Expression result = e;
  if (e.kind == ExpressionKind::name) {
    result.name.push_back({field, {}});
    return result;
  }
  if (e.kind == ExpressionKind::conditional) {
    for (size_t i = 0; i < e.arguments.size(); ++i) {
      const bool isCondition = i % 2 == 0 && i + 1 < e.arguments.size();
      if (isCondition) continue;
      auto branch = fieldOf(e.arguments[i], scope, record, field);
      if (!branch) refuse(scope, e.arguments[i].at, "field '" + field + "' has no value here");
      result.arguments[i] = *std::move(branch);
    }
    return result;
  }
  const FunctionTarget f = e.kind == ExpressionKind::call ? function(e, scope) : FunctionTarget{};
  if (f.definition && f.definition->restriction == "function") {
    result.text += (result.text.empty() ? "" : ".") + field;
    return result;
  }
  if (!f.definition || f.definition->restriction != "record") {
    refuseUnsupported(
        scope.mark(e.at),
        "a record of variables must be another one, a call of its constructor or of a function");
  }
  const size_t positional = e.arguments.size() - e.argumentNames.size();
  const auto& fields = record.components;
  if (positional > fields.size())
    refuse(scope, e.at,
           "record '" + f.definition->name + "' has " + std::to_string(fields.size()) +
               " fields, found " + std::to_string(positional) + " values");
  std::optional<Expression> value;
  for (size_t i = 0; i < e.arguments.size(); ++i) {
    const std::string& name =
        i < positional ? fields[i]->element->name : e.argumentNames[i - positional];
    if (!record.find(name))
      refuse(scope, e.arguments[i].at,
             "record '" + f.definition->name + "' has no field '" + name + "'" +
                 didYouMean(name, record.names()));
    if (name == field) value = e.arguments[i];
  }
  return value;
}

FunctionTarget Evaluation::function(const Expression& call, const Scope& scope) {
  FunctionTarget found = meant(call, scope);
  const FunctionInfo* known = found.definition ? nullptr : findFunction(found.name);
  if (!known) return found;
  // Arrays of more dimensions than a model file has are made before it is written.
  const bool isOfSizes = isOneOf(lastName(found.name), {"zeros", "ones", "fill"});
  const size_t most = isOfSizes ? known->maxArguments : call.arguments.size();
  const Trees given(std::min(call.arguments.size(), most), numberNode(0));
  if (const std::string fault = faultOfCall(*callNode(found.name, given)); !fault.empty())
    refuse(scope, call.at, fault);
  return found;
}

/// The function that a call names, whatever it gives it.
FunctionTarget Evaluation::meant(const Expression& call, const Scope& scope) {
  const std::vector<std::string> parts = mapped(call.name, &NamePart::name);
  FunctionTarget result;
  Entity found = lookup_.find(parts, call.isGlobal, scope);
  // Another name for a function, perhaps with other defaults.
  for (int depth = 0; depth < 20 && found.isWhole() && found.definition; ++depth) {
    const ClassDefinition& d = *found.definition;
    if (!d.isShort || !d.base || !isCallable(d) || d.isEnumeration) break;
    changeDefaults(result, d.baseModification, found.scope);
    const Entity base = lookup_.find(*d.base, found.scope);
    if (!base.isWhole() || base.definition == &d) break;
    found = base;
  }
  if (found.kind == Entity::Kind::classOrPackage) {
    const std::string full = found.written();
    const FunctionInfo* known = full.starts_with("Modelica.") ? findFunction(full) : nullptr;
    const bool isOther =
        found.definition && known && std::ssize(call.arguments) > known->maxArguments;
    if (known && !isOther) {
      // What the language has itself goes by its own name, in the library's packages too.
      result.name = parts.size() == 1 && findFunction(parts[0]) == known ? parts[0] : full;
    } else if (found.rest.empty() && found.definition &&
               (isCallable(*found.definition) || !findFunction(parts[0]))) {
      if (found.isModified) {
        refuseUnsupported(
            scope.mark(call.at),
            "function '" + writtenName(call) +
                "' is inherited by a package that modifies it, which is not supported");
      }
      result.definition = found.definition;
      result.scope = found.scope;
    } else {
      result.name = found.rest.empty() && found.definition ? writtenName(call) : full;
    }
    return result;
  }
  result.name = writtenName(call);
  return result;
}

Value Evaluation::select(Value v, const std::vector<Expression>& subscripts, const Scope& scope,
                         Position at) {
  for (size_t k = 0; k < subscripts.size(); ++k) {
    const Expression& e = subscripts[k];
    if (!v.isArray()) refuse(scope, at, "too many indices");
    const auto size = static_cast<double>(v.items.size());
    const std::vector<Expression> rest(subscripts.begin() + k + 1, subscripts.end());
    std::vector<Value> chosen;
    if (e.kind == ExpressionKind::all) {
      chosen = v.items;
    } else {
      const Scope inside = scope.with("end", Value::real(size));
      Value index = placeOf(caller_ ? value(e, inside) : settled(e, inside));
      if (index.isFormula()) index = placeFound(std::move(index), e, inside);
      if (index.isFormula() && size > 0) {
        // One of them, chosen during the run.
        const auto is = [&](Operator op, double i) { return operated(index, op, Value::real(i)); };
        require(operated(is(Operator::greaterEqual, 1), Operator::logicalAnd,
                         is(Operator::lessEqual, size)),
                "an index is not from 1 to " + formatNumber(size), scope.mark(e.at));
        Value one = select(v.items.back(), rest, scope, at);
        for (size_t i = v.items.size() - 1; i > 0; --i)
          one = modelica::chosen(is(Operator::equal, static_cast<double>(i)),
                                 select(v.items[i - 1], rest, scope, at), one);
        return one;
      }
      const auto pick = [&](const Value& i) {
        if (!i.isNumber() || i.number < 1 || i.number > size || i.number != std::floor(i.number)) {
          refuse(
              scope, e.at,
              "index " + i.describe() + " is not a whole number from 1 to " + formatNumber(size));
        }
        return v.items[i.number - 1];
      };
      if (!index.isArray()) {
        Value one = pick(index);
        v = std::move(one);
        continue;
      }
      for (const Value& i : index.items) chosen.push_back(pick(i));
    }
    for (Value& item : chosen) item = select(std::move(item), rest, scope, at);
    return Value::array(std::move(chosen));
  }
  return v;
}

std::vector<Value> Evaluation::impliedRange(const ForIndex& index, const Scope& scope) {
  std::optional<int> count;
  for (const Expression& use : index.range) {
    const Expression& array = use.arguments[0];
    std::vector<int> sizes;
    if (const auto t = componentNamed(array, scope); t && t->component->type.isSimple()) {
      sizes = t->component->sizes;
    } else if (const auto elements = spread(array, scope)) {
      const Expression* e = &*elements;
      for (; e->kind == ExpressionKind::array; e = &e->arguments[0]) {
        sizes.push_back(std::ssize(e->arguments));
        if (e->arguments.empty()) break;
      }
    } else {
      sizes = likeness(array, scope).sizes();
    }
    const auto d = static_cast<size_t>(use.arguments[1].number) - 1;
    if (d >= sizes.size()) refuse(scope, array.at, "too many indices");
    if (count && *count != sizes[d])
      refuse(
          scope, array.at,
          fmt::format("the range of '{}' is not written, and the arrays that have it for an index "
                      "have {} and {} elements",
                      index.name, *count, sizes[d]));
    count = sizes[d];
  }
  std::vector<Value> items;
  for (int i = 1; i <= *count; ++i) items.push_back(Value::real(i));
  return items;
}

std::vector<Value> Evaluation::rangeOf(const ForIndex& index, const Scope& scope) {
  if (index.range.empty())
    refuse(scope, index.at,
           "the range of '" + index.name + "' must be written: nothing has it for an index");
  if (index.isImplied) return impliedRange(index, scope);
  const Value v = structural(index.range[0], scope);
  if (!v.isArray())
    refuse(scope, index.range[0].at, "a range must be an array, found " + v.describe());
  return v.items;
}

/// The value of a tree over names that `lookup` knows.
Value Evaluation::delegated(const Tree& tree, const Expression& e, const Scope& scope,
                            const NameLookup& lookup) {
  if (tree->kind == NodeKind::call) {
    if (const std::string fault = faultOfCall(*tree); !fault.empty()) refuse(scope, e.at, fault);
  }
  Diagnostics diagnostics;
  const auto v = evaluateConstant(cardan::Expression(tree, {}), lookup, diagnostics);
  if (!v && caller_) return Value::formula(tree, true);
  if (!v) refuse(scope, e.at, diagnostics.all().front().text);
  return fromExpressionValue(*v);
}

/// A parameter of a component of the catalogue, as it is with all that the model gives.
std::optional<Value> Evaluation::ofCatalogue(const Component& c, const std::string& name) {
  const auto [known, isNew] = ofCatalogue_.try_emplace(&c);
  const CatalogueEntry* entry = isNew ? lookup_.known().entry(c.type.catalogueType) : nullptr;
  if (entry) {
    const auto given = [&](const std::string& path) {
      return this->known(c.modifier.inside(path));
    };
    known->second = signalInputsOf(*entry, given).values;
  }
  const auto found = known->second.find(name);
  return found == known->second.end() ? std::nullopt : std::optional(found->second);
}

/// A parameter of a component of the catalogue, given or as the library derives it; nothing for what is
/// not known, or is not derived.
std::optional<Value> Evaluation::derived(const Component& c, const std::string& name,
                                         const Expression& e, const Scope& scope, int depth) {
  if (depth > 8) return std::nullopt;
  const std::string formula(derivedParameter(c.type.catalogueType, name));
  if (const Modifier* given = c.modifier.find(name); given && given->value)
    return depth > 0 || !formula.empty() ? std::optional(value(*given->value)) : std::nullopt;
  if (formula.empty()) return depth > 0 ? ofCatalogue(c, name) : std::nullopt;
  Diagnostics own;
  return delegated(parseExpression(formula, {}, own)->tree(), e, scope,
                   [&](const std::string& other) {
                     const auto v = derived(c, other, e, scope, depth + 1);
                     return v ? toExpressionValue(*v) : std::nullopt;
                   });
}

Value Evaluation::binary(const Expression& e, const Scope& scope) {
  Value a = value(e.arguments[0], scope);
  const Operator op = e.op;
  const std::string symbol(symbolOf(op));
  if (formOf(op).rank < kNot) {
    if (a.kind == Value::Kind::boolean && (a.number != 0) == (op == Operator::logicalOr)) return a;
    Value b = value(e.arguments[1], scope);
    if (a.kind == Value::Kind::boolean && b.kind == Value::Kind::boolean) return b;
    if (caller_) return operated(a, op, b);
    refuse(scope, e.at, "'" + symbol + "' must be between true or false");
  }
  const Value b = value(e.arguments[1], scope);
  const std::vector<int> sizes = a.sizes();
  if (op == Operator::power && b.isNumber() && sizes.size() == 2 && sizes[0] == sizes[1]) {
    // Repeated products.  Source  MLS 3.6, 10.6.8
    if (b.number < 0 || b.number != std::floor(b.number) || b.number > 1000)
      refuse(scope, e.at, "the power of a matrix must be a whole number, found " + b.describe());
    Value power = a;
    for (Value& row : power.items) {
      for (Value& x : row.items) x = Value::real(&row - &power.items[0] == &x - &row.items[0]);
    }
    for (double i = 0; i < b.number; ++i) power = operated(power, Operator::multiply, a);
    return power;
  }
  if (caller_ && (hasFormula(a) || hasFormula(b))) return operated(a, op, b);
  if (a.isFormula() || b.isFormula())
    refuse(scope, e.at, "'" + (a.isFormula() ? a : b).format() + "' has no value before the run");
  using K = Value::Kind;
  const bool isNumbers = a.isNumber() && b.isNumber();
  if (op == Operator::equal || op == Operator::notEqual) {
    if (!isNumbers && a.kind != b.kind)
      refuse(scope, e.at, "cannot compare " + a.describe() + " with " + b.describe());
    const bool equal = isNumbers                  ? a.number == b.number
                       : a.kind == K::enumeration ? a.text == b.text
                                                  : a == b;
    return Value::boolean(equal == (op == Operator::equal));
  }
  if (a.kind == K::text && b.kind == K::text && op == Operator::add) {
    if (a.text.size() + b.text.size() > kLongestString) refuse(scope, e.at, "the text is too long");
    return Value::string(a.text + b.text);
  }
  const bool areInOrder = a.kind == K::enumeration && b.kind == K::enumeration && a.number > 0 &&
                          b.number > 0 && formOf(op).rank == formOf(Operator::less).rank;
  if (isNumbers || areInOrder) {
    const double x = a.number, y = b.number;
    const bool isByZero = withoutPoint(op) == Operator::divide && y == 0;
    if (isByZero && caller_) return operated(a, op, b);
    if (isByZero) refuse(scope, e.at, "division by zero");
    const double z = applyOperation(operationOf(op), x, y);
    const auto rank = formOf(op).rank;
    if (rank == kComparison) return Value::boolean(z != 0);
    if (rank == kPower && !std::isfinite(z))
      refuse(scope, e.at, formatNumber(x) + " to the power " + formatNumber(y) + " is no number");
    return Value::real(z);
  }
  // An array without elements stays one.
  const bool isScaling = formOf(op).rank == kProduct;
  if (a.isArray() && a.items.empty() &&
      (b.isArray() ? b.items.empty() && op != Operator::multiply : isScaling))
    return a;
  if (b.isArray() && b.items.empty() && a.isNumber() && isScaling) return b;
  const auto left = toExpressionValue(a), right = toExpressionValue(b);
  if (!left || !right)
    refuse(scope, e.at, "'" + symbol + "' is not between " + a.describe() + " and " + b.describe());
  return delegated(operationNode(op, treeOf(a), treeOf(b)), e, scope);
}

/// What stands behind a name, as far as it is known before the run.
Value Evaluation::nameValue(const Expression& e, const Scope& scope) {
  const bool isFormula = caller_ && scope.instance;
  if (const auto elements = spread(e, scope, isFormula)) return value(*elements, scope);
  const Target t = resolve(e, scope);
  if (t.kind == Target::Kind::value) {
    if (t.word == "time" && isFormula) return Value::formula(wordNode("time"));
    if (t.word == "time") refuse(scope, e.at, "'time' has no value before the run");
    return t.value;
  }
  if (isFormula) return ofModel(e, scope, t);
  if (t.tail.empty() && t.component->type.isSimple()) {
    return select(valueOf(*t.component), t.part->subscripts, scope, e.at);
  }
  if (t.tail.empty() && t.component->type.kind == TypeKind::record) return valueOf(*t.component);
  if (t.component->type.kind == TypeKind::catalogue && !t.tail.empty()) {
    const std::string whole = t.tail.substr(0, t.tail.find('['));
    if (auto v = derived(*t.component, whole, e, scope, 0))
      return select(*std::move(v), e.name.back().subscripts, scope, e.at);
    // A parameter of a part: what the model gives it, else what it is without.
    const Modifier* given = t.component->modifier.inside(t.tail);
    if (given && given->value) return value(*given->value);
    if (auto v = ofCatalogue(*t.component, t.tail)) return *std::move(v);
  }
  refuse(scope, e.at, "'" + writtenName(e) + "' has no value before the run");
}

Value Evaluation::unary(const Expression& e, const Scope& scope) {
  const Value v = value(e.arguments[0], scope);
  if (caller_ && hasFormula(v)) return e.op == Operator::plus ? v : prefixed(e.op, v);
  if (e.op == Operator::logicalNot) {
    if (v.kind != Value::Kind::boolean)
      refuse(scope, e.at, "'not' must be before true or false, found " + v.describe());
    return Value::boolean(v.number == 0);
  }
  if (e.op == Operator::plus) return v;
  if (v.isNumber()) return Value::real(-v.number);
  if (!toExpressionValue(v)) refuse(scope, e.at, "'-' is not before " + v.describe());
  return delegated(operationNode(e.op, treeOf(v)), e, scope);
}

/// Of variables both sides, chosen during the run.
Value Evaluation::conditional(const Expression& e, const Scope& scope) {
  size_t i = 0;
  std::vector<std::pair<Value, Value>> open;
  const Meanwhile within(condition_, std::optional(condition_));
  for (; i + 1 < e.arguments.size(); i += 2) {
    const Value c = value(e.arguments[i], scope);
    if (caller_ && c.isFormula()) {
      const std::optional<Value> around = condition_;
      condition_ = both(around, c);
      open.emplace_back(c, value(e.arguments[i + 1], scope));
      condition_ = both(around, prefixed(Operator::logicalNot, c));
    } else if (truthOf(c, e.arguments[i], scope)) {
      ++i;
      break;
    }
  }
  Value v = value(e.arguments[i], scope);
  for (; !open.empty(); open.pop_back()) v = chosen(open.back().first, open.back().second, v);
  return v;
}

bool Evaluation::truthOf(const Value& c, const Expression& condition, const Scope& scope) {
  if (c.kind != Value::Kind::boolean)
    refuse(scope, condition.at, "a condition must be true or false, found " + c.describe());
  return c.number != 0;
}

/// "[a, b; c, d]": what is side by side, and then one below the other.  Source  MLS 3.6, 10.4.2
Value Evaluation::matrix(const Expression& e, const Scope& scope) {
  std::vector<std::vector<Value>> rows;
  size_t dimensions = 2;
  for (const Expression& row : e.arguments) {
    auto& cells = rows.emplace_back();
    for (const Expression& cell : row.arguments) {
      cells.push_back(value(cell, scope));
      if (cells.back().isFormula() && cells.back().isMaybeArray)
        refuseUnsupported(scope.mark(e.at), "a matrix of variables must be made of scalars");
      dimensions = std::max(dimensions, cells.back().sizes().size());
    }
  }
  std::vector<Value> lines;
  for (std::vector<Value>& row : rows) {
    for (Value& cell : row) cell = promoted(cell, dimensions);
    lines.push_back(joinedAlong(2, row, e, scope));
  }
  return joinedAlong(1, lines, e, scope);
}

/// `false:true`, or from literal to literal.
Value Evaluation::rangeOfWords(const Expression& e, const Value& from, const Value& to,
                               const Scope& scope) {
  Value all = Value::array({Value::boolean(false), Value::boolean(true)});
  if (from.kind != Value::Kind::boolean) {
    Expression type = e.arguments[0];
    const auto t = componentNamed(type, scope);
    if (type.kind == ExpressionKind::name && !t) type.name.pop_back();
    if (t) {
      all.items.clear();
      for (const std::string& literal : t->component->type.literals)
        all.items.push_back(Value::literal(literal, static_cast<int>(all.items.size() + 1)));
    } else if (type.kind == ExpressionKind::name && !type.name.empty()) {
      all = settled(type, scope);
    }
  }
  const auto first = std::ranges::find(all.items, from), last = std::ranges::find(all.items, to);
  if (first == all.items.end() || last == all.items.end())
    refuse(scope, e.at, "a range must be between numbers, or literals of one enumeration");
  return Value::array(first > last ? std::vector<Value>() : std::vector<Value>(first, last + 1));
}

Value Evaluation::range(const Expression& e, const Scope& scope) {
  const Value from = settled(e.arguments[0], scope), to = settled(e.arguments.back(), scope);
  const Value by = e.arguments.size() == 3 ? settled(e.arguments[1], scope) : Value::real(1);
  if (from.kind == to.kind && from.kind != Value::Kind::real && e.arguments.size() == 2)
    return rangeOfWords(e, from, to, scope);
  if (!from.isNumber() || !to.isNumber() || !by.isNumber() || by.number == 0)
    refuse(scope, e.at, "a range must be between numbers");
  const double count = std::floor((to.number - from.number) / by.number + 1e-9);
  if (count > 1e6) refuse(scope, e.at, "a range must not have more than a million elements");
  std::vector<Value> items;
  for (double i = 0; i <= count; ++i) items.push_back(Value::real(from.number + i * by.number));
  return Value::array(std::move(items));
}

/// "{f(i) for i in 1:n}", also as the argument of sum(), product(), min(), max().
Value Evaluation::comprehension(const Expression& e, const Scope& scope) {
  std::vector<Value> items;
  forEach(e.indices, scope,
          [&](const Scope& inner) { items.push_back(value(e.arguments[0], inner)); });
  Value all = Value::array(std::move(items));
  if (e.text.empty()) return all;
  if (const auto none = ofNothing(e.text); none && all.items.empty()) return Value::real(*none);
  if (caller_ && hasFormula(all) && e.text == "sum") return totalOf(all.items);
  if (caller_ && hasFormula(all) && e.text == "product") {
    Value v = Value::real(1);
    for (const Value& item : all.items) v = combined(v, Operator::multiply, item);
    return v;
  }
  return delegated(callNode(e.text, {treeOf(all)}), e, scope);
}

Value Evaluation::value(const Expression& e, const Scope& scope) {
  const Meanwhile deeper(depth_, depth_ + 1);
  if (depth_ > kDeepestEvaluation) refuse(scope, e.at, "depends on too much");
  if (depth_ == 1) steps_ = 0;
  step(scope.mark(e.at));
  Value v = kindOf(e, scope);
  if (caller_) limitLength(v, scope.mark(e.at));
  return v;
}

Value Evaluation::kindOf(const Expression& e, const Scope& scope) {
  switch (e.kind) {
    case ExpressionKind::number:
      return Value::real(e.number);
    case ExpressionKind::string:
      return Value::string(e.text);
    case ExpressionKind::boolean:
      return Value::boolean(e.number != 0);
    case ExpressionKind::name:
      return nameValue(e, scope);
    case ExpressionKind::call:
      return call(e, scope);
    case ExpressionKind::unary:
      return unary(e, scope);
    case ExpressionKind::binary:
      return binary(e, scope);
    case ExpressionKind::conditional:
      return conditional(e, scope);
    case ExpressionKind::array:
      return Value::array(
          mapped(e.arguments, [&](const Expression& a) { return value(a, scope); }));
    case ExpressionKind::matrix:
      return matrix(e, scope);
    case ExpressionKind::range:
      return range(e, scope);
    case ExpressionKind::element: {
      Value whole = value(e.arguments[0], scope);
      if (whole.isFormula()) return Value::formula(element(whole.tree, e, scope), true);
      return select(std::move(whole), {e.arguments.begin() + 1, e.arguments.end()}, scope, e.at);
    }
    case ExpressionKind::comprehension:
      return comprehension(e, scope);
    case ExpressionKind::end:
      if (const Value* size = scope.local("end")) return *size;
      refuse(scope, e.at, "'end' has a meaning in indices only");
    case ExpressionKind::function:
      refuseUnsupported(scope.mark(e.at), "functions as arguments are not supported");
    default:
      refuse(scope, e.at, "no value can be had here");
  }
}

}  // namespace cardan::modelica
