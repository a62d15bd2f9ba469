"""The words in which a run says what it is evidence about."""

from __future__ import annotations

from mluops_conformance.results.outcomes import caution, how_it_ended


def test_what_changes_a_library_for_the_cpu_stands_beside_its_source():
    environment = {"library": {"source": "v1.11.1"}, "variables": {"MLUOPS_CPU_SEED": "1", "MLUOP_LOG": "0"}}
    assert caution("cpu", "MLU590-H8", environment) == (
        "kernels compiled for the CPU from mlu-ops v1.11.1 with MLUOPS_CPU_SEED=1, as MLU590-H8: "
        "evidence about their code, not about hardware"
    )


def test_the_end_of_a_process_is_told_by_its_signal_or_exit_code():
    assert how_it_ended(-9) == "its process was ended by SIGKILL"
    assert how_it_ended(3) == "its process exited with 3"
