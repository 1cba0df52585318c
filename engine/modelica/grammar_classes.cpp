// The rules of classes, their elements and modifications.
#include <algorithm>

#include "engine/modelica/grammar.h"

namespace cardan::modelica {

bool Grammar::atClass() const {
  return now().isOneOf({"encapsulated", "partial", "class", "model", "record", "block",
                        "expandable", "connector", "type", "package", "function", "pure", "impure",
                        "operator"});
}

std::shared_ptr<ClassDefinition> Grammar::classDefinition() {
  const auto nesting = deeper();
  auto c = std::make_shared<ClassDefinition>();
  c->file = file_;
  c->isEncapsulated = accept("encapsulated");
  c->isPartial = accept("partial");
  c->isExpandable = accept("expandable");
  for (const char* prefix : {"pure", "impure", "operator"}) {
    if (accept(prefix)) c->restriction += (c->restriction.empty() ? "" : " ") + std::string(prefix);
  }
  for (const char* word :
       {"class", "model", "record", "block", "connector", "type", "package", "function"}) {
    if (!accept(word)) continue;
    // `pure function` is a function; `operator record` keeps its word.
    c->restriction = c->restriction == "operator" ? "operator " + std::string(word) : word;
    classSpecifier(*c);
    return c;
  }
  if (c->restriction != "operator") unexpected("a kind of class, as 'model'");
  classSpecifier(*c);
  return c;
}

void Grammar::classSpecifier(ClassDefinition& c) {
  c.at = now().at;
  if (accept("extends")) {
    c.at = now().at;
    c.name = identifier("the name of the class");
    c.extendsItself = TypeName{{c.name}, false, c.at};
    if (at("(")) c.baseModification.arguments = classModification();
  } else {
    c.name = identifier("the name of the class");
    if (accept("=")) {
      shortClass(c);
      return;
    }
  }
  c.comment = stringComment();
  composition(c);
  expect("end", "at the end of the class");
  const Token& last = now();
  const std::string name = identifier("the name of the class behind 'end'");
  if (name != c.name) fail(last, "expected 'end " + c.name + "', found 'end " + name + "'");
}

/// What follows `class A =`.
void Grammar::shortClass(ClassDefinition& c) {
  if (at("enumeration")) {
    enumeration(c);
  } else if (accept("der")) {
    expect("(", "after 'der'");
    c.base = typeName();
    do {
      expect(",", "before what the function is differentiated by");
      c.derivedBy.push_back(identifier("the name of a variable"));
    } while (at(","));
    expect(")", "after the names");
  } else {
    c.isShort = true;
    for (const char* word : {"input", "output"}) {
      if (accept(word)) c.causality = word;
    }
    c.base = typeName();
    if (at("[")) c.sizes = subscripts();
    if (at("(")) c.baseModification.arguments = classModification();
  }
  c.comment = comment(&c);
}

void Grammar::enumeration(ClassDefinition& c) {
  take();
  c.isEnumeration = true;
  expect("(", "after 'enumeration'");
  if (!accept(":")) {
    while (!at(")")) {
      c.literals.push_back(identifier("the name of a literal"));
      comment(nullptr);
      if (!accept(",")) break;
    }
  }
  expect(")", "after the literals");
}

void Grammar::composition(ClassDefinition& c) {
  elementList(c, false);
  while (true) {
    if (accept("public")) {
      elementList(c, false);
    } else if (accept("protected")) {
      elementList(c, true);
    } else if (at("equation") || (at("initial") && ahead(1).is("equation"))) {
      const bool isInitial = accept("initial");
      take();
      for (Equation& e : section(false))
        (isInitial ? c.initialEquations : c.equations).push_back(std::move(e));
    } else if (at("algorithm") || (at("initial") && ahead(1).is("algorithm"))) {
      const bool isInitial = accept("initial");
      take();
      (isInitial ? c.initialAlgorithms : c.algorithms).push_back(section(true));
    } else if (at("external")) {
      external(c);
    } else if (at("annotation")) {
      annotation(&c);
      expect(";", "after the annotation");
    } else {
      return;
    }
  }
}

void Grammar::external(ClassDefinition& c) {
  c.externalAt = take().at;
  if (now().kind == TokenKind::string) take();
  if (now().kind == TokenKind::name || at(".")) {
    const Expression e = reference();
    if (accept("=")) {
      const Token& function = now();
      if (reference().kind != ExpressionKind::call) fail(function, "expected an external function");
    } else if (e.kind != ExpressionKind::call) {
      unexpected("'(' of the external function");
    }
  }
  if (at("annotation")) annotation(nullptr);
  expect(";", "after the external function");
}

void Grammar::elementList(ClassDefinition& c, bool isProtected) {
  while (!atSectionEnd() || at("annotation")) {
    if (accept("annotation")) {
      --at_;
      annotation(&c);
    } else {
      element(c, isProtected);
    }
    expect(";", "after the element");
  }
}

void Grammar::prefixes(Element& e) {
  e.isRedeclare = accept("redeclare");
  e.isFinal = accept("final");
  e.isInner = accept("inner");
  e.isOuter = accept("outer");
  e.isReplaceable = accept("replaceable");
}

void Grammar::element(ClassDefinition& c, bool isProtected) {
  Element e;
  e.isProtected = isProtected;
  if (accept("import")) {
    importClause(std::move(e), c.elements);
    return;
  }
  if (accept("extends")) {
    extendsClause(std::move(e), c);
    return;
  }
  prefixes(e);
  if (!atClass()) {
    componentClause(std::move(e), c.elements, false);
    return;
  }
  e.kind = ElementKind::classDefinition;
  e.definition = classDefinition();
  e.name = e.definition->name;
  e.at = e.definition->at;
  if (e.isReplaceable && at("constrainedby")) constrainingClause(e);
  comment(nullptr);
  const bool isNew = c.classes.emplace(e.name, e.definition).second;
  if (!isNew && !e.isRedeclare && !e.definition->extendsItself) {
    diagnostics_.error({*file_, e.at.line, e.at.column}, "class '" + e.name + "' is defined twice");
    diagnostics_.note(c.classes[e.name]->mark(c.classes[e.name]->at), "first defined here");
    throw SyntaxError{};
  }
  c.elements.push_back(std::move(e));
}

/// import A.B; import C = A.B; import A.*; import A.{B, C};
void Grammar::importClause(Element e, std::vector<Element>& elements) {
  e.kind = ElementKind::import;
  if (now().kind == TokenKind::name && ahead(1).is("=")) {
    e.name = identifier("a name");
    take();
  }
  e.at = e.type.at = now().at;
  e.type.isGlobal = accept(".");
  const auto takesAll = [&](const char* mark) {
    return e.importsAll = e.name.empty() && accept(mark);
  };
  do {
    if (takesAll(".*") || (!e.type.parts.empty() && takesAll("*"))) break;
    if (e.name.empty() && !e.type.parts.empty() && accept("{")) {
      do {
        e.imported.push_back(identifier("a name"));
      } while (accept(","));
      expect("}", "after the imported names");
      break;
    }
    e.type.parts.push_back(identifier("the name of a package or class"));
    if (takesAll(".*")) break;
  } while (accept("."));
  comment(nullptr);
  elements.push_back(std::move(e));
}

void Grammar::extendsClause(Element e, ClassDefinition& c) {
  e.kind = ElementKind::extends;
  e.type = typeName();
  e.at = e.type.at;
  if (at("(")) e.modification.arguments = classModification();
  if (at("annotation")) annotation(nullptr);
  c.elements.push_back(std::move(e));
}

/// One clause, an element for every component of it; `single`: as in a redeclaration.
void Grammar::componentClause(Element e, std::vector<Element>& elements, bool single) {
  for (const char* word : {"flow", "stream"}) {
    if (accept(word)) (word[0] == 'f' ? e.isFlow : e.isStream) = true;
  }
  if (accept("discrete")) {
    e.variability = Variability::discrete;
  } else if (accept("parameter")) {
    e.variability = Variability::parameter;
  } else if (accept("constant")) {
    e.variability = Variability::constant;
  }
  e.isInput = accept("input");
  if (!e.isInput) e.isOutput = accept("output");
  if (now().kind != TokenKind::name && !at(".")) unexpected("a declaration or an equation");
  e.type = typeName();
  std::vector<Expression> sizes;
  if (at("[")) sizes = subscripts();
  std::vector<Element> clause;
  do {
    Element one = e;
    one.at = now().at;
    one.name = identifier("the name of a component");
    if (at("[")) one.sizes = subscripts();
    one.sizes.insert(one.sizes.end(), sizes.begin(), sizes.end());
    one.modification = modification();
    if (!single && accept("if")) one.condition = expression();
    if (!single) one.comment = comment(nullptr);
    clause.push_back(std::move(one));
  } while (!single && accept(","));
  Element& last = clause.back();
  if (single) last.comment = comment(nullptr);
  if (at("constrainedby")) {
    Element constraint;
    constrainingClause(constraint);
    for (Element& one : clause) {
      one.constrainedBy = constraint.constrainedBy;
      one.constrainingModification = constraint.constrainingModification;
    }
    const std::string text = comment(nullptr);
    if (last.comment.empty()) last.comment = text;
  }
  for (Element& one : clause) elements.push_back(std::move(one));
}

void Grammar::constrainingClause(Element& e) {
  take();
  e.constrainedBy = typeName();
  if (at("(")) e.constrainingModification.arguments = classModification();
}

TypeName Grammar::typeName() {
  TypeName t;
  t.at = now().at;
  t.isGlobal = accept(".");
  do {
    t.parts.push_back(identifier("the name of a class"));
  } while (accept("."));
  return t;
}

Modification Grammar::modification() {
  Modification m;
  if (at("(")) m.arguments = classModification();
  if (at("=") || at(":=")) {
    take();
    m.valueAt = now().at;
    m.value = expression();
  }
  return m;
}

std::vector<Argument> Grammar::classModification() {
  const auto nesting = deeper();
  expect("(", "before modifications");
  std::vector<Argument> result;
  while (!at(")")) {
    result.push_back(argument());
    if (!accept(",")) break;
  }
  expect(")", "after the modifications");
  return result;
}

Argument Grammar::argument() {
  Argument a;
  a.at = now().at;
  if (at("redeclare")) return redeclaration(std::move(a));
  a.isEach = accept("each");
  a.isFinal = accept("final");
  if (at("replaceable")) return replaceable(std::move(a));
  a.at = now().at;
  if (now().kind != TokenKind::name) unexpected("the name of what is modified");
  a.name = typeName().parts;
  a.modification = modification();
  stringComment();
  return a;
}

/// redeclare each final replaceable? class or component
Argument Grammar::redeclaration(Argument a) {
  take();
  a.isEach = accept("each");
  a.isFinal = accept("final");
  a = replaceable(std::move(a));
  auto element = std::make_shared<Element>(*a.redeclaration);
  element->isRedeclare = true;
  a.redeclaration = std::move(element);
  return a;
}

Argument Grammar::replaceable(Argument a) {
  Element e;
  e.isReplaceable = accept("replaceable");
  if (atClass()) {
    e.kind = ElementKind::classDefinition;
    e.definition = classDefinition();
    e.name = e.definition->name;
    e.at = e.definition->at;
    if (at("constrainedby")) constrainingClause(e);
    comment(nullptr);
    a.name = {e.name};
    a.redeclaration = std::make_shared<const Element>(std::move(e));
    return a;
  }
  std::vector<Element> one;
  componentClause(std::move(e), one, true);
  a.name = {one[0].name};
  a.redeclaration = std::make_shared<const Element>(std::move(one[0]));
  return a;
}

/// Of a class, `experiment` is kept; all else is for drawing and for other tools, and passed over.
void Grammar::annotation(ClassDefinition* c) {
  take();
  const Token& open = now();
  expect("(", "after 'annotation'");
  int depth = 1;
  while (depth > 0) {
    if (c && depth == 1 && now().source == "experiment" && ahead(1).is("(")) {
      Argument a = argument();
      for (Argument& setting : a.modification.arguments) {
        if (setting.name.size() == 1 && setting.modification.value) {
          c->experiment.emplace_back(setting.name[0], std::move(*setting.modification.value));
        }
      }
      continue;
    }
    const Token& t = now();
    if (t.kind == TokenKind::end) fail(open, "annotation '(' without ')'");
    if (t.kind == TokenKind::symbol && t.source.size() == 1) {
      const char mark = t.source[0];
      depth += mark == '(' || mark == '{' || mark == '[' ? 1 : 0;
      depth -= mark == ')' || mark == '}' || mark == ']' ? 1 : 0;
    }
    ++at_;
  }
}

/// "text" + "text", or nothing.
std::string Grammar::stringComment() {
  std::string text;
  if (now().kind != TokenKind::string) return text;
  text = take().text;
  while (at("+") && ahead(1).kind == TokenKind::string) {
    take();
    text += take().text;
  }
  return text;
}

std::string Grammar::comment(ClassDefinition* c) {
  std::string text = stringComment();
  if (at("annotation")) annotation(c);
  return text;
}

}  // namespace cardan::modelica
