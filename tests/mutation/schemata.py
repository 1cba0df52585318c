"""One-line mistakes in a C++ source, all of them in one text behind a switch.

The source is cut into tokens and bracketed groups, and these into segments between , ; = ? : and
return. A segment E with mistakes E1, E2 becomes (on(1) ? plain(E1) : on(2) ? plain(E2) : plain(E)), a
statement `if (on(3)) {} else ...`. There is no type in all this: what does not compile is told by the
compiler and left out.
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<preprocessor>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<string>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]*)\(.*?\)(?P=fence)"|(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.']|)*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|<=>|::|->\*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S | re.M)

OPEN = {"(": ")", "[": "]", "{": "}"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
DELIMITERS = ASSIGNMENTS | {",", ";", "?", ":"}
LEADING = {"return", "throw", "case", "else", "do", "co_return"}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
SUMS, PRODUCTS = {"+", "-"}, {"*", "/", "%"}
BINARY = COMPARISONS | SUMS | PRODUCTS | {"&&", "||", "<<", ">>", "&", "|", "^"}
EXCHANGED = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
             "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
STATEMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
WORDS = {"sin": "cos", "cos": "sin", "min": "max", "max": "min", "floor": "ceil", "ceil": "floor",
         "resolve1": "resolve2", "resolve2": "resolve1", "front": "back", "back": "front",
         "lower_bound": "upper_bound", "upper_bound": "lower_bound", "true": "false",
         "false": "true", "frame_a": "frame_b", "frame_b": "frame_a"}
CONSTANT = {"constexpr", "static_assert", "sizeof", "decltype", "alignas", "alignof", "noexcept",
            "requires", "enum", "template", "using", "typedef", "operator", "explicit"}
NO_STATEMENT = LEADING | CONSTANT | {
    "if", "for", "while", "switch", "default", "break", "continue", "goto", "try", "catch", "const",
    "auto", "static", "struct", "class", "union", "namespace", "friend", "virtual", "inline", "public",
    "private", "protected", "delete", "new", "void", "bool", "char", "int", "unsigned", "long",
    "double", "float", "extern", "mutable", "thread_local", "typename"}


@dataclass
class Mutant:
    number: int
    line: int
    operator: str
    before: str
    after: str


@dataclass
class Leaf:
    kind: str
    text: str
    line: int
    before: str          # white space and comments in front
    opaque: bool = False

    def plain(self):
        return self.text


@dataclass
class Group:
    opening: Leaf
    children: list
    closing: Leaf
    angle: bool = False
    role: str = ""       # of braces: "body" or "list"

    @property
    def before(self):
        return self.opening.before

    @property
    def line(self):
        return self.opening.line

    def plain(self):
        return self.opening.text + plain(self.children) + gap(self.closing) + self.closing.text


def gap(node):
    return " " if node.before else ""


def plain(nodes):
    """The text on one line, without comments."""
    return "".join(gap(n) + n.plain() for n in nodes)


def is_sign(node, texts):
    return isinstance(node, Leaf) and node.kind == "sign" and node.text in texts


def is_word(node, texts=None):
    return isinstance(node, Leaf) and node.kind == "word" and (texts is None or node.text in texts)


def tokens(text):
    line, before, result = 1, "", []
    for m in TOKEN.finditer(text):
        kind = m.lastgroup if m.lastgroup != "fence" else "string"
        if kind in ("space", "preprocessor"):
            before += m.group()
        else:
            result.append(Leaf(kind, m.group(), line, before))
            before = ""
        line += m.group().count("\n")
    return result, before


def angle_end(list_, i):
    """Index of the > that closes the < at i where that opens a list of template arguments, or None."""
    depth = 0
    for k in range(i, min(i + 200, len(list_))):
        t = list_[k].text
        if list_[k].kind == "string":
            continue
        if t == "<":
            depth += 1
        elif t in (">", ">>"):
            depth -= len(t)
            if depth <= 0:
                return k if depth == 0 else None
        elif t in (";", "{", "}", "&&", "||") and t not in ("&&",):
            return None
        elif t in BINARY and t not in ("*", "&", "&&") and list_[k].before and depth == 1 and t != ">":
            return None
    return None


def tree(list_):
    """Nested groups; raises ValueError where brackets do not match."""
    stack, children, i = [], [], 0
    while i < len(list_):
        t = list_[i]
        previous = list_[i - 1] if i else None
        if t.kind == "sign" and t.text == "<" and previous is not None and (
                previous.text == "template" or (previous.kind == "word" and not t.before)):
            end = angle_end(list_, i)
            if end is not None:
                inside = list_[i + 1:end]
                children.append(Group(t, inside, list_[end], angle=True))
                i = end + 1
                continue
        if t.kind == "sign" and t.text in OPEN:
            stack.append((t, children))
            children = []
        elif t.kind == "sign" and t.text in OPEN.values():
            opening, outer = stack.pop()
            if OPEN[opening.text] != t.text:
                raise ValueError(f"line {t.line}: {opening.text} and {t.text}")
            outer.append(Group(opening, children, t))
            children = outer
        else:
            children.append(t)
        i += 1
    if stack:
        raise ValueError("a bracket stays open")
    return children


class Schemata:
    """The text of a source with its mutants, numbered from `first`; those of `left_out` (numbers) are not
    in it. chosen(operator, line, index) says which ones to make."""

    def __init__(self, text, first, chosen=lambda *_: True, left_out=frozenset()):
        self.mutants = []
        self._number = first
        self._index = 0
        self._chosen = chosen
        self._left_out = left_out
        list_, end = tokens(text)
        self.text = self._scope(tree(list_), "file") + end

    # --- what is made

    def _mutant(self, line, operator, before, after):
        self._index += 1
        if not self._chosen(operator, line, self._index):
            return None
        number = self._number
        self._number += 1
        self.mutants.append(Mutant(number, line, operator, before.strip(), after.strip()))
        return None if number in self._left_out else number

    def _variants(self, segment, role):
        """(number, text) of every mistake in this segment, what is within its groups left alone."""
        result = []

        def add(operator, i, j, replacement, shown=None):
            line = segment[i].line
            text = plain(segment[:i]) + " " + replacement + plain(segment[j:])
            before = plain(segment) if shown is None else shown
            number = self._mutant(line, operator, before, text)
            if number is not None:
                result.append((number, text))

        def binary(k):
            n = segment[k]
            return (0 < k < len(segment) - 1 and is_sign(n, BINARY) and n.before
                    and segment[k + 1].before)

        for k, n in enumerate(segment):
            if isinstance(n, Group):
                continue
            following = segment[k + 1] if k + 1 < len(segment) else None
            if binary(k):
                if n.text in EXCHANGED:
                    add("exchanged operator", k, k + 1, EXCHANGED[n.text])
                if n.text in SUMS | PRODUCTS:
                    stop = k + 1
                    while stop < len(segment) and not (binary(stop) and (
                            n.text in PRODUCTS or segment[stop].text not in PRODUCTS)):
                        stop += 1
                    add("dropped term" if n.text in SUMS else "dropped factor", k, stop, "")
                if n.text in ("*", "+"):
                    start = k
                    while start > 0 and not binary(start - 1):
                        start -= 1
                    if n.text == "*" or start == 0:
                        add("dropped term" if n.text == "+" else "dropped factor", start, k + 1, "")
            elif n.kind == "sign" and n.text in ("-", "!") and following is not None and not following.before:
                if k == 0 or n.before or isinstance(segment[k - 1], Leaf):
                    add("dropped sign", k, k + 1, "")
            elif n.kind == "word":
                if n.text in WORDS:
                    add("exchanged name", k, k + 1, WORDS[n.text])
                elif n.text in ("x", "y", "z") and k and is_sign(segment[k - 1], {"."}) \
                        and isinstance(following, Group):
                    add("exchanged index", k, k + 1, {"x": "y", "y": "z", "z": "x"}[n.text])
                elif re.search(r"_[ab]_?$", n.text) and len(n.text) > 2 \
                        and not isinstance(following, Group):
                    other = re.sub(r"_([ab])(_?)$",
                                   lambda m: "_" + ("b" if m.group(1) == "a" else "a") + m.group(2), n.text)
                    add("exchanged name", k, k + 1, other)
                elif n.text == "transpose" and k and is_sign(segment[k - 1], {"."}) \
                        and isinstance(following, Group):
                    add("dropped transpose", k - 1, k + 2, "")
            elif n.kind == "number":
                if role == "[" and n.text in ("0", "1", "2") and len(segment) == 1:
                    add("exchanged index", k, k + 1, {"0": "1", "1": "0", "2": "1"}[n.text])
                elif re.fullmatch(r"0|0\.0", n.text):
                    add("changed constant", k, k + 1, "1")
                elif re.fullmatch(r"1|1\.0", n.text):
                    add("changed constant", k, k + 1, "(-" + n.text + ")" if role != "[" else "2")
                elif not n.text.startswith("0x"):
                    add("changed constant", k, k + 1, f"({n.text} * 2)")
        return result

    # --- where it is put

    def _chain(self, segment, variants, original):
        if not variants:
            return original
        lead = segment[0].before
        text = lead + "(\n"
        for number, variant in variants:
            text += (f"cardan::mutation::on({number}) ? cardan::mutation::plain(\n"
                     f"/*M{number}*/ {variant}) :\n")
        return text + f"cardan::mutation::plain(\n{original.lstrip()}))\n"

    def _group(self, group, role):
        if group.angle:
            return raw(group)
        return (group.before + group.opening.text + self._scope(group.children, role)
                + group.closing.before + group.closing.text)

    def _node(self, nodes, k):
        n = nodes[k]
        if isinstance(n, Leaf):
            return n.before + n.text
        previous = nodes[k - 1] if k else None
        if n.opening.text == "{":
            return self._group(n, "body" if is_body(nodes, k) else "list")
        if n.opening.text == "(" and is_word(previous, CONSTANT):
            return raw(n)
        if n.opening.text == "(" and is_word(previous, {"if", "while"}):
            return self._group(n, previous.text)
        return self._group(n, n.opening.text)

    def _segment(self, segment, role):
        """An expression with its mistakes; groups within go on by themselves."""
        if not segment:
            return ""
        braces = any(isinstance(n, Group) and n.opening.text == "{" for n in segment)
        constant = any(is_word(n, CONSTANT) for n in segment)
        declares = role in ("body", "list", "file") and declared(segment)
        variants = [] if braces or constant or declares else self._variants(segment, role)
        if role == "if" and not braces and not constant:
            number = self._mutant(segment[0].line, "branch not taken", plain(segment), "false")
            if number is not None:
                variants.append((number, "false"))
        inner = "".join(self._node(segment, k) for k in range(len(segment)))
        if role == "if":
            variants = [(n, f"bool({v})") for n, v in variants]
            if variants:
                inner = segment[0].before + "bool(" + inner.lstrip() + ")"
        return self._chain(segment, variants, inner)

    def _scope(self, nodes, role):
        if role in ("body", "list", "file") or any(is_sign(n, {";"}) for n in nodes):
            return self._statements(nodes, role)
        return self._segments(nodes, role)

    def _segments(self, nodes, role):
        """Pieces between delimiters. An `if` with a declaration has no condition of its own."""
        text, piece = "", []
        if role == "if" and any(is_sign(n, DELIMITERS) for n in nodes):
            role = "("
        for k, n in enumerate(nodes):
            if is_sign(n, DELIMITERS) or is_word(n, LEADING):
                text += self._segment(piece, role) + n.before + n.text
                piece = []
                if is_word(n, {"case"}):
                    role = "case"
            else:
                piece.append(n)
        return text + self._segment(piece, role)

    def _statements(self, nodes, role):
        text, statement = "", []
        for k, n in enumerate(nodes):
            ends = is_sign(n, {";"}) or (is_sign(n, {":"}) and statement and (
                is_word(statement[0], {"case", "default", "public", "private", "protected"})))
            block = isinstance(n, Group) and n.opening.text == "{" and \
                (role != "list") and is_body(statement + [n], len(statement))
            controlled = isinstance(n, Group) and n.opening.text == "(" and statement and \
                is_word(statement[-1], {"if", "for", "while", "switch"})
            alone = is_word(n, {"else", "do", "try"})
            if ends or block or controlled or alone:
                if ends:
                    text += self._statement(statement, n, role)
                elif alone:
                    text += self._segments(statement, role) + n.before + n.text
                else:
                    text += self._segments(statement + [n], role) if block is False and not controlled \
                        else self._headed(statement + [n], role)
                statement = []
            else:
                statement.append(n)
        return text + self._segments(statement, role)

    def _headed(self, nodes, role):
        if any(is_word(n, CONSTANT) for n in nodes[:-1]):
            last = nodes[-1]
            if last.opening.text == "(":
                return "".join(raw(n) for n in nodes)
            head = "".join(raw(n) for n in nodes[:-1])
            return head + (raw(last) if any(is_word(n, {"enum"}) for n in nodes[:-1])
                           else self._node(nodes, len(nodes) - 1))
        return "".join(self._node(nodes, k) for k in range(len(nodes)))

    def _statement(self, statement, end, role):
        constant = any(is_word(n, CONSTANT) for n in statement) or (
            statement and is_word(statement[0], {"case", "default", "public", "private", "protected"}))
        if constant:
            return "".join(raw(n) for n in statement) + end.before + end.text
        inner = self._segments(statement, "statement" if role == "body" else role) + end.before + end.text
        if role != "body" or not expression_statement(statement):
            return inner
        variants = []
        number = self._mutant(statement[0].line, "dropped statement", plain(statement), "")
        if number is not None:
            variants.append((number, ";"))
        for k, n in enumerate(statement):
            if is_sign(n, STATEMENTS):
                other = plain(statement[:k]) + " " + STATEMENTS[n.text] + plain(statement[k + 1:]) + ";"
                number = self._mutant(n.line, "exchanged operator", plain(statement), other)
                if number is not None:
                    variants.append((number, other))
        if not variants:
            return inner
        text = statement[0].before + "{\n"
        for number, variant in variants:
            text += f"if (cardan::mutation::on({number})) {{\n/*M{number}*/ {variant}\n}} else\n"
        return text + "{" + inner.lstrip() + "}}\n"


def raw(node):
    if isinstance(node, Leaf):
        return node.before + node.text
    return (node.before + node.opening.text + "".join(raw(n) for n in node.children)
            + node.closing.before + node.closing.text)


def is_body(nodes, k):
    """Braces after a head of a function, a lambda or a control statement, or on their own."""
    head = nodes[:k]
    if not head or any(is_word(n, {"struct", "class", "union", "namespace", "enum"}) for n in head):
        return not head
    last = head[-1]
    if isinstance(last, Group):
        return last.opening.text != "{" and not last.angle
    if is_word(last, {"else", "do", "try", "const", "noexcept", "override", "mutable", "final"}):
        return True
    return any(is_sign(n, {"->"}) and k and isinstance(head[i - 1], Group)
               for i, n in enumerate(head))


def declared(segment):
    """Whether these nodes declare something: two words in a row, or a word behind a type."""
    for a, b in zip(segment, segment[1:]):
        if is_word(b) and (is_word(a) or (isinstance(a, Group) and a.angle)):
            return True
        if is_sign(a, {"&", "*", "&&"}) and not a.before and is_word(b) and b.before:
            return True
    return False


def expression_statement(statement):
    if not statement or not (is_word(statement[0]) or is_sign(statement[0], {"*"})):
        return False
    if any(is_word(n, NO_STATEMENT) for n in statement):
        return False
    left = []
    for n in statement:
        if is_sign(n, ASSIGNMENTS):
            return not declared(left)
        left.append(n)
    return not declared(left) and isinstance(left[-1], Group) and left[-1].opening.text == "("
