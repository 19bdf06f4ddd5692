"""Our pages to print as PDF: filled rectangles, dashed outlines and one of the fonts every reader has.

Written by hand on purpose: three kinds of marks are a page of code, while the libraries that draw PDF bring several
megabytes of fonts and picture formats. Format: ISO 32000-1 (PDF 1.4 is enough), its standard font Helvetica in the
encoding WinAnsi, uncompressed, so that a text editor can read it.
"""

import unicodedata
from collections.abc import Sequence

from companion.calibration.svg import CUT_LINE_MM, DASHES_MM, CutLine, Mark, Rectangle, Sheet, Words

POINTS_PER_MM = 72 / 25.4
_FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
# Advance widths of Helvetica, thousandths of its size, from the space to the tilde (Adobe's font metrics).
_ADVANCES = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
    667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_ROUND = 0.5523  # control points of a quarter circle, in radii


def pdf(sheets: Sequence[Sheet]) -> bytes:
    """The sheets as pages of one file, at their true size; a reader that listens to it prints them unscaled."""
    title = _string(sheets[0].title if sheets else "")
    pages = range(5, 5 + 2 * len(sheets), 2)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Count {len(sheets)} /Kids [{' '.join(f'{page} 0 R' for page in pages)}] >>".encode(),
        _FONT.encode(),
        b"<< /Title " + title + b" >>",
    ]
    for page, sheet in zip(pages, sheets, strict=True):
        width, height = (value * POINTS_PER_MM for value in sheet.size_mm)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] /Contents {page + 1} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        content = _content(sheet)
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    """Header, numbered objects, the table of where each begins, trailer."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{start:010d} 00000 n \n".encode() for start in starts)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def _content(sheet: Sheet) -> bytes:
    """The marks of a page, in millimetres from the top left: one matrix turns them into points from the bottom left."""
    scale, height = POINTS_PER_MM, sheet.size_mm[1] * POINTS_PER_MM
    dashes = " ".join(f"{dash:g}" for dash in DASHES_MM)
    start = f"{scale:.6f} 0 0 {-scale:.6f} 0 {height:.4f} cm 0.53 G {CUT_LINE_MM} w [{dashes}] 0 d".encode()
    return b"\n".join([start, *(_drawn(mark) for mark in sheet.marks)])


def _drawn(mark: Mark) -> bytes:
    if isinstance(mark, Words):
        return _written(mark)
    box = f"{mark.x:.4f} {mark.y:.4f} {mark.width:.4f} {mark.height:.4f} re"
    if isinstance(mark, Rectangle):
        return f"{_grey(mark.fill):g} g {box} f".encode()
    return _circle(mark) if mark.round else f"{box} S".encode()


def _grey(fill: str) -> float:
    """A grey "#rgb" or "#rrggbb" as a share of white."""
    digits = (len(fill) - 1) // 3
    return round(int(fill[1 : 1 + digits], 16) / float(16**digits - 1), 3)


def _circle(mark: CutLine) -> bytes:
    radius = mark.width / 2
    x, y, k = mark.x + radius, mark.y + mark.height / 2, radius * _ROUND
    path = [f"{x + radius:.4f} {y:.4f} m"]
    for dx, dy in ((0, 1), (-1, 0), (0, -1), (1, 0)):
        # From the quarter before (turned back by 90°) to this one, along both tangents.
        bx, by = dy, -dx
        points = (
            x + bx * radius + dx * k, y + by * radius + dy * k, x + dx * radius + bx * k, y + dy * radius + by * k,
            x + dx * radius, y + dy * radius,
        )  # fmt: skip
        path.append(" ".join(f"{value:.4f}" for value in points) + " c")
    return (" ".join(path) + " s").encode()


def _written(mark: Words) -> bytes:
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor] * width_mm(mark.words, mark.size_mm)
    place = f"1 0 0 -1 {mark.x - shift:.4f} {mark.y:.4f} Tm"
    return f"0 g BT /F {mark.size_mm:.3f} Tf {place} ".encode() + _string(mark.words) + b" Tj ET"


def width_mm(words: str, size_mm: float) -> float:
    """How wide Helvetica sets a line; a letter with an accent is as wide as one without."""
    plain = (unicodedata.normalize("NFD", letter)[0] for letter in words)
    advances = [_ADVANCES[ord(letter) - 32] if " " <= letter <= "~" else 556 for letter in plain]
    return sum(advances) * size_mm / 1000


def _string(words: str) -> bytes:
    """A PDF string; a letter the encoding does not have becomes a question mark."""
    raw = words.encode("cp1252", "replace")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"
