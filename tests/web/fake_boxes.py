"""Button boxes as the page sees them, without lines; what is pressed is kept for the test."""

from typing import Any

from companion.devices.boxes import KEYS
from companion.errors import BadInput

LABELS = {"left": 1, "right": 0}


class FakeBoxes:
    """Boxes as the page sees them, without lines."""

    def __init__(self) -> None:
        self.pressed: list[tuple[Any, ...]] = []
        self.roles: dict[str, str] = {}
        self.shuffled = False
        self.asked = 0
        self.looked = 0
        self.refuse = ""
        self.ports: list[dict[str, Any]] = [self.box("0000000a")]

    @staticmethod
    def box(name: str, **more: Any) -> dict[str, Any]:
        base = {"port": f"/dev/{name}", "state": "linked", "text": "", "simulated": False, "box": name, "down": [], "stuck": []}
        return base | more

    def status(self) -> dict[str, Any]:
        boxes = [each | ({"role": self.roles.get(each["box"], "")} if each.get("box") else {}) for each in self.ports]
        keys = {code: str(button) for code, button in KEYS.items() if "clock" not in button}
        return {
            "looking": True, "boxes": boxes, "roles": ["jack", "table", ""], "shuffled": self.shuffled, "keys": keys,
            "hold": 0.2,
        }  # fmt: skip

    def assign(self, box: str, role: str) -> None:
        if role not in ("jack", "table", ""):
            raise BadInput(f"role {role!r} is not known")
        self.roles[box] = role

    def shuffle(self, on: bool) -> None:
        self.shuffled = on

    def answers(self) -> tuple[str, ...]:
        return ("call",)

    def labels(self) -> dict[str, int] | None:
        self.asked += 1
        return LABELS

    def try_again(self) -> None:
        self.looked += 1

    def press(self, button: str, *, held: bool = False, role: str = "", box: str | None = None) -> None:
        if self.refuse:
            raise BadInput(self.refuse)
        self.pressed.append((button, held, role, box))
