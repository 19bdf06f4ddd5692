"""The bundled recorded tables, played as if they were a camera. Data and a camera; the companion behind it is the real one."""

from companion.demo.camera import DemoCamera
from companion.demo.script import TABLE, Script, bundled, load_script, table_of, table_set

__all__ = ["TABLE", "DemoCamera", "Script", "bundled", "load_script", "table_of", "table_set"]
