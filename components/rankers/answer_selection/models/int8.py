# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Linear layers that multiply in 8-bit integers on a CPU, by FBGEMM, which comes with torch.

Weights are rounded once, with a scale for each output. Inputs are rounded as they come, each row by its own minimum and
maximum. torch's `quantize_dynamic` takes one scale for a whole batch instead: there a pair's score depends on what it is
batched with.
"""

from typing import Any, Final

import torch
from torch import Tensor, nn

# Seven bits of an input. Without instructions of VNNI a CPU adds two products in 16 bits, and 2 * 127 * 127 fits there.
_STEPS: Final = 127
_ENGINE: Final = "fbgemm"
# A row of equal numbers has no width; any number above 0 will do.
_LEAST: Final = 1e-12


class Int8Linear(nn.Module):
    """
    Computes y = x W^T + b with rounded x and W.

    A row is x = lo + width * u, with u in [0, 1]. So y = width * (u W^T) + lo * (sum of W's rows) + b, and u W^T is what
    is multiplied in integers.

    :param linear: the layer, in single precision.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        scales = weight.abs().amax(1).clamp_min(_LEAST).double() / 127
        rounded = torch.quantize_per_channel(weight, scales, torch.zeros(len(weight), dtype=torch.long), 0, torch.qint8)
        # Beside the sums of the weights as they are multiplied, not as they were.
        self.sums: Tensor = rounded.dequantize().sum(1)
        self.bias: Tensor = torch.zeros(len(weight)) if linear.bias is None else linear.bias.detach().clone()
        self.packed: Any = torch.ops.quantized.linear_prepack(rounded, None)

    def forward(self, x: Tensor) -> Tensor:
        """
        Apply the layer.

        :param x: [..., d].
        :returns: [..., d_out].
        """
        rows = x.reshape(-1, self.in_features)
        # Not aminmax: along a dimension it takes fifteen times as long as the two together.
        low, high = rows.amin(1, keepdim=True), rows.amax(1, keepdim=True)
        width = (high - low).clamp_min_(_LEAST)
        per_width = width.reciprocal()
        units = torch.addcmul(-low * per_width, rows, per_width)
        products: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            units, 1 / _STEPS, 0, self.packed
        )
        y = torch.addcmul(self.bias, products, width).addcmul_(low, self.sums)
        return y.reshape(*x.shape[:-1], self.out_features)


def is_available() -> bool:
    """
    Say whether this CPU and this torch multiply in 8 bits by FBGEMM, which needs AVX2.

    :returns: whether they do.
    """
    return _ENGINE in torch.backends.quantized.supported_engines and hasattr(
        torch.ops.quantized, "linear_with_input_q_dq_qweight_dq_output_fp32"
    )


def to_int8(module: nn.Module) -> None:
    """
    Replace all linear layers below a module. They can no longer be trained or saved.

    :param module: the module, in single precision and on the CPU.
    """
    before = torch.backends.quantized.engine
    # It decides how weights are packed, and nothing after that.
    torch.backends.quantized.engine = _ENGINE
    try:
        for parent in list(module.modules()):
            for name, child in list(parent.named_children()):
                if type(child) is nn.Linear:
                    setattr(parent, name, Int8Linear(child))
    finally:
        torch.backends.quantized.engine = before
