"""Which conditions of the readers decide anything: condition coverage while made-up copies are read.

    python -m companion.calibration.training.condition_coverage record FILE MODULE [ARGUMENT…]
    python -m companion.calibration.training.condition_coverage report FILE… [--only PACKAGE]

``record`` runs a module as ``python -m`` would, a judging of this package for instance, and adds to FILE which values the parts
of every condition of ``companion.vision`` took: of ``if``, ``while``, ``… if … else …``, of each operand of ``and`` and ``or``,
of the filters of comprehensions, whether each operand of ``&`` and ``|`` changed the result, and which functions were called.
``report`` prints what never decided, over all files: an ``if`` that always went one way, an operand of ``and`` that never was
false, a mask that took nothing away. With such a condition gone every one of those readings would have been the same.

That is where to look for rules to delete, no more: a guard against a broken picture never decides on good ones. Reading takes
about 1.2 times as long.
"""

from __future__ import annotations

import argparse
import ast
import json
import runpy
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

import numpy as np

WATCHED = "companion.vision."
"""The modules whose conditions are looked at, as their names begin."""
TRUE, FALSE, LEFT, RIGHT, CALLED = "true", "false", "left", "right", "called"
OPERANDS = {ast.BitAnd: "&", ast.BitOr: "|"}
_NOTE, _MASK, _ENTER = "c_noted", "c_masked", "c_entered"
"""The names that the recorder's functions have in an instrumented module."""

Seen = dict[str, set[str]]
"""By condition (``module:line:column kind in function: source``), which values it took, or which operands changed something."""


class Recorder:
    """What was seen of every condition of the modules that were instrumented."""

    def __init__(self) -> None:
        self.seen: Seen = {}

    def note(self, condition: str, value: Any) -> Any:
        """A part of a condition; its value is handed on."""
        self.seen[condition].add(TRUE if value else FALSE)
        return value

    def mask(self, condition: str, operator: str, left: Any, right: Any) -> Any:
        """Two operands of ``&`` or ``|``; what they give is handed on."""
        found, result = self.seen[condition], left & right if operator == "&" else left | right
        found.add(CALLED)
        if LEFT not in found and not np.array_equal(result, right):
            found.add(LEFT)
        if RIGHT not in found and not np.array_equal(result, left):
            found.add(RIGHT)
        return result

    def enter(self, condition: str) -> None:
        """A function was called."""
        self.seen[condition].add(CALLED)

    @property
    def names(self) -> dict[str, Any]:
        """What an instrumented module calls."""
        return {_NOTE: self.note, _MASK: self.mask, _ENTER: self.enter}


