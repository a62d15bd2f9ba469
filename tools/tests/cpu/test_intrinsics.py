"""The result of each intrinsic, by literal inputs and outputs: a kernel of ours applies it on the device."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import pytest

pytestmark = pytest.mark.slow

NAN, INF = float("nan"), float("inf")
BIG = 2**31 - 1


def result(kernels: Any, name: str, a: Any, b: Any = (0.0,), dtype: Any = None, size: int = 0) -> list[Any]:
    out = np.zeros(size or len(a), dtype or np.asarray(a).dtype)
    assert kernels.run(name, out, a, b) == 0
    return list(out.tolist())


def same(got: Sequence[float], wanted: Sequence[float]) -> bool:
    return bool(np.array_equal(np.array(got, float), np.array(wanted, float), equal_nan=True))


def f32(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def f16(*values: float) -> np.ndarray:
    return np.array(values, np.float16)


@pytest.mark.parametrize(
    ("name", "a", "b", "wanted"),
    [
        ("add_float", f32(1, 2.5, INF), f32(2, -0.5, -INF), [3, 2, NAN]),
        ("add_half", f16(2048, 1, 60000), f16(1, 0.0005, 60000), [2048, 1.0009765625, INF]),
        ("sub_half", f16(1, 0), f16(0.333, 1), [0.6669921875, -1]),
        ("mul_half", f16(0.1, 300), f16(0.1, 300), [0.00999450683594, INF]),
        ("div_float", f32(1, 1, 0), f32(3, 0, 0), [np.float32(1 / 3), INF, NAN]),
        ("div_half", f16(1, -1), f16(3, 0), [0.333251953125, -INF]),
        ("lt_float", f32(1, 2, NAN), f32(2, 2, 0), [1, 0, 0]),
        ("ge_half", f16(1, 2, NAN), f16(2, 2, 0), [0, 1, 0]),
        ("eq_float", f32(1, 0, NAN), f32(1, -0.0, NAN), [1, 1, 0]),
        ("and_float", f32(2, 0, NAN), f32(-1, 3, 1), [1, 0, 1]),
        ("or_float", f32(2, 0, 0), f32(0, 0, 5), [1, 0, 1]),
        ("xor_float", f32(2, 0, 0, NAN), f32(3, 0, 5, 0), [0, 0, 1, 1]),
        ("maxequal_float", f32(1, NAN, 4), f32(2, 3, NAN), [2, 3, 4]),
        ("minequal_float", f32(1, NAN, 4), f32(2, 3, NAN), [1, 3, 4]),
        ("nan_maximum_float", f32(1, NAN, 4), f32(2, 3, NAN), [2, NAN, NAN]),
    ],
)
def test_of_two_vectors(kernels: Any, name: str, a: Any, b: Any, wanted: list[float]) -> None:
    assert np.allclose(result(kernels, name, a, b), wanted, rtol=1e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize(
    ("name", "a", "wanted"),
    [
        ("not_float", f32(0, 2, NAN), [1, 0, 0]),
        ("abs_float", f32(-1.5, 0, -INF), [1.5, 0, INF]),
        ("recip_float", f32(4, 0, -INF), [0.25, INF, -0.0]),
        ("pow2_float", f32(3, -1, 200), [8, 0.5, INF]),
        ("log2_float", f32(8, 0, -1), [3, -INF, NAN]),
        ("cycle_mul_float", f32(2, 3, 4, 5), [4, 9, 8, 15]),
        ("fusion_fsm_float", f32(1, 2, 5), [0, 3, 12]),
        ("add_scalar_half", f16(1, 1024), [1.099609375, 1024]),
        ("write_value_half", f16(0, 0), [2.5, 2.5]),
        ("sumpool_float", f32(1, 10, 2, 20, 4, 40), [3, 30, 6, 60, 0, 0]),
        ("minpool_float", f32(3, 30, 1, 40, 2, 10), [1, 10, 0, 0, 0, 0]),
        ("minpool_float", f32(NAN, 30, 1, NAN, 2, 10), [1, 10, 0, 0, 0, 0]),
        ("transpose_float", f32(1, 2, 3, 4, 5, 6), [1, 4, 2, 5, 3, 6]),
        ("rotate90_float", f32(1, 2, 3, 4, 5, 6), [4, 1, 5, 2, 6, 3]),
        ("mirror_float", f32(1, 2, 3, 4, 5, 6), [3, 2, 1, 6, 5, 4]),
        ("move_float", f32(1, 2, 3), [1, 2, 3]),
        ("gather_float", f32(1, 2, 3, 4), [4, 3, 2, 1]),
    ],
)
def test_of_one_vector(kernels: Any, name: str, a: Any, wanted: list[float]) -> None:
    got = result(kernels, name, a)
    written = [value for value, expected in zip(got, wanted) if expected != 0 or name == "not_float"]
    assert same(written, [value for value in wanted if value != 0 or name == "not_float"])


HALVES = f32(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)
FAR = f32(NAN, INF, -INF, 3e9, -3e9)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("float2int32_tz", [-2, -1, 0, 0, 1, 2]),
        ("float2int32_rd", [-3, -2, -1, 0, 1, 2]),
        ("float2int32_up", [-2, -1, 0, 1, 2, 3]),
        ("float2int32_rn", [-2, -2, 0, 0, 2, 2]),
        ("float2int32_rm", [-3, -2, -1, 1, 2, 3]),
        ("float2int32_oz", [-3, -2, -1, 1, 2, 3]),
        ("scalar_cast", [-2, -1, 0, 0, 1, 2]),
    ],
)
class TestConversionsToIntegers:
    def test_round_as_their_ending_says(self, kernels: Any, name: str, wanted: list[int]) -> None:
        assert result(kernels, name, HALVES, dtype=np.int32) == wanted

    def test_saturate_and_take_nan_for_nought(self, kernels: Any, name: str, wanted: list[int]) -> None:
        assert result(kernels, name, FAR, dtype=np.int32) == [0, BIG, -BIG - 1, BIG, -BIG - 1]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("float2half_rn", [0.10003662109375 - 0.00006103515625, -0.0999755859375, INF]),
        ("float2half_tz", [0.0999755859375, -0.0999755859375, 65504]),
        ("float2half_rd", [0.0999755859375, -0.10003662109375, 65504]),
        ("float2half_up", [0.10003662109375, -0.0999755859375, INF]),
    ],
)
def test_float_to_half_rounds_as_its_ending_says(kernels: Any, name: str, wanted: list[float]) -> None:
    assert same(result(kernels, name, f32(0.1, -0.1, 70000), dtype=np.float16), wanted)


def test_half_to_int16_rounds_down(kernels: Any) -> None:
    assert result(kernels, "half2int16_rd", f16(-1.5, 1.5, 60000), dtype=np.int16) == [-2, 1, 32767]


def test_int32_to_float_rounds_to_nearest_even(kernels: Any) -> None:
    values = np.array([2**24 + 1, 2**24 + 3, -1], np.int32)
    assert result(kernels, "int322float_rn", values, dtype=np.float32) == [2**24, 2**24 + 4, -1]


def test_a_conversion_may_widen_in_place(kernels: Any) -> None:
    values = f16(*range(1, 1001))
    assert result(kernels, "half2float_in_place", values, dtype=np.float32) == list(range(1, 1001))


def test_scalar_half_rounds_after_each_operation(kernels: Any) -> None:
    x = np.float16(0.1)
    assert result(kernels, "scalar_half", f16(0.1)) == [float(np.float16(x * x) + x)]


def test_a_fusion_of_halves_rounds_after_each_operation(kernels: Any) -> None:
    x = np.float16(0.1)
    assert result(kernels, "fusion_fma_half", f16(0.1)) == [float(np.float16(x * x) + x)]


def test_band_works_on_bits(kernels: Any) -> None:
    assert result(kernels, "band_int32", np.array([12, -1], np.int32), np.array([10, 7], np.int32)) == [8, 7]


@pytest.mark.parametrize(
    ("name", "a", "value", "index"),
    [
        ("argmax_float", f32(NAN, 1, 7, 7), 7, 2),
        ("argmax_float", f32(*[-8] * 9, NAN, -3, *[-8] * 7, -3, -9), -3, 10),
        ("argmax_float", f32(*[-INF] * 20), -INF, 0),
        ("argmax_float", f32(*[NAN] * 20), NAN, 0),
        ("argmax_float", f32(NAN, *[-INF] * 20), -INF, 1),
        ("argmin_float", f32(*[8] * 9, NAN, 3, *[8] * 7, 3, 9), 3, 10),
    ],
)
def test_an_extreme_is_the_first_of_equals_and_no_nan(
    kernels: Any, name: str, a: Any, value: float, index: int
) -> None:
    out = np.zeros(2, np.float32)
    kernels.run(name, out, a)
    assert same(out[:1], [value])
    assert out.view(np.uint32)[1] == index


def test_integers_divide_toward_nought(kernels: Any) -> None:
    a, b = np.array([7, -7, 5, -BIG - 1], np.int32), np.array([2, 2, 0, 1], np.int32)
    assert result(kernels, "div_int32", a, b) == [3, -3, 0, -BIG - 1]


def test_integers_divide_by_one_value(kernels: Any) -> None:
    assert result(kernels, "div_scalar_int32", np.array([7, -7, -BIG - 1], np.int32)) == [-7, 7, -BIG - 1]


def test_a_remainder_has_the_sign_of_the_dividend(kernels: Any) -> None:
    assert result(kernels, "rem_scalar_int32", np.array([7, -7, -BIG - 1], np.int32)) == [3, -3, 0]


def test_extension_repeats_each_element_by_its_count(kernels: Any) -> None:
    counts = np.array([2, 0, 3], np.uint8)
    assert result(kernels, "extension_float", f32(5, 6, 7), counts, size=5) == [5, 5, 7, 7, 7]


def test_cosine_and_sine_of_a_scalar_half_round_once(kernels: Any) -> None:
    assert result(kernels, "scalar_cos_half", f16(1, 1)) == [0.54052734375, 0.84130859375]


def test_int32_to_int16_saturates(kernels: Any) -> None:
    values = np.array([-3, 70000], np.int32)
    assert result(kernels, "int322int16_at_0", values, dtype=np.int16) == [-3, 32767]


def test_argmax_of_halves_has_its_index_right_behind_the_value(kernels: Any) -> None:
    out = np.zeros(4, np.float16)
    kernels.run("argmax_half", out, f16(1, 3, 2))
    assert (out[0], out.view(np.uint16)[1]) == (3, 1)


def test_sums_of_halves_round_after_each_addition(kernels: Any) -> None:
    out = np.zeros(1, np.float16)
    kernels.run("sum_half", out, f16(2048, 1, 1), other=1)
    assert out.tolist() == [2048]


@pytest.mark.parametrize(
    ("name", "wanted"), [("count_float", 2), ("findfirst1_float", 1), ("findlast1_float", 3)]
)
def test_of_what_is_not_nought(kernels: Any, name: str, wanted: int) -> None:
    out = np.zeros(1, np.int32)
    kernels.run(name, out, f32(0, 5, 0, -1))
    assert out[0] == wanted


def test_filter_keeps_where_the_mask_is_not_nought(kernels: Any) -> None:
    assert result(kernels, "filter_float", f32(1, 2, 3, 4), f32(0, 1, 0, 2))[:2] == [2, 4]


def test_bitindex_puts_the_first_element_into_the_lowest_bit(kernels: Any) -> None:
    out = np.zeros(1, np.uint8)
    kernels.run("gt_bitindex_float", out, f32(1, 0, 0, 1, 0, 0, 0, 1), f32(*[0.5] * 8))
    assert out[0] == 0b10001001


def test_pad_puts_noughts_around(kernels: Any) -> None:
    assert result(kernels, "pad_float", f32(7, 8), size=5) == [0, 7, 8, 0, 0]


def test_lut_looks_up_in_a_table_that_the_source_initializes(kernels: Any) -> None:
    indices = np.array([3, 0, 1], np.uint32)
    assert result(kernels, "lut_int32", indices, dtype=np.int32) == [40, 10, 20]


def test_lut_leaves_an_element_whose_index_is_behind_the_table(kernels: Any) -> None:
    indices = np.array([1, 4, 2**32 - 1], np.uint32)
    assert result(kernels, "lut_in_place", indices, dtype=np.int32) == [20, 4, -1]


def test_a_copy_in_segments_has_a_stride_at_each_end(kernels: Any) -> None:
    assert result(kernels, "strided_copy", f32(1, 2, 3, 4, 5, 6))[:3] == [1, 3, 5]


def test_assembly_goes_through_its_steps_in_order(kernels: Any) -> None:
    assert result(kernels, "assembly_add", np.array([0x101, 0xFF], np.uint32)) == [8, 0x106]


def test_tasks_know_who_they_are(kernels: Any) -> None:
    out = np.zeros(8, np.int32)
    assert kernels.run("task_ids", out, tasks=8, kind=4) == 0
    assert out.tolist() == list(range(8))


def test_atomics_of_all_tasks_add_up(kernels: Any) -> None:
    out = np.zeros(2, np.float32)
    kernels.run("atomic_add", out, f32(1, 2), tasks=8, kind=4)
    assert out.tolist() == [8, 16]


def test_a_memory_core_fills_the_memory_of_its_cluster(kernels: Any) -> None:
    out = np.zeros(3, np.float32)
    kernels.run("through_sram", out, f32(1, 2, 3), tasks=4, kind=4)
    assert out.tolist() == [1, 2, 3]


class TestConvolutions:
    def test_multiply_a_point_with_each_filter(self, kernels: Any) -> None:
        filters = f32(*[1, 0, 0], *[0, 1, 0], *[1, 1, 2])
        assert result(kernels, "conv_of_a_point", f32(3, 5, 7), filters) == [3, 5, 22]

    def test_spread_their_filters_over_64_parts_of_wram(self, kernels: Any) -> None:
        filters = np.repeat(np.arange(130, dtype=np.float32), 2)
        assert result(kernels, "conv_of_a_point", f32(1, 1), filters, size=130) == list(range(0, 260, 2))

    def test_slide_a_window_and_put_the_filters_innermost(self, kernels: Any) -> None:
        plane, filters = f32(*[1, 2, 3], *[4, 5, 6]), f32(*[1, 0, 0, 0], *[0, 0, 0, 1])
        assert result(kernels, "conv_of_rows", plane, filters, size=4) == [1, 5, 2, 6]


def test_a_plain_copy_is_shared_by_the_parts_of_wram(kernels: Any) -> None:
    numbers = np.arange(128, dtype=np.float32)
    assert result(kernels, "plain_copy_to_wram", numbers) == (2 * numbers).tolist()


def test_floats_are_filled_with_the_bits_of_an_integer(kernels: Any) -> None:
    assert result(kernels, "write_bits", f32(1, 2)) == [INF, INF]


def test_a_shift_by_a_number_shifts_all(kernels: Any) -> None:
    assert result(kernels, "srl_uint32", np.array([0x123, 0xFFFFFFFF], np.uint32)) == [0x12, 0x0FFFFFFF]


def test_the_bits_of_floats_are_combined(kernels: Any) -> None:
    assert result(kernels, "band_of_floats", f32(-3, -3), f32(3, -2)) == [3, -2]


def test_an_atomic_sum_of_segments_has_strides_at_both_ends(kernels: Any) -> None:
    out = np.zeros(8, np.float32)
    kernels.run("atomic_add_of_segments", out, f32(1, 2, 3, 4, 5, 6, 7, 8))
    assert out.tolist() == [1, 3, 0, 0, 5, 7, 0, 0]


def test_expand_multiplies_each_point_by_its_weight_and_the_filters(kernels: Any) -> None:
    assert result(kernels, "expand_channel_mul", f32(2, 3, 5, 7), f32(1, 10)) == [4, 60, 15, 210]


def test_expand_adds_after_it_multiplies(kernels: Any) -> None:
    assert result(kernels, "expand_channel_mul_add", f32(2, 3, 5, 7), f32(1, 1)) == [6, 9, 20, 28]


def test_a_chain_of_operations_goes_on_with_its_result(kernels: Any) -> None:
    assert result(kernels, "fusor_float", f32(2, 8)) == [2 + 2, 4 + 8]


def test_a_kernel_of_another_source_file_finds_its_memory_poisoned(kernels: Any) -> None:
    for _ in range(2):
        assert result(kernels, "elsewhere", np.zeros(2, np.int32)) == [-1, 5]
