"""The bundled recorded table, played as if it were a camera. Data and a camera; the companion behind it is the real one."""

from companion.demo.camera import DemoCamera
from companion.demo.script import TABLE, Script, load_script, table_set

__all__ = ["TABLE", "DemoCamera", "Script", "load_script", "table_set"]
