# ruff: noqa: N812 - PyTorch's own abbreviation
"""The plain reader's small networks as they are trained (needs PyTorch), and what they are shown."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from companion.vision.plain.stacks import CONTRAST_FLOOR

# --- networks ------------------------------------------------------------------------------------------------------------


class Pair(nn.Module):
    """Is it the same drawing? Both pictures go through one stem; a head looks at the two and at their difference."""

    def __init__(self, outputs: int, wide: int = 16) -> None:
        super().__init__()
        self.stem = nn.Sequential(*layer(4, wide, 5, 2), *layer(wide, wide, 3, 1))
        self.head = nn.Sequential(*layer(3 * wide, 32, 3, 2), *layer(32, 32, 3, 1), *layer(32, 48, 3, 2), *layer(48, 64, 3, 1))
        self.out = nn.Linear(128, outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one, other = self.stem(x[:, :4]), self.stem(x[:, 4:])
        h = self.head(torch.cat([one, other, (one - other).abs()], 1))
        return self.out(torch.cat([h.mean((2, 3)), h.amax((2, 3))], 1))

    def pairs(self, seen: torch.Tensor, taught: torch.Tensor) -> torch.Tensor:
        """Every picture seen (N×4×…) against its own share of the taught ones (N·K×4×…)."""
        every = self.stem(torch.cat([seen, taught]))
        one, other = every[: len(seen)], every[len(seen) :]
        if len(taught) > len(seen):
            one = one.repeat_interleave(len(taught) // len(seen), 0)
        h = self.head(torch.cat([one, other, (one - other).abs()], 1))
        return self.out(torch.cat([h.mean((2, 3)), h.amax((2, 3))], 1))


def layer(inside: int, outside: int, size: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, size, stride, size // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU()]


class Place(nn.Module):
    """Is a place bare, a piece of the taught colour, or something strange? Sees it, its bare print, and what is hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *layer(12, 24, 5, 2), *layer(24, 32, 3, 2), *layer(32, 32, 3, 1), *layer(32, 48, 3, 2), *layer(48, 64, 3, 1)
        )
        self.out = nn.Linear(128, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.body(x)
        return self.out(torch.cat([h.mean((2, 3)), h.amax((2, 3))], 1))


# --- pictures to planes, as ``stacks.planes`` does ------------------------------------------------------------------------


def blurred(x: torch.Tensor, size: int, sigma: float) -> torch.Tensor:
    t = torch.arange(size, dtype=torch.float32) - size // 2
    k = torch.exp(-(t**2) / (2 * sigma**2))
    k = (k / k.sum()).to(x)
    c = x.shape[1]
    pad = size // 2
    x = F.conv2d(F.pad(x, (pad, pad, 0, 0), mode="reflect"), k.view(1, 1, 1, -1).repeat(c, 1, 1, 1), groups=c)
    return F.conv2d(F.pad(x, (0, 0, pad, pad), mode="reflect"), k.view(1, 1, -1, 1).repeat(c, 1, 1, 1), groups=c)


def planes(coded: torch.Tensor) -> torch.Tensor:
    """Coded pictures (N×3×H×W, 0..1) to N×4×H×W."""
    light = (coded * torch.tensor([0.2, 0.5, 0.3]).view(1, 3, 1, 1)).sum(1, keepdim=True)
    rest = light - blurred(light, 13, 3.0)
    spread = blurred(rest * rest, 25, 6.0)
    return torch.cat([(coded - 0.5) * 2, rest / (spread.clamp_min(0).sqrt() + CONTRAST_FLOOR)], 1)
