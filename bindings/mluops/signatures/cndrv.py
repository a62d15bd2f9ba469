"""The functions of cn_api.h that limit what kernels may use, one a line: name, release, result, parameters.

The release is that of the oldest CNDrv that mlu-ops v1.0.0 and later accept.
"""

from __future__ import annotations

from mluops.signatures.function import Function

# fmt: off
FUNCTIONS: tuple[Function, ...] = (
    Function("cnCtxGetCurrent", "v2.7.0", "CNresult", "CNcontext* ctx"),
    Function("cnSetCtxConfigParam", "v2.7.0", "CNresult", "CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam* param"),
    Function("cnGetCtxConfigParam", "v2.7.0", "CNresult", "CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam* param"),
)
# fmt: on
