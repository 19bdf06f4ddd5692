"""QR codes as the path of one SVG shape: dark modules as little squares, rows joined into runs."""

from functools import lru_cache

import segno


@lru_cache(maxsize=32)
def qr_code(text: str) -> dict[str, object]:
    """``size`` in modules with the quiet border of four, and ``path``, for a drawing of that size."""
    border = 4
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix]
    runs = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            if not row[x]:
                x += 1
                continue
            end = next((i for i in range(x, len(row)) if not row[i]), len(row))
            runs.append(f"M{x + border} {y + border}h{end - x}v1h{x - end}z")
            x = end
    return {"size": len(rows) + 2 * border, "path": "".join(runs)}
