# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Linear layers that multiply in 8-bit integers on a CPU, by oneDNN, which comes with torch.

Weights are rounded once, with a scale for each output. Inputs are rounded as they come, each row by its own minimum and
maximum. torch's `quantize_dynamic` takes one scale for a whole batch instead: there a pair's score depends on what it
is batched with.
"""

from typing import Any, Final, Self

import torch
from torch import Tensor, nn

# Seven bits of an input. Without instructions of VNNI a CPU adds two products in 16 bits, and 2 * 127 * 127 fits there.
_STEPS: Final = 127
# A row of equal numbers has no width; any number above 0 will do.
_LEAST: Final = 1e-12


class Int8Linear(nn.Module):
    """
    Computes y = x W^T + b with rounded x and W.

    A row is x = low + step * u, with u of 0, 1, ..., 127. So y = step * (u W^T) + low * (sum of W's columns) + b, and
    u W^T is what is multiplied in integers.

    :param linear: the layer, in single precision.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.scales: Tensor = weight.abs().amax(1).clamp_min(_LEAST) / _STEPS
        self.zeros: Tensor = torch.zeros(len(weight), dtype=torch.long)
        # Row by row in memory, which oneDNN takes for granted.
        rounded = (weight / self.scales[:, None]).round().to(torch.int8).contiguous()
        # Of the weights as they are multiplied, not as they were.
        self.sums: Tensor = rounded.sum(1) * self.scales
        self.bias: Tensor = torch.zeros(len(weight)) if linear.bias is None else linear.bias.detach().clone()
        self.packed: Tensor = torch.ops.onednn.qlinear_prepack(rounded, None)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Give the layer itself: it never changes, and oneDNN's weights cannot be copied."""
        return self

    def forward(self, x: Tensor) -> Tensor:
        """
        Apply the layer.

        :param x: [..., d].
        :returns: [..., d_out].
        """
        rows = x.reshape(-1, self.in_features)
        # Not aminmax: along a dimension it takes fifteen times as long as the two together.
        low, high = rows.amin(1, keepdim=True), rows.amax(1, keepdim=True)
        step = (high - low).clamp_min_(_LEAST).div_(_STEPS)
        per_step = step.reciprocal()
        # The conversion cuts off what is behind the point.
        u = torch.addcmul(0.5 - low * per_step, rows, per_step).to(torch.uint8)
        products: Tensor = torch.ops.onednn.qlinear_pointwise(
            u, 1.0, 0, self.packed, self.scales, self.zeros, None, 1.0, 0, torch.float32, "none", [], ""
        )
        y = torch.addcmul(self.bias, products, step).addcmul_(low, self.sums)
        return y.reshape(*x.shape[:-1], self.out_features)


def is_available() -> bool:
    """
    Say whether this CPU multiplies 8-bit integers faster than floats, and this torch can.

    :returns: whether it is so: an x86 CPU with AVX2.
    """
    return (
        torch.backends.cpu.get_cpu_capability().startswith("AVX")
        and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
        and hasattr(torch.ops.onednn, "qlinear_pointwise")
    )


def to_int8(module: nn.Module) -> None:
    """
    Replace all linear layers below a module. They can no longer be trained or saved.

    :param module: the module, in single precision and on the CPU.
    """
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear:
                setattr(parent, name, Int8Linear(child))
