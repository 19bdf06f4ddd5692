"""Writes the constants of both ends and the tables of PROTOCOL.md from protocol.toml.

``python firmware/generate.py`` writes what changed; with ``--check`` it writes nothing and exits 1 when something differs.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DEFINITION = HERE / "protocol.toml"
HEADER = HERE / "source" / "protocol.h"
MODULE = HERE.parent / "companion" / "devices" / "boxes" / "wire_constants.py"
DOCUMENT = HERE / "PROTOCOL.md"
BEGIN, END = "<!-- generated from protocol.toml -->", "<!-- end of the generated part -->"

SIZES = {"u8": 1, "u16": 2, "u32": 4}
STRUCT = {"u8": "B", "u16": "H", "u32": "I"}
# Group in the definition, prefix in C, name of the Python class (None: plain constants).
GROUPS = (
    ("protocol", "PROTOCOL", None),
    ("limits", "LIMIT", None),
    ("times", "TIME", None),
    ("counts", "COUNT", None),
    ("buttons", "BUTTON", "ButtonNumber"),
    ("flags", "FLAG", "PressFlag"),
    ("lights", "LIGHT", "Light"),
    ("capabilities", "CAN", "Capability"),
    ("causes", "CAUSE", "Cause"),
)
BITS = {"flags", "capabilities", "causes"}


def definition() -> dict[str, Any]:
    """The definition as read from protocol.toml."""
    return tomllib.loads(DEFINITION.read_text(encoding="utf-8"))


def header(data: dict[str, Any]) -> str:
    """The C header: every number, and for every message its kind, length and the offset of each field."""
    lines = [
        "/* Written by generate.py from protocol.toml; change it there. */",
        "#ifndef PROTOCOL_H",
        "#define PROTOCOL_H",
        "",
    ]
    for group, prefix, _ in GROUPS:
        lines += [f"#define {prefix}_{name.upper()} {value}u" for name, value in data[group].items()]
        lines.append("")
    lines += [f"#define BUTTONS {len(data['buttons'])}u", ""]
    for name, message in data["messages"].items():
        lines.append(f"#define KIND_{name} 0x{message['kind']:02x}u")
        offset = 0
        for field, size in message["fields"]:
            lines.append(f"#define {name}_{field.upper()} {offset}u")
            offset += SIZES[size]
        lines += [f"#define {name}_LENGTH {offset}u", ""]
    return "\n".join([*lines, "#endif", ""])


def module(data: dict[str, Any]) -> str:
    """The Python module: the same numbers, and for every message a struct format and the names of its fields."""
    lines = [
        '"""Numbers of the box protocol. Written by firmware/generate.py from firmware/protocol.toml; change it there."""',
        "",
        "from enum import IntEnum, IntFlag",
        "from typing import Final",
        "",
    ]
    for group, prefix, class_name in GROUPS:
        if class_name is None:
            lines += [f"{prefix}_{name.upper()}: Final = {value}" for name, value in data[group].items()]
    for group, _, class_name in GROUPS:
        if class_name is not None:
            base = "IntFlag" if group in BITS else "IntEnum"
            lines += ["", "", f"class {class_name}({base}):"]
            lines += [f'    """The numbers of the {group} on the wire."""', ""]
            lines += [f"    {name} = {value}" for name, value in data[group].items()]
    lines += ["", "", "class Kind(IntEnum):", '    """First byte of a frame."""', ""]
    lines += [f"    {name} = 0x{message['kind']:02X}" for name, message in data["messages"].items()]
    lines += ["", "", "LAYOUTS: Final[dict[Kind, tuple[str, tuple[str, ...]]]] = {"]
    for name, message in data["messages"].items():
        layout = "<" + "".join(STRUCT[size] for _, size in message["fields"])
        names = ", ".join(f'"{field}"' for field, _ in message["fields"])
        names += "," if len(message["fields"]) == 1 else ""
        line = f'    Kind.{name}: ("{layout}", ({names})),'
        if len(line) <= 128:
            lines.append(line)
        else:
            lines += [f"    Kind.{name}: (", f'        "{layout}",']
            if len(names) + 10 <= 128:
                lines += [f"        ({names}),"]
            else:
                lines += ["        (", *(f'            "{field}",' for field, _ in message["fields"]), "        ),"]
            lines += ["    ),"]
    return "\n".join([*lines, "}", ""])


def tables(data: dict[str, Any]) -> str:
    """The tables of the document, Markdown."""
    lines = [BEGIN, ""]
    for name, message in data["messages"].items():
        direction = "host → box" if message["kind"] < 0x80 else "box → host"
        lines += [f"### {name} (0x{message['kind']:02X}, {direction})", "", message["about"], ""]
        lines += ["| offset | field | size |", "| ---: | --- | --- |"]
        offset = 0
        for field, size in message["fields"]:
            lines.append(f"| {offset} | `{field}` | {size} |")
            offset += SIZES[size]
        lines.append("")
    lines += ["### Numbers", ""]
    for group, _, _ in GROUPS:
        unit = ", ms" if group == "times" else ""
        pairs = ", ".join(f"{name} {value}" for name, value in data[group].items())
        lines += [f"* {group}{unit}: {pairs}"]
    return "\n".join([*lines, "", END])


def wanted() -> dict[Path, str]:
    """What every generated file should hold."""
    data = definition()
    document = DOCUMENT.read_text(encoding="utf-8")
    before, rest = document.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return {HEADER: header(data), MODULE: module(data), DOCUMENT: before + tables(data) + after}


def main(arguments: list[str]) -> int:
    """Write or check. Returns 1 when ``--check`` finds a difference."""
    differing = [path for path, text in wanted().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in differing:
            print(f"{path.name} does not follow from protocol.toml: run firmware/generate.py", file=sys.stderr)
        return 1 if differing else 0
    for path in differing:
        path.write_text(wanted()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