class Instrumenter(ast.NodeTransformer):
    """Wraps every part of every condition of a module in a call that notes it."""

    def __init__(self, module: str, seen: Seen) -> None:
        self._module, self._seen, self._within = module, seen, [""]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._within.append(f"{self._within[-1]}.{node.name}".lstrip("."))
        entered = ast.Expr(self._call(_ENTER, node, "def", node.name))
        node.body = [ast.copy_location(entered, node.body[0]), *(cast(ast.stmt, self.visit(one)) for one in node.body)]
        self._within.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._within.append(node.name)
        node.body = [cast(ast.stmt, self.visit(one)) for one in node.body]
        self._within.pop()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Types written with ``|`` are no conditions."""
        node.value = self.visit(node.value) if node.value is not None else None
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._tested(node, "if")

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._tested(node, "while")

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._tested(node, "else")

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        filters = node.ifs
        node.ifs = []
        self.generic_visit(node)
        node.ifs = [self._noted(one, "filter") for one in filters]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        kind = "and" if isinstance(node.op, ast.And) else "or"
        node.values = [self._noted(one, kind) for one in node.values]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        sign, source = OPERANDS.get(cast(Any, type(node.op)), ""), ast.unparse(node)
        self.generic_visit(node)
        return self._call(_MASK, node, sign, source, ast.Constant(sign), node.left, node.right) if sign else node

    def _tested(self, node: Any, kind: str) -> ast.AST:
        test = node.test
        node.test = ast.Constant(True)
        self.generic_visit(node)
        node.test = self._noted(test, kind)
        return cast(ast.AST, node)

    def _noted(self, node: ast.expr, kind: str) -> ast.expr:
        source = ast.unparse(node)
        return self._call(_NOTE, node, kind, source, cast(ast.expr, self.visit(node)))

    def _call(self, name: str, node: Any, kind: str, source: str, *arguments: ast.expr) -> ast.expr:
        within = self._within[-1]
        condition = f"{self._module}:{node.lineno}:{node.col_offset} {kind} in {within}: {source}"
        self._seen.setdefault(condition, set())
        made = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(condition), *arguments], [])
        return ast.copy_location(made, node)


def instrumented(source: str | bytes, module: str, path: str, seen: Seen) -> CodeType:
    """The code of a module that notes its conditions in ``seen``; outside functions and classes nothing is changed."""
    tree, visitor = ast.parse(source), Instrumenter(module, seen)
    tree.body = [
        cast(ast.stmt, visitor.visit(one)) if isinstance(one, ast.FunctionDef | ast.ClassDef) else one for one in tree.body
    ]
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class _Loader(SourceFileLoader):
    """Loads a module instrumented."""

    def __init__(self, name: str, path: str, recorder: Recorder) -> None:
        super().__init__(name, path)
        self._recorder = recorder

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return instrumented(self.get_data(path), fullname, path, self._recorder.seen)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(self._recorder.names)
        super().exec_module(module)


class Finder(MetaPathFinder):
    """Finds the modules of ``companion.vision`` and has them loaded instrumented."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname.startswith(WATCHED) else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, self._recorder)
        return spec


def undecided(seen: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The conditions that never decided anything, each with what was seen of it. What stands in a function that was never
    called is not named beside it, nor what was never reached."""
    for condition, found in seen.items():
        kind = condition.split(" ", 2)[1]
        if kind == "def":
            if not found:
                yield condition, "never called"
        elif kind in OPERANDS.values():
            idle = [side for side in (LEFT, RIGHT) if side not in found]
            if idle and CALLED in found:
                yield condition, f"nothing by its {' and '.join(idle)}"
        elif len(found) == 1:
            yield condition, f"always {next(iter(found))}"


def merged(files: Sequence[Path]) -> Seen:
    """What was seen in several runs of the same code."""
    seen: Seen = {}
    for file in files:
        for condition, found in json.loads(file.read_text(encoding="utf-8")).items():
            seen.setdefault(condition, set()).update(found)
    return seen


def record(file: Path, module: str, arguments: Sequence[str]) -> None:
    """Run a module with every condition noted, and add what was seen to a file."""
    recorder = Recorder()
    for name in [one for one in sys.modules if one.startswith(WATCHED)]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(recorder))
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        for condition, found in (merged([file]) if file.is_file() else {}).items():
            recorder.seen.setdefault(condition, set()).update(found)
        told = {condition: sorted(found) for condition, found in recorder.seen.items()}
        file.write_text(json.dumps(told, indent=0), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run a module and note its conditions")
    recording.add_argument("file", type=Path)
    recording.add_argument("module")
    recording.add_argument("arguments", nargs=argparse.REMAINDER)
    reporting = commands.add_parser("report", help="print what never decided")
    reporting.add_argument("files", type=Path, nargs="+")
    reporting.add_argument("--only", default="", metavar="PACKAGE", help="of companion.vision")
    options = parser.parse_args()
    if options.command == "record":
        record(options.file, options.module, options.arguments)
        return
    told = sorted(undecided(merged(options.files)), key=lambda one: (one[0].partition(":")[0], int(one[0].split(":")[1])))
    for condition, found in told:
        if condition.startswith(WATCHED + options.only):
            print(f"{condition.removeprefix(WATCHED)}  ({found})")


if __name__ == "__main__":
    main()
