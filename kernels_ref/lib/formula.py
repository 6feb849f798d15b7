"""A closed formula language over axes: `2*B*H*ceil(S/PS)` is parsed and walked, never eval'd.

Known are + - * / //, unary minus, ceil, min, max, log2, integers, floats and axis names; constraints add
comparisons. Division is exact (a fraction), so a cost that is a whole number comes out as one.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

Number = int | float | Fraction
Axes = Mapping[str, int]

MAX_LENGTH = 400

_ARITHMETIC: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: Fraction(a) / Fraction(b),
    ast.FloorDiv: operator.floordiv,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, tuple[int, Callable[..., Number]]] = {  # fewest arguments, meaning
    "ceil": (1, math.ceil),
    "log2": (1, math.log2),
    "min": (2, min),
    "max": (2, max),
}
_UNARY = ("ceil", "log2")


class FormulaError(ValueError):
    """The text is no formula, names an unknown axis, or has no value."""


def evaluate(text: str, axes: Axes) -> int | float:
    """The value of a formula; whole numbers come back as int."""
    try:
        value = _value(_parse(text), axes)
    except (ArithmeticError, ValueError, RecursionError) as error:
        raise error if isinstance(error, FormulaError) else FormulaError(f"{text!r}: {error}") from error
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    return value


def holds(text: str, axes: Axes) -> bool:
    """Whether a constraint such as `0 < PS <= S` is true."""
    tree = _parse(text)
    if not isinstance(tree, ast.Compare):
        raise FormulaError(f"{text!r} compares nothing")
    values = [_value(node, axes) for node in (tree.left, *tree.comparators)]
    return all(_comparison(op)(left, right) for op, left, right in zip(tree.ops, values, values[1:], strict=False))


def _parse(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"a formula has at most {MAX_LENGTH} characters, this one {len(text)}")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise FormulaError(f"{text!r} is no formula") from error


def _value(node: ast.expr, axes: Axes) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in axes:
            return axes[name]
        case ast.Name(id=name):
            raise FormulaError(f"unknown axis {name!r}")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, axes)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](_value(left, axes), _value(right, axes))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call(name, [_value(arg, axes) for arg in args])
    raise FormulaError(f"{ast.unparse(node)!r} is outside the formula language")


def _call(name: str, arguments: list[Number]) -> Number:
    if name not in _FUNCTIONS:
        raise FormulaError(f"unknown function {name!r}")
    fewest, function = _FUNCTIONS[name]
    if len(arguments) < fewest or (name in _UNARY and len(arguments) > 1):
        raise FormulaError(f"{name} does not take {len(arguments)} arguments")
    return function(*arguments)


def _comparison(op: ast.cmpop) -> Callable[[Number, Number], bool]:
    if type(op) not in _COMPARISONS:
        raise FormulaError("a constraint compares with < <= > >= == != only")
    return _COMPARISONS[type(op)]
