# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where a run computes, and whether it can in its precision."""

from typing import Final

import torch
from haystack.utils import ComponentDevice

# What processors call their own products of bfloat16.
_BFLOAT16: Final = ("amx_bf16", "avx512_bf16", "bf16")


def on_cpu(*, use_cpu: bool) -> bool:
    """
    Say where a run computes.

    :param use_cpu: whether it is to be the CPU even where there is an accelerator.
    :returns: whether it is the CPU.
    """
    return use_cpu or not torch.accelerator.is_available()


def component_device(*, use_cpu: bool) -> ComponentDevice | None:
    """
    Say the same as Haystack's components take it.

    :param use_cpu: see :func:`on_cpu`.
    :returns: the CPU; None, which is the first accelerator, where there is one to use.
    """
    return ComponentDevice.from_str("cpu") if on_cpu(use_cpu=use_cpu) else None


def check_precision(precision: str, *, use_cpu: bool) -> None:
    """
    Make sure that the device can compute in a precision.

    :param precision: float32, bfloat16 or float16.
    :param use_cpu: see :func:`on_cpu`.
    :raises ValueError: if it cannot.
    """
    if precision == "float16" and on_cpu(use_cpu=use_cpu):
        msg = "training setting 'precision' is 'float16', which needs an accelerator; expected float32 or bfloat16 on "
        msg += "the CPU"
        raise ValueError(msg)


def affordable_precision(precision: str, *, use_cpu: bool) -> str:
    """
    Say in what to compute where a precision is asked for to save time.

    :param precision: float32, bfloat16 or float16.
    :param use_cpu: see :func:`on_cpu`.
    :returns: the same, but float32 for bfloat16 on a CPU without it, which takes a multiple of the time.
    """
    slow = precision == "bfloat16" and on_cpu(use_cpu=use_cpu) and not _cpu_has_bfloat16()
    return "float32" if slow else precision


def native_precision() -> str:
    """
    Say in what this machine trains fastest without a loss that matters.

    :returns: bfloat16 where the device multiplies it by itself, else float32.
    """
    if not on_cpu(use_cpu=False):
        return "bfloat16" if torch.cuda.is_available() and torch.cuda.is_bf16_supported() else "float32"
    return "bfloat16" if _cpu_has_bfloat16() else "float32"


def _cpu_has_bfloat16() -> bool:
    # oneDNN computes the products. ONEDNN_MAX_CPU_ISA can hold it to instructions without any bfloat16, such as AVX2's.
    # (Held to AVX512_CORE it has kernels that convert: slower, but the results are the same.)
    there = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not (there and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return False
    # Older versions of torch do not say.
    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(capabilities.get(name) for name in _BFLOAT16)
