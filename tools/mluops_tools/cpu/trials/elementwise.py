"""Trials of operators that work element by element, or row by row."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Mapping

import numpy as np
from mluops import DeviceArray
from mluops.library import Library

from mluops_tools.cpu.trials.trial import Trial, described, integers, random

PRECISE = 1
"""A number of mluOpComputationPreference_t."""

ON_592 = ("592",)
"""v1.11.1 refuses the call on a 372 (AdamW), or its kernel has no code there (div, gradient of sqrt)."""

COUNT = 5000
"""More elements than one core takes at once, and no multiple of 64."""

X, Y = random(COUNT, low=-100, high=100), random(COUNT, low=1, high=50, seed=1)
SAMPLES, HIDDEN, EXPERTS, CAPACITY = 7, 70, 3, 4


def logs() -> list[Trial]:
    """Return trials of the three bases."""
    found = zip(("e", "2", "10"), (np.log, np.log2, np.log10))
    return [
        Trial(f"log base {word}", "mluOpLog", {"prefer": PRECISE, "base": number, "x": Y}, {"y": function(Y)})
        for number, (word, function) in enumerate(found)
    ]


def logspace() -> Trial:
    powers = np.float32(2) ** np.linspace(-3, 5, 33, dtype=np.float32)
    return Trial(
        "logspace", "mluOpLogspace", {"start": -3.0, "end": 5.0, "steps": 33, "base": 2.0}, {"res": powers}
    )


def lgamma() -> Trial:
    values = random(COUNT, low=0.1, high=30, seed=2)
    expected = np.array([math.lgamma(float(x)) for x in values], np.float32)
    return Trial("lgamma", "mluOpLgamma", {"x": values}, {"y": expected}, tolerance=1e-4)


def focal_loss() -> list[Trial]:
    """Return trials of the loss and its gradient, by the formulas of the paper on the focal loss."""
    x, target = random(9, 5, low=-4, high=4), integers(9, below=5)
    weight = random(5, low=0.5, high=2, seed=3)
    given: dict[str, Any] = {
        "prefer": PRECISE,
        "reduction": 0,
        "input": x,
        "target": target,
        "weight": weight,
    }
    given.update(alpha=0.25, gamma=2.0)
    p = 1 / (1 + np.exp(-x.astype(float)))
    hit, factor = target[:, None] == np.arange(5), weight[target][:, None]
    loss = np.where(hit, -0.25 * (1 - p) ** 2 * np.log(p), -0.75 * p**2 * np.log(1 - p))
    slope = np.where(
        hit,
        -0.25 * (1 - p) ** 2 * (1 - p - 2 * p * np.log(p)),
        -0.75 * p**2 * (2 * (1 - p) * np.log(1 - p) - p),
    )
    return [
        Trial("focal loss", "mluOpFocalLossSigmoidForward", given, {"output": _float(loss * factor)}, 1e-4),
        Trial(
            "gradient of the focal loss",
            "mluOpFocalLossSigmoidBackward",
            given,
            {"grad_input": _float(slope * factor)},
            1e-4,
        ),
    ]


def moe_dispatch() -> list[Trial]:
    """Return trials of the dispatch of tokens to experts, and of its two gradients."""
    experts, places = integers(SAMPLES, below=EXPERTS), np.arange(SAMPLES, dtype=np.int32) % CAPACITY
    gates, tokens = random(SAMPLES, seed=4), random(SAMPLES, HIDDEN, seed=5)
    slots = experts * CAPACITY + places
    dispatched = np.zeros((EXPERTS * CAPACITY, HIDDEN), np.float32)
    for sample, slot in enumerate(slots):
        dispatched[slot] += gates[sample] * tokens[sample]
    gradient = random(EXPERTS * CAPACITY, HIDDEN, seed=6)
    sizes: Mapping[str, Any] = {
        "samples": SAMPLES,
        "capacity": CAPACITY,
        "hidden": HIDDEN,
        "num_experts": EXPERTS,
    }
    common = {"indices": experts, "locations": places, **sizes}
    return [
        Trial(
            "moe dispatch",
            "mluOpMoeDispatchForward",
            {**common, "gates": gates, "input": tokens, "dispatch": np.zeros_like(dispatched)},
            {"dispatch": dispatched},
        ),
        Trial(
            "moe dispatch, gradient of the tokens",
            "mluOpMoeDispatchBackwardData",
            {**common, "gates": gates, "dispatch": gradient},
            {"grad_input": gates[:, None] * gradient[slots]},
        ),
        Trial(
            "moe dispatch, gradient of the gates",
            "mluOpMoeDispatchBackwardGate",
            {**common, "input": tokens, "dispatch": gradient},
            {"grad_gates": (tokens * gradient[slots]).sum(1)},
        ),
    ]


def adam_w() -> Trial:
    """Return a trial of one step of AdamW, without decay and scale."""
    size, lr, beta1, beta2, bias1, bias2, epsilon = 1000, 0.1, 0.9, 0.99, 0.5, 0.25, 1e-3
    param, momentum = random(size, seed=7), random(size, seed=8)
    velocity, gradient = random(size, low=0, seed=9), _bfloat16(random(size, seed=10))
    g = _from_bfloat16(gradient)
    m, v = beta1 * momentum + (1 - beta1) * g, beta2 * velocity + (1 - beta2) * g * g
    updated = param - lr * m / bias1 / (np.sqrt(v / bias2) + epsilon)
    given: dict[str, Any] = {"param": param, "momentum": momentum, "velocity": velocity}
    given.update(lr=lr, beta1=beta1, beta2=beta2, bias1=bias1, bias2=bias2, epsilon=epsilon)
    attributes: tuple[Any, ...] = (ctypes.c_float(0), ctypes.c_float(1), ctypes.c_bool(False))
    settings = [
        ("mluOpSetAdamWDescAttr", number, ctypes.byref(value), ctypes.sizeof(value))
        for number, value in enumerate(attributes)
    ]

    def objects(library: Library) -> Mapping[str, Any]:
        halves = {"grad": gradient, "param_h": np.zeros_like(gradient)}
        made = {name: DeviceArray.from_numpy(library, bits, "bfloat16") for name, bits in halves.items()}
        return {**described("AdamW", "adamw_desc", *settings)(library), **made}

    expected = {"param": _float(updated), "momentum": _float(m), "velocity": _float(v)}
    return Trial("AdamW", "mluOpAdamW", given, expected, objects=objects, archs=ON_592)


def _float(values: np.ndarray) -> np.ndarray:
    return np.asarray(values, np.float32)


def _bfloat16(values: np.ndarray) -> np.ndarray:
    """Return the bits of the upper halves of floats."""
    return (values.view(np.uint32) >> 16).astype(np.uint16)


def _from_bfloat16(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


TRIALS = (
    Trial("abs", "mluOpAbs", {"x": X}, {"y": np.abs(X)}, 0),
    Trial("abs of half", "mluOpAbs", {"x": X.astype(np.float16)}, {"y": np.abs(X).astype(np.float16)}, 0),
    Trial("div", "mluOpDiv", {"prefer": PRECISE, "x": X, "y": Y}, {"z": X / Y}, archs=ON_592),
    Trial("sqrt", "mluOpSqrt", {"prefer": PRECISE, "x": Y}, {"y": np.sqrt(Y)}),
    Trial(
        "gradient of sqrt",
        "mluOpSqrtBackward",
        {"y": Y, "diff_y": X},
        {"diff_x": X * np.float32(0.5) / Y},
        archs=ON_592,
    ),
    *logs(),
    logspace(),
    lgamma(),
    *focal_loss(),
    *moe_dispatch(),
    adam_w(),
)
