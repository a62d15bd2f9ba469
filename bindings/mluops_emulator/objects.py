"""What an opaque pointer stands for: handles, descriptors, queues and notifiers, with their history."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Dict, Iterator, Tuple, Type, TypeVar

from mluops.constants import mluOpAtomicsMode_t, mluOpQuantizeRoundMode_t
from mluops_emulator.descriptors import Descriptor
from mluops_emulator.device import DeviceModel, JobType
from mluops_emulator.queues import Queue
from mluops_emulator.sites import Site, caller_site
from mluops_emulator.violations import Kind, Misuse

REMEMBERED = 1 << 16
"""Destroyed objects that can still be told from foreign pointers."""

SPACING = 64


@dataclass
class Handle:
    """A library handle: the device as its context limits it, its queue and its modes."""

    device: DeviceModel
    job: JobType
    queue: Queue
    queue_address: int = 0
    round_mode: int = mluOpQuantizeRoundMode_t.MLUOP_ROUND_HALF_TO_EVEN
    atomics_mode: int = mluOpAtomicsMode_t.MLUOP_ATOMICS_NOT_ALLOWED


@dataclass
class TensorDescriptor:
    """A tensor descriptor object; its content is a value, so that a queued call keeps what it was given."""

    value: Descriptor = Descriptor()


@dataclass
class TensorSetDescriptor:
    """A tensor set descriptor: only its dimensions."""

    dims: Tuple[int, ...]
