"""Path-trace one described table with Blender. Runs in an environment of its own: ``pip install bpy`` (about 1 GB).

    PYTHON-WITH-BPY calibration/training/trace_scene.py SCENE.json FOLDER [threads]

``SCENE.json`` is written by ``trace_tables``: millimetres, x right, y down, height up; every picture has a camera (an ideal
pinhole), lights, a board, pieces and loose solids. For each a file ``NNN.npy`` of linear light (height × width × 3, float16)
is left in FOLDER. Nothing of the product is needed here, nor is Blender anywhere else.
"""

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

MM = 0.001


def at(x: float, y: float, height: float = 0.0) -> Vector:
    """Board millimetres to Blender's metres (y up the picture there)."""
    return Vector((x * MM, -y * MM, height * MM))


def on_board(point: Sequence[float], height: float) -> Vector:
    """The same of a point (x, y)."""
    return at(point[0], point[1], height)


def material(name: str, observation: dict[str, Any]) -> bpy.types.Material:
    """A printed, painted or lacquered surface: ``texture`` or ``colour`` (linear), ``rough``, ``coat``, ``bump``."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = observation.get("rough", 0.5)
    shader.inputs["Coat Weight"].default_value = observation.get("coat", 0.0)
    shader.inputs["Coat Roughness"].default_value = observation.get("coat_rough", 0.15)
    if "texture" in observation:
        picture = nodes.new("ShaderNodeTexImage")
        picture.image = bpy.data.images.load(observation["texture"], check_existing=True)
        picture.extension = "EXTEND"
        picture.interpolation = "Cubic"
        links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    else:
        shader.inputs["Base Color"].default_value = (*observation["colour"], 1.0)
    if observation.get("bump"):
        grain, bump = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
        grain.inputs["Scale"].default_value = observation.get("bump_scale", 900.0)
        bump.inputs["Strength"].default_value = observation["bump"]
        bump.inputs["Distance"].default_value = 0.0002
        links.new(grain.outputs["Fac"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


def solid(
    name: str, rings: list[list[Vector]], top: dict[str, Any], side: dict[str, Any], uv: Matrix | None = None
) -> bpy.types.Object:
    """Rings of points (lowest first, equal counts), closed above; the top face bears the picture by ``uv`` (x, y -> 0 to 1)."""
    points = [point for ring in rings for point in ring]
    count = len(rings[0])
    faces: list[tuple[int, ...]] = [
        (k * count + i, k * count + (i + 1) % count, (k + 1) * count + (i + 1) % count, (k + 1) * count + i)
        for k in range(len(rings) - 1)
        for i in range(count)
    ]
    faces.append(tuple((len(rings) - 1) * count + i for i in range(count)))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(material(name + " top", top))
    mesh.materials.append(material(name + " side", side))
    layer = mesh.uv_layers.new()
    for number, polygon in enumerate(mesh.polygons):
        polygon.material_index = 0 if number == len(faces) - 1 else 1
        for corner in polygon.loop_indices:
            place = mesh.vertices[mesh.loops[corner].vertex_index].co
            u, v, _ = (uv or Matrix.Identity(3)) @ Vector((place.x, place.y, 1.0))
            layer.data[corner].uv = (u, v)
    mesh.validate()
    made = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(made)
    # Outward normals, whichever way the outline ran.
    bpy.context.view_layer.objects.active = made
    made.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.normals_make_consistent(inside=False)
    bpy.ops.object.mode_set(mode="OBJECT")
    made.select_set(False)
    return made


def piece(number: int, spec: dict[str, Any]) -> None:
    """A disc (lathed, its edge broken), a tile or a strip, with its face upright in its own frame."""
    x, y, turn, low, high = spec["x"], spec["y"], spec["turn"], spec["bottom"], spec["top"]
    outline = np.asarray(spec["outline"], float)
    centre = np.array([x, y])
    edge = spec["bevel"]
    profile = [(edge, low), (0.0, low + edge), (0.0, high - edge), (0.3 * edge, high - 0.3 * edge), (edge, high)]
    reach = np.linalg.norm(outline - centre, axis=1).max()
    rings = [[on_board(centre + (p - centre) * (1 - inward / reach), h) for p in outline] for inward, h in profile]
    width, height = spec["face_mm"]
    r = math.radians(turn)
    # Board offset (dx, dy, y down) turned back by r gives the place on the face; v counts up in Blender.
    c, s = math.cos(r), math.sin(r)
    uv = Matrix(
        (
            (c / (width * MM), -s / (width * MM), 0.5),
            (s / (height * MM), c / (height * MM), 0.5),
            (0, 0, 1),
        )
    ) @ Matrix(((1, 0, -x * MM), (0, 1, y * MM), (0, 0, 1)))
    solid(f"piece {number}", rings, spec["face"], spec["side"], uv)


def turned(number: int, spec: dict[str, Any]) -> None:
    """Something turned on a lathe (a pawn): ``profile`` has its radius by height, both in mm, from the foot up."""
    around = np.linspace(0, 2 * math.pi, 64, endpoint=False)
    ring = np.column_stack([np.cos(around), np.sin(around)])
    centre = np.array([spec["x"], spec["y"]])
    rings = [[on_board(centre + radius * p, height) for p in ring] for radius, height in spec["profile"]]
    made = solid(f"piece {number}", rings, spec["side"], spec["side"])
    for polygon in list(made.data.polygons)[:-1]:
        polygon.use_smooth = True


def slab(name: str, spec: dict[str, Any]) -> None:
    """A flat solid (the board, a card, a phone): an outline between two heights."""
    rings = [[on_board(point, height) for point in spec["outline"]] for height in (spec["bottom"], spec["top"])]
    uv = None
    if "width" in spec:
        x, y = spec["origin"]
        uv = Matrix(
            (
                (1 / (spec["width"] * MM), 0, -x / spec["width"]),
                (0, 1 / (spec["height"] * MM), 1 + y / spec["height"]),
                (0, 0, 1),
            )
        )
    solid(name, rings, spec["face"], spec["side"], uv)


def arm(spec: dict[str, Any]) -> None:
    """A sleeve, a fist and some fingers: rounded bodies along a line, from beyond the edge to over the board."""
    for name, part in spec.items():
        a, b = at(*part["from"]), at(*part["to"])
        bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=1.0)
        body = bpy.context.object
        along = (b - a).normalized()
        body.rotation_mode = "QUATERNION"
        body.rotation_quaternion = Vector((1, 0, 0)).rotation_difference(along)
        body.scale = ((b - a).length / 2 + part["radius"] * MM, part["radius"] * MM, part["radius"] * MM * 0.85)
        body.location = (a + b) / 2
        bpy.ops.object.shade_smooth()
        body.data.materials.append(material("arm " + name, {"colour": part["colour"], "rough": 0.7}))


def light(number: int, spec: dict[str, Any]) -> None:
    """``sun``, ``area`` (rectangle of ``size`` mm) or ``disk``; ``watts``, ``colour`` and where it looks."""
    made = bpy.data.lights.new(f"light {number}", "SUN" if spec["kind"] == "sun" else "AREA")
    made.energy, made.color = spec["watts"], spec["colour"]
    if spec["kind"] == "sun":
        made.angle = math.radians(spec["angle"])
    else:
        made.shape = "RECTANGLE" if spec["kind"] == "area" else "DISK"
        made.size = spec["size"][0] * MM
        if spec["kind"] == "area":
            made.size_y = spec["size"][1] * MM
    lamp = bpy.data.objects.new(f"light {number}", made)
    bpy.context.collection.objects.link(lamp)
    lamp.location = at(*spec["from"])
    lamp.rotation_mode = "QUATERNION"
    lamp.rotation_quaternion = (at(*spec["to"]) - at(*spec["from"])).to_track_quat("-Z", "Y")


def camera(spec: dict[str, Any]) -> None:
    """A pinhole with square pixels: focal length and middle in pixels, rotation and translation as OpenCV has them."""
    width, height = spec["size"]
    made = bpy.data.cameras.new("camera")
    made.sensor_fit, made.sensor_width = "HORIZONTAL", 36.0
    made.lens = spec["focal"] / width * 36.0
    made.shift_x = -(spec["middle"][0] - (width - 1) / 2) / width
    made.shift_y = (spec["middle"][1] - (height - 1) / 2) / width
    made.clip_start = 0.01
    eye = bpy.data.objects.new("camera", made)
    bpy.context.collection.objects.link(eye)
    rotation = np.asarray(spec["rotation"], float)  # board (x, y down, -height) to camera
    flip = np.diag([1.0, -1.0, -1.0])  # Blender's board is (x, -y, height)
    world = flip @ rotation.T @ np.diag([1.0, -1.0, -1.0])  # Blender's camera looks down -z, y up
    place = flip @ (-rotation.T @ np.asarray(spec["translation"], float)) * MM
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = world, place
    eye.matrix_world = Matrix(matrix.tolist())
    scene = bpy.context.scene
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100


def world(spec: dict[str, Any]) -> None:
    """What comes from all around: a colour and how strong."""
    made = bpy.data.worlds.new("world")
    bpy.context.scene.world = made
    made.use_nodes = True
    ground = made.node_tree.nodes["Background"]
    ground.inputs["Color"].default_value = (*spec["colour"], 1.0)
    ground.inputs["Strength"].default_value = spec["strength"]


def trace(spec: dict[str, Any], samples: int, threads: int, target: Path) -> None:
    """One picture, from an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.cycles.seed = spec["seed"]
    scene.cycles.max_bounces = 4
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "16"
    camera(spec["camera"])
    world(spec["world"])
    for number, one in enumerate(spec["lights"]):
        light(number, one)
    for number, one in enumerate(spec["slabs"]):
        slab(f"slab {number}", one)
    for number, one in enumerate(spec["pieces"]):
        (turned if "profile" in one else piece)(number, one)
    if spec.get("arm"):
        arm(spec["arm"])
    raw = target.with_suffix(".exr")
    scene.render.filepath = str(raw)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(raw))
    width, height = image.size
    light_ = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(light_)
    np.save(target, light_.reshape(height, width, 4)[::-1, :, :3].astype(np.float16))
    raw.unlink()


def main() -> None:
    """Trace every picture that is not there yet."""
    scene, folder = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    for spec in scene["pictures"]:
        target = folder / (Path(spec["file"]).stem + ".npy")
        if not target.exists():
            trace(spec, scene["samples"], threads, target)


if __name__ == "__main__":
    main()
