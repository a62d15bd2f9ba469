"""The C functions of a `Library` with their types. `mluops_tools.abi.generate` writes it."""

import ctypes
from typing import Any

from _ctypes import _CArgObject, _Pointer

from mluops import types
from mluops.array import DeviceArray
from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops.descriptor import TensorDescriptor
from mluops.functions import CFunction
from mluops.handle import Handle
from mluops.queue import Notifier, Queue

_Address = DeviceArray | ctypes.Array[Any] | _Pointer[Any] | ctypes.c_void_p | _CArgObject | int | None

_c_char_p = _CArgObject | ctypes.Array[ctypes.c_char] | _Pointer[ctypes.c_char] | ctypes.c_char | None
_c_float_p = _CArgObject | ctypes.Array[ctypes.c_float] | _Pointer[ctypes.c_float] | ctypes.c_float | None
_c_int_p = _CArgObject | ctypes.Array[ctypes.c_int] | _Pointer[ctypes.c_int] | ctypes.c_int | None
_c_int64_p = _CArgObject | ctypes.Array[ctypes.c_int64] | _Pointer[ctypes.c_int64] | ctypes.c_int64 | None
_c_size_t_p = _CArgObject | ctypes.Array[ctypes.c_size_t] | _Pointer[ctypes.c_size_t] | ctypes.c_size_t | None
_c_uint_p = _CArgObject | ctypes.Array[ctypes.c_uint] | _Pointer[ctypes.c_uint] | ctypes.c_uint | None
_c_void_p_p = _CArgObject | ctypes.Array[ctypes.c_void_p] | _Pointer[ctypes.c_void_p] | ctypes.c_void_p | None
_CNcontext_p = _CArgObject | ctypes.Array[types.CNcontext] | _Pointer[types.CNcontext] | types.CNcontext | None
_CNctxConfigParam_p = _CArgObject | ctypes.Array[types.CNctxConfigParam] | _Pointer[types.CNctxConfigParam] | types.CNctxConfigParam | None
_cnrtDeviceProp_t_p = _CArgObject | ctypes.Array[types.cnrtDeviceProp_t] | _Pointer[types.cnrtDeviceProp_t] | types.cnrtDeviceProp_t | None
_cnrtNotifier_t_p = _CArgObject | ctypes.Array[types.cnrtNotifier_t] | _Pointer[types.cnrtNotifier_t] | types.cnrtNotifier_t | None
_cnrtQueue_t_p = _CArgObject | ctypes.Array[types.cnrtQueue_t] | _Pointer[types.cnrtQueue_t] | types.cnrtQueue_t | None
_mluOpAdamWDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpAdamWDescriptor_t] | _Pointer[types.mluOpAdamWDescriptor_t] | types.mluOpAdamWDescriptor_t | None
_mluOpCarafeDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpCarafeDescriptor_t] | _Pointer[types.mluOpCarafeDescriptor_t] | types.mluOpCarafeDescriptor_t | None
_mluOpDCNDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpDCNDescriptor_t] | _Pointer[types.mluOpDCNDescriptor_t] | types.mluOpDCNDescriptor_t | None
_mluOpFFTPlan_t_p = _CArgObject | ctypes.Array[types.mluOpFFTPlan_t] | _Pointer[types.mluOpFFTPlan_t] | types.mluOpFFTPlan_t | None
_mluOpHandle_t_p = _CArgObject | ctypes.Array[types.mluOpHandle_t] | _Pointer[types.mluOpHandle_t] | types.mluOpHandle_t | None
_mluOpNmsDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpNmsDescriptor_t] | _Pointer[types.mluOpNmsDescriptor_t] | types.mluOpNmsDescriptor_t | None
_mluOpRoiAlignForwardDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpRoiAlignForwardDescriptor_t] | _Pointer[types.mluOpRoiAlignForwardDescriptor_t] | types.mluOpRoiAlignForwardDescriptor_t | None
_mluOpSeqDataDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpSeqDataDescriptor_t] | _Pointer[types.mluOpSeqDataDescriptor_t] | types.mluOpSeqDataDescriptor_t | None
_mluOpSparseConvolutionDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpSparseConvolutionDescriptor_t] | _Pointer[types.mluOpSparseConvolutionDescriptor_t] | types.mluOpSparseConvolutionDescriptor_t | None
_mluOpTensorDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpTensorDescriptor_t] | _Pointer[types.mluOpTensorDescriptor_t] | types.mluOpTensorDescriptor_t | None
_mluOpTensorSetDescriptor_t_p = _CArgObject | ctypes.Array[types.mluOpTensorSetDescriptor_t] | _Pointer[types.mluOpTensorSetDescriptor_t] | types.mluOpTensorSetDescriptor_t | None

class _cnCtxGetCurrent(CFunction):
    def __call__(self, ctx: _CNcontext_p) -> int: ...
    def checked(self, ctx: _CNcontext_p) -> None: ...

class _cnGetCtxConfigParam(CFunction):
    def __call__(self, ctx: types.CNcontext | None, type: int, param: _CNctxConfigParam_p) -> int: ...
    def checked(self, ctx: types.CNcontext | None, type: int, param: _CNctxConfigParam_p) -> None: ...

class _cnrtDeviceGetAttribute(CFunction):
    def __call__(self, pValue: _c_int_p, attr: int, device: int) -> cnrtRet_t: ...
    def checked(self, pValue: _c_int_p, attr: int, device: int) -> None: ...

class _cnrtDeviceGetPCIBusId(CFunction):
    def __call__(self, pciBusId: _c_char_p, len: int, device: int) -> cnrtRet_t: ...
    def checked(self, pciBusId: _c_char_p, len: int, device: int) -> None: ...

class _cnrtDeviceReset(CFunction):
    def __call__(self) -> cnrtRet_t: ...
    def checked(self) -> None: ...

class _cnrtDriverGetVersion(CFunction):
    def __call__(self, major: _c_int_p, minor: _c_int_p, patch: _c_int_p) -> cnrtRet_t: ...
    def checked(self, major: _c_int_p, minor: _c_int_p, patch: _c_int_p) -> None: ...

class _cnrtFree(CFunction):
    def __call__(self, ptr: _Address) -> cnrtRet_t: ...
    def checked(self, ptr: _Address) -> None: ...

class _cnrtFreeHost(CFunction):
    def __call__(self, ptr: _Address) -> cnrtRet_t: ...
    def checked(self, ptr: _Address) -> None: ...

class _cnrtGetDevice(CFunction):
    def __call__(self, pOrdinal: _c_int_p) -> cnrtRet_t: ...
    def checked(self, pOrdinal: _c_int_p) -> None: ...

class _cnrtGetDeviceCount(CFunction):
    def __call__(self, pCount: _c_uint_p) -> cnrtRet_t: ...
    def checked(self, pCount: _c_uint_p) -> None: ...

class _cnrtGetDeviceProperties(CFunction):
    def __call__(self, prop: _cnrtDeviceProp_t_p, device: int) -> cnrtRet_t: ...
    def checked(self, prop: _cnrtDeviceProp_t_p, device: int) -> None: ...

class _cnrtGetDeviceProperties_V3(CFunction):
    def __call__(self, prop: _cnrtDeviceProp_t_p, device: int) -> cnrtRet_t: ...
    def checked(self, prop: _cnrtDeviceProp_t_p, device: int) -> None: ...

class _cnrtGetErrorName(CFunction):
    def __call__(self, err: int) -> bytes | None: ...
    def checked(self, err: int) -> None: ...

class _cnrtGetErrorStr(CFunction):
    def __call__(self, err: int) -> bytes | None: ...
    def checked(self, err: int) -> None: ...

class _cnrtGetLastError(CFunction):
    def __call__(self) -> cnrtRet_t: ...
    def checked(self) -> None: ...

class _cnrtGetLibVersion(CFunction):
    def __call__(self, major: _c_int_p, minor: _c_int_p, patch: _c_int_p) -> cnrtRet_t: ...
    def checked(self, major: _c_int_p, minor: _c_int_p, patch: _c_int_p) -> None: ...

class _cnrtHostMalloc(CFunction):
    def __call__(self, pPtr: _c_void_p_p, bytes: int) -> cnrtRet_t: ...
    def checked(self, pPtr: _c_void_p_p, bytes: int) -> None: ...

class _cnrtMalloc(CFunction):
    def __call__(self, pPtr: _c_void_p_p, bytes: int) -> cnrtRet_t: ...
    def checked(self, pPtr: _c_void_p_p, bytes: int) -> None: ...

class _cnrtMallocConstant(CFunction):
    def __call__(self, pPtr: _c_void_p_p, bytes: int) -> cnrtRet_t: ...
    def checked(self, pPtr: _c_void_p_p, bytes: int) -> None: ...

class _cnrtMemcpy(CFunction):
    def __call__(self, dst: _Address, src: _Address, bytes: int, dir: int) -> cnrtRet_t: ...
    def checked(self, dst: _Address, src: _Address, bytes: int, dir: int) -> None: ...

class _cnrtMemcpyAsync(CFunction):
    def __call__(self, dst: _Address, src: _Address, bytes: int, queue: Queue | types.cnrtQueue_t | None, dir: int) -> cnrtRet_t: ...
    def checked(self, dst: _Address, src: _Address, bytes: int, queue: Queue | types.cnrtQueue_t | None, dir: int) -> None: ...

class _cnrtMemcpyAsync_V2(CFunction):
    def __call__(self, dst: _Address, src: _Address, bytes: int, queue: Queue | types.cnrtQueue_t | None, dir: int) -> cnrtRet_t: ...
    def checked(self, dst: _Address, src: _Address, bytes: int, queue: Queue | types.cnrtQueue_t | None, dir: int) -> None: ...

class _cnrtMemcpyAsync_V3(CFunction):
    def __call__(self, dst: _Address, src: _Address, bytes: int, queue: Queue | types.cnrtQueue_t | None, dir: int) -> cnrtRet_t: ...
    def checked(self, dst: _Address, src: _Address, bytes: int, queue: Queue | types.cnrtQueue_t | None, dir: int) -> None: ...

class _cnrtMemGetInfo(CFunction):
    def __call__(self, free: _c_size_t_p, total: _c_size_t_p) -> cnrtRet_t: ...
    def checked(self, free: _c_size_t_p, total: _c_size_t_p) -> None: ...

class _cnrtMemset(CFunction):
    def __call__(self, ptr: _Address, value: int, bytes: int) -> cnrtRet_t: ...
    def checked(self, ptr: _Address, value: int, bytes: int) -> None: ...

class _cnrtMemsetAsync(CFunction):
    def __call__(self, ptr: _Address, value: int, bytes: int, queue: Queue | types.cnrtQueue_t | None) -> cnrtRet_t: ...
    def checked(self, ptr: _Address, value: int, bytes: int, queue: Queue | types.cnrtQueue_t | None) -> None: ...

class _cnrtNotifierCreate(CFunction):
    def __call__(self, pNotifier: _cnrtNotifier_t_p) -> cnrtRet_t: ...
    def checked(self, pNotifier: _cnrtNotifier_t_p) -> None: ...

class _cnrtNotifierCreateWithFlags(CFunction):
    def __call__(self, pNotifier: _cnrtNotifier_t_p, flags: int) -> cnrtRet_t: ...
    def checked(self, pNotifier: _cnrtNotifier_t_p, flags: int) -> None: ...

class _cnrtNotifierDestroy(CFunction):
    def __call__(self, notifier: Notifier | types.cnrtNotifier_t | None) -> cnrtRet_t: ...
    def checked(self, notifier: Notifier | types.cnrtNotifier_t | None) -> None: ...

class _cnrtNotifierDuration(CFunction):
    def __call__(self, start: Notifier | types.cnrtNotifier_t | None, end: Notifier | types.cnrtNotifier_t | None, us: _c_float_p) -> cnrtRet_t: ...
    def checked(self, start: Notifier | types.cnrtNotifier_t | None, end: Notifier | types.cnrtNotifier_t | None, us: _c_float_p) -> None: ...

class _cnrtNotifierElapsedTime(CFunction):
    def __call__(self, start: Notifier | types.cnrtNotifier_t | None, end: Notifier | types.cnrtNotifier_t | None, ms: _c_float_p) -> cnrtRet_t: ...
    def checked(self, start: Notifier | types.cnrtNotifier_t | None, end: Notifier | types.cnrtNotifier_t | None, ms: _c_float_p) -> None: ...

class _cnrtPeekAtLastError(CFunction):
    def __call__(self) -> cnrtRet_t: ...
    def checked(self) -> None: ...

class _cnrtPlaceNotifier(CFunction):
    def __call__(self, notifier: Notifier | types.cnrtNotifier_t | None, queue: Queue | types.cnrtQueue_t | None) -> cnrtRet_t: ...
    def checked(self, notifier: Notifier | types.cnrtNotifier_t | None, queue: Queue | types.cnrtQueue_t | None) -> None: ...

class _cnrtQueryNotifier(CFunction):
    def __call__(self, notifier: Notifier | types.cnrtNotifier_t | None) -> cnrtRet_t: ...
    def checked(self, notifier: Notifier | types.cnrtNotifier_t | None) -> None: ...

class _cnrtQueueCreate(CFunction):
    def __call__(self, pQueue: _cnrtQueue_t_p) -> cnrtRet_t: ...
    def checked(self, pQueue: _cnrtQueue_t_p) -> None: ...

class _cnrtQueueDestroy(CFunction):
    def __call__(self, queue: Queue | types.cnrtQueue_t | None) -> cnrtRet_t: ...
    def checked(self, queue: Queue | types.cnrtQueue_t | None) -> None: ...

class _cnrtQueueQuery(CFunction):
    def __call__(self, queue: Queue | types.cnrtQueue_t | None) -> cnrtRet_t: ...
    def checked(self, queue: Queue | types.cnrtQueue_t | None) -> None: ...

class _cnrtQueueSync(CFunction):
    def __call__(self, queue: Queue | types.cnrtQueue_t | None) -> cnrtRet_t: ...
    def checked(self, queue: Queue | types.cnrtQueue_t | None) -> None: ...

class _cnrtQueueWaitNotifier(CFunction):
    def __call__(self, notifier: Notifier | types.cnrtNotifier_t | None, queue: Queue | types.cnrtQueue_t | None, flag: int) -> cnrtRet_t: ...
    def checked(self, notifier: Notifier | types.cnrtNotifier_t | None, queue: Queue | types.cnrtQueue_t | None, flag: int) -> None: ...

class _cnrtSetDevice(CFunction):
    def __call__(self, ordinal: int) -> cnrtRet_t: ...
    def checked(self, ordinal: int) -> None: ...

class _cnrtSyncDevice(CFunction):
    def __call__(self) -> cnrtRet_t: ...
    def checked(self) -> None: ...

class _cnrtWaitNotifier(CFunction):
    def __call__(self, notifier: Notifier | types.cnrtNotifier_t | None) -> cnrtRet_t: ...
    def checked(self, notifier: Notifier | types.cnrtNotifier_t | None) -> None: ...

class _cnSetCtxConfigParam(CFunction):
    def __call__(self, ctx: types.CNcontext | None, type: int, param: _CNctxConfigParam_p) -> int: ...
    def checked(self, ctx: types.CNcontext | None, type: int, param: _CNctxConfigParam_p) -> None: ...

class _mluOpAbs(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> None: ...

class _mluOpActiveRotatedFilterForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpAdamW(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, adamw_desc: types.mluOpAdamWDescriptor_t | None, param_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, param: _Address, paramh_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, param_h: _Address, momentum_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, momentum: _Address, velocity_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, velocity: _Address, grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad: _Address, lr: float, beta1: float, beta2: float, bias1: float, bias2: float, epsilon: float) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, adamw_desc: types.mluOpAdamWDescriptor_t | None, param_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, param: _Address, paramh_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, param_h: _Address, momentum_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, momentum: _Address, velocity_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, velocity: _Address, grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad: _Address, lr: float, beta1: float, beta2: float, bias1: float, bias2: float, epsilon: float) -> None: ...

class _mluOpBallQuery(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, new_xyz_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, new_xyz: _Address, xyz_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, xyz: _Address, min_radius: float, max_radius: float, nsample: int, idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, idx: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, new_xyz_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, new_xyz: _Address, xyz_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, xyz: _Address, min_radius: float, max_radius: float, nsample: int, idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, idx: _Address) -> None: ...

class _mluOpBboxOverlaps(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, mode: int, aligned: bool, offset: int, bbox1_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox1: _Address, bbox2_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox2: _Address, ious_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ious: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, mode: int, aligned: bool, offset: int, bbox1_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox1: _Address, bbox2_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox2: _Address, ious_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ious: _Address) -> None: ...

class _mluOpBorderAlignBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, argmax_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_idx: _Address, pool_size: int, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, argmax_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_idx: _Address, pool_size: int, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> None: ...

class _mluOpBorderAlignForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, pool_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, argmax_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_idx: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, pool_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, argmax_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_idx: _Address) -> None: ...

class _mluOpBoxIouRotated(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, mode: int, aligned: bool, bbox1_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox1: _Address, bbox2_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox2: _Address, ious_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ious: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, mode: int, aligned: bool, bbox1_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox1: _Address, bbox2_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox2: _Address, ious_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ious: _Address) -> None: ...

class _mluOpCarafeBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, carafe_desc: types.mluOpCarafeDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address, grad_mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_mask: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, carafe_desc: types.mluOpCarafeDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address, grad_mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_mask: _Address) -> None: ...

class _mluOpCarafeForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, carafe_desc: types.mluOpCarafeDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, carafe_desc: types.mluOpCarafeDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpCreate(CFunction):
    def __call__(self, handle: _mluOpHandle_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: _mluOpHandle_t_p) -> None: ...

class _mluOpCreateAdamWDescriptor(CFunction):
    def __call__(self, adamw_desc: _mluOpAdamWDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, adamw_desc: _mluOpAdamWDescriptor_t_p) -> None: ...

class _mluOpCreateCarafeDescriptor(CFunction):
    def __call__(self, carafe_desc: _mluOpCarafeDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, carafe_desc: _mluOpCarafeDescriptor_t_p) -> None: ...

class _mluOpCreateDCNDescriptor(CFunction):
    def __call__(self, dcn_desc: _mluOpDCNDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, dcn_desc: _mluOpDCNDescriptor_t_p) -> None: ...

class _mluOpCreateFFTPlan(CFunction):
    def __call__(self, fft_plan: _mluOpFFTPlan_t_p) -> mluOpStatus_t: ...
    def checked(self, fft_plan: _mluOpFFTPlan_t_p) -> None: ...

class _mluOpCreateGroupTensorDescriptors(CFunction):
    def __call__(self, group_desc: Any, desc_num: int) -> mluOpStatus_t: ...
    def checked(self, group_desc: Any, desc_num: int) -> None: ...

class _mluOpCreateNmsDescriptor(CFunction):
    def __call__(self, desc: _mluOpNmsDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, desc: _mluOpNmsDescriptor_t_p) -> None: ...

class _mluOpCreateRoiAlignForwardDescriptor(CFunction):
    def __call__(self, desc: _mluOpRoiAlignForwardDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, desc: _mluOpRoiAlignForwardDescriptor_t_p) -> None: ...

class _mluOpCreateSeqDataDescriptor(CFunction):
    def __call__(self, seq_data_desc: _mluOpSeqDataDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, seq_data_desc: _mluOpSeqDataDescriptor_t_p) -> None: ...

class _mluOpCreateSparseConvolutionDescriptor(CFunction):
    def __call__(self, desc: _mluOpSparseConvolutionDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, desc: _mluOpSparseConvolutionDescriptor_t_p) -> None: ...

class _mluOpCreateTensorDescriptor(CFunction):
    def __call__(self, desc: _mluOpTensorDescriptor_t_p) -> mluOpStatus_t: ...
    def checked(self, desc: _mluOpTensorDescriptor_t_p) -> None: ...

class _mluOpCreateTensorSetDescriptor(CFunction):
    def __call__(self, tensorSetDesc: _mluOpTensorSetDescriptor_t_p, setDimNb: int, setDimSize: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: _mluOpTensorSetDescriptor_t_p, setDimNb: int, setDimSize: _c_int_p) -> None: ...

class _mluOpDCNBackwardData(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, workspace: _Address, workspace_size: int, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address, grad_offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_offset: _Address, grad_mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_mask: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, workspace: _Address, workspace_size: int, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address, grad_offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_offset: _Address, grad_mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_mask: _Address) -> None: ...

class _mluOpDCNBackwardWeight(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, workspace: _Address, workspace_size: int, grad_filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_filter: _Address, grad_bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_bias: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, workspace: _Address, workspace_size: int, grad_filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_filter: _Address, grad_bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_bias: _Address) -> None: ...

class _mluOpDCNForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bias: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bias: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpDeformRoiPoolBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, pooled_height: int, pooled_width: int, spatial_scale: float, sampling_ratio: int, gamma: float, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address, grad_offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_offset: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, pooled_height: int, pooled_width: int, spatial_scale: float, sampling_ratio: int, gamma: float, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address, grad_offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_offset: _Address) -> None: ...

class _mluOpDeformRoiPoolForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, pooled_height: int, pooled_width: int, spatial_scale: float, sampling_ratio: int, gamma: float, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset: _Address, pooled_height: int, pooled_width: int, spatial_scale: float, sampling_ratio: int, gamma: float, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpDestroy(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None) -> None: ...

class _mluOpDestroyAdamWDescriptor(CFunction):
    def __call__(self, adamw_desc: types.mluOpAdamWDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, adamw_desc: types.mluOpAdamWDescriptor_t | None) -> None: ...

class _mluOpDestroyCarafeDescriptor(CFunction):
    def __call__(self, carafe_desc: types.mluOpCarafeDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, carafe_desc: types.mluOpCarafeDescriptor_t | None) -> None: ...

class _mluOpDestroyDCNDescriptor(CFunction):
    def __call__(self, dcn_desc: types.mluOpDCNDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, dcn_desc: types.mluOpDCNDescriptor_t | None) -> None: ...

class _mluOpDestroyFFTPlan(CFunction):
    def __call__(self, fft_plan: types.mluOpFFTPlan_t | None) -> mluOpStatus_t: ...
    def checked(self, fft_plan: types.mluOpFFTPlan_t | None) -> None: ...

class _mluOpDestroyGroupTensorDescriptors(CFunction):
    def __call__(self, group_desc: Any, desc_num: int) -> mluOpStatus_t: ...
    def checked(self, group_desc: Any, desc_num: int) -> None: ...

class _mluOpDestroyNmsDescriptor(CFunction):
    def __call__(self, desc: types.mluOpNmsDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, desc: types.mluOpNmsDescriptor_t | None) -> None: ...

class _mluOpDestroyRoiAlignForwardDescriptor(CFunction):
    def __call__(self, desc: types.mluOpRoiAlignForwardDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, desc: types.mluOpRoiAlignForwardDescriptor_t | None) -> None: ...

class _mluOpDestroySeqDataDescriptor(CFunction):
    def __call__(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None) -> None: ...

class _mluOpDestroySparseConvolutionDescriptor(CFunction):
    def __call__(self, desc: types.mluOpSparseConvolutionDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, desc: types.mluOpSparseConvolutionDescriptor_t | None) -> None: ...

class _mluOpDestroyTensorDescriptor(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None) -> None: ...

class _mluOpDestroyTensorSetDescriptor(CFunction):
    def __call__(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None) -> None: ...

class _mluOpDiffIouRotatedSortVerticesForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, vertices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, vertices: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, num_valid_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, num_valid: _Address, idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, idx: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, vertices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, vertices: _Address, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask: _Address, num_valid_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, num_valid: _Address, idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, idx: _Address) -> None: ...

class _mluOpDiv(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address, z_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, z: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address, z_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, z: _Address) -> None: ...

class _mluOpDynamicPointToVoxelBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, reduce_type: int, grad_voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_voxel_feats: _Address, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feats: _Address, voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_feats: _Address, point2voxel_map_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point2voxel_map: _Address, voxel_points_count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_points_count: _Address, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num: _Address, workspace: _Address, workspace_size: int, grad_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_feats: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, reduce_type: int, grad_voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_voxel_feats: _Address, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feats: _Address, voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_feats: _Address, point2voxel_map_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point2voxel_map: _Address, voxel_points_count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_points_count: _Address, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num: _Address, workspace: _Address, workspace_size: int, grad_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_feats: _Address) -> None: ...

class _mluOpDynamicPointToVoxelForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, reduce_type: int, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feats: _Address, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors: _Address, workspace: _Address, workspace_size: int, voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_feats: _Address, voxel_coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_coors: _Address, point2voxel_map_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point2voxel_map: _Address, voxel_points_count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_points_count: _Address, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, reduce_type: int, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feats: _Address, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors: _Address, workspace: _Address, workspace_size: int, voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_feats: _Address, voxel_coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_coors: _Address, point2voxel_map_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point2voxel_map: _Address, voxel_points_count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_points_count: _Address, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num: _Address) -> None: ...

class _mluOpExecFFT(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, fft_plan: types.mluOpFFTPlan_t | None, input: _Address, scale_factor: float, workspace: _Address, output: _Address, direction: int) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, fft_plan: types.mluOpFFTPlan_t | None, input: _Address, scale_factor: float, workspace: _Address, output: _Address, direction: int) -> None: ...

class _mluOpFocalLossSigmoidBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, reduction: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, target_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, target: _Address, weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weight: _Address, alpha: float, gamma: float, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, reduction: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, target_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, target: _Address, weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weight: _Address, alpha: float, gamma: float, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> None: ...

class _mluOpFocalLossSigmoidForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, reduction: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, target_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, target: _Address, weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weight: _Address, alpha: float, gamma: float, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, reduction: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, target_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, target: _Address, weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weight: _Address, alpha: float, gamma: float, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpGenerateProposalsV2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pre_nms_top_n: int, post_nms_top_n: int, nms_thresh: float, min_size: float, eta: float, pixel_offset: bool, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, scores: _Address, bbox_deltas_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox_deltas: _Address, im_shape_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, im_shape: _Address, anchors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, anchors: _Address, variances_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, variances: _Address, workspace: _Address, workspace_size: int, rpn_rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rpn_rois: _Address, rpn_roi_probs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rpn_roi_probs: _Address, rpn_rois_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rpn_rois_num: _Address, rpn_rois_batch_size: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pre_nms_top_n: int, post_nms_top_n: int, nms_thresh: float, min_size: float, eta: float, pixel_offset: bool, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, scores: _Address, bbox_deltas_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bbox_deltas: _Address, im_shape_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, im_shape: _Address, anchors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, anchors: _Address, variances_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, variances: _Address, workspace: _Address, workspace_size: int, rpn_rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rpn_rois: _Address, rpn_roi_probs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rpn_roi_probs: _Address, rpn_rois_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rpn_rois_num: _Address, rpn_rois_batch_size: _Address) -> None: ...

class _mluOpGetActiveRotatedFilterForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetAtomicsMode(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, atomics_mode: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, atomics_mode: _c_int_p) -> None: ...

class _mluOpGetDCNBackwardWeightWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetDCNBakcwardDataWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetDCNForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, dcn_desc: types.mluOpDCNDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, offset_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, reduce_type: int, grad_voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point2voxel_map_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_points_count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, reduce_type: int, grad_voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point2voxel_map_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_points_count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetDynamicPointToVoxelForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, feats_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetErrorString(CFunction):
    def __call__(self, status: int) -> bytes | None: ...
    def checked(self, status: int) -> None: ...

class _mluOpGetGenCaseDirectory(CFunction):
    def __call__(self, buffer: _c_char_p, bufferSize: int, pathLen: _c_size_t_p, status: _c_int_p) -> bytes | None: ...
    def checked(self, buffer: _c_char_p, bufferSize: int, pathLen: _c_size_t_p, status: _c_int_p) -> None: ...

class _mluOpGetGenerateProposalsV2WorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> None: ...

class _mluOpGetGenerateProposalsV2WorkspaceSize_v2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pre_nms_top_n: int, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pre_nms_top_n: int, size: _c_size_t_p) -> None: ...

class _mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _c_int64_p, inverse: int, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _c_int64_p, inverse: int, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _c_int64_p, inverse: int, sub_m: int, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _c_int64_p, inverse: int, sub_m: int, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetIndiceConvolutionForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _c_int64_p, num_act_out: int, inverse: int, sub_m: int, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _c_int64_p, num_act_out: int, inverse: int, sub_m: int, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetIndicePairs(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, sparse_conv_desc: types.mluOpSparseConvolutionDescriptor_t | None, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, workspace: _Address, workspace_size: int, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, out_indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, out_indices: _Address, indice_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, sparse_conv_desc: types.mluOpSparseConvolutionDescriptor_t | None, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, workspace: _Address, workspace_size: int, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, out_indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, out_indices: _Address, indice_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num: _Address) -> None: ...

class _mluOpGetIndicePairsWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, sparse_conv_desc: types.mluOpSparseConvolutionDescriptor_t | None, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, out_indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, sparse_conv_desc: types.mluOpSparseConvolutionDescriptor_t | None, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, out_indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetLibVersion(CFunction):
    def __call__(self, major: _c_int_p, minor: _c_int_p, patch: _c_int_p) -> None: ...
    def checked(self, major: _c_int_p, minor: _c_int_p, patch: _c_int_p) -> None: ...

class _mluOpGetMaskedCol2imForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, im_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, im_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetMaskedIm2colForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, kernel_h: int, kernel_w: int, data_col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, kernel_h: int, kernel_w: int, data_col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetMoeDispatchBackwardGateWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetMutualInformationBackwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, overwrite_ans_grad: bool, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, overwrite_ans_grad: bool, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetMutualInformationForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetNmsRotatedWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetNmsWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, nms_desc: types.mluOpNmsDescriptor_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, confidence_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, nms_desc: types.mluOpNmsDescriptor_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, confidence_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> None: ...

class _mluOpGetPolyNmsWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> None: ...

class _mluOpGetQuantizeRoundMode(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, round_mode: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, round_mode: _c_int_p) -> None: ...

class _mluOpGetQueue(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, queue: _cnrtQueue_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, queue: _cnrtQueue_t_p) -> None: ...

class _mluOpGetRoiAwarePool3dForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetRoiawarePool3dForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetRoiPointPool3dWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, batch_size: int, pts_num: int, boxes_num: int, feature_in_len: int, sampled_pts_num: int, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes3d_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_empty_flag_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, batch_size: int, pts_num: int, boxes_num: int, feature_in_len: int, sampled_pts_num: int, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes3d_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_empty_flag_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> None: ...

class _mluOpGetSeqDataDescriptor_v2(CFunction):
    def __call__(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int64_p, seqLengthArraySize: _c_int64_p, seqLengthArray: _c_int64_p, paddingFill: _Address) -> mluOpStatus_t: ...
    def checked(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int64_p, seqLengthArraySize: _c_int64_p, seqLengthArray: _c_int64_p, paddingFill: _Address) -> None: ...

class _mluOpGetSizeOfDataType(CFunction):
    def __call__(self, data_type: int, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, data_type: int, size: _c_size_t_p) -> None: ...

class _mluOpGetSparseConvolutionNumActOut(CFunction):
    def __call__(self, desc: types.mluOpSparseConvolutionDescriptor_t | None, num_act_out: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: types.mluOpSparseConvolutionDescriptor_t | None, num_act_out: _c_int_p) -> None: ...

class _mluOpGetSyncBatchNormBackwardReduceWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetSyncBatchnormBackwardReduceWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetSyncBatchNormStatsWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetTensorAndDataFromTensorSet(CFunction):
    def __call__(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: int, tensorIndex: _c_int_p, data: _Address, tensorDesc: _mluOpTensorDescriptor_t_p, dataAddrInDevice: _c_void_p_p) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: int, tensorIndex: _c_int_p, data: _Address, tensorDesc: _mluOpTensorDescriptor_t_p, dataAddrInDevice: _c_void_p_p) -> None: ...

class _mluOpGetTensorDescriptor(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int_p) -> None: ...

class _mluOpGetTensorDescriptor_v2(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int64_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int64_p) -> None: ...

class _mluOpGetTensorDescriptorEx(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int_p, dimStride: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int_p, dimStride: _c_int_p) -> None: ...

class _mluOpGetTensorDescriptorEx_v2(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int64_p, dimStride: _c_int64_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: _c_int_p, dtype: _c_int_p, dimNb: _c_int_p, dimSize: _c_int64_p, dimStride: _c_int64_p) -> None: ...

class _mluOpGetTensorDescriptorOnchipDataType(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, onchip_dtype: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, onchip_dtype: _c_int_p) -> None: ...

class _mluOpGetTensorDescriptorPointerMode(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pointer_mode: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pointer_mode: _c_int_p) -> None: ...

class _mluOpGetTensorDescriptorPosition(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: _c_int_p) -> None: ...

class _mluOpGetTensorDescriptorPositionAndScale(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: _c_int_p, scale: _c_float_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: _c_int_p, scale: _c_float_p) -> None: ...

class _mluOpGetTensorDescriptorPositionScaleAndOffset(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: _c_int_p, scale: _c_float_p, offset: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: _c_int_p, scale: _c_float_p, offset: _c_int_p) -> None: ...

class _mluOpGetTensorElementNum(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None) -> int: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None) -> None: ...

class _mluOpGetTensorSetDescriptor(CFunction):
    def __call__(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: _c_int_p, setDimSize: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: _c_int_p, setDimSize: _c_int_p) -> None: ...

class _mluOpGetTensorSetDescriptorSize(CFunction):
    def __call__(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, sizeInBytes: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, sizeInBytes: _c_int_p) -> None: ...

class _mluOpGetThreeNNForwardWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, known_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, known_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, workspace_size: _c_size_t_p) -> None: ...

class _mluOpGetVoxelizationWorkspaceSize(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_size_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_range_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, max_points: int, max_voxels: int, NDim: int, deterministic: bool, voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, num_points_per_voxel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_size_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_range_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, max_points: int, max_voxels: int, NDim: int, deterministic: bool, voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, num_points_per_voxel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, size: _c_size_t_p) -> None: ...

class _mluOpIndiceConvolutionBackwardData(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_grad: _Address, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters: _Address, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, indice_num: _c_int64_p, inverse: int, sub_m: int, workspace: _Address, workspace_size: int, input_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input_grad: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_grad: _Address, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters: _Address, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, indice_num: _c_int64_p, inverse: int, sub_m: int, workspace: _Address, workspace_size: int, input_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input_grad: _Address) -> None: ...

class _mluOpIndiceConvolutionBackwardFilter(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_grad: _Address, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, indice_num: _c_int64_p, inverse: int, sub_m: int, workspace: _Address, workspace_size: int, filters_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_grad: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, output_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_grad: _Address, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, indice_num: _c_int64_p, inverse: int, sub_m: int, workspace: _Address, workspace_size: int, filters_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters_grad: _Address) -> None: ...

class _mluOpIndiceConvolutionForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters: _Address, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, indice_num: _c_int64_p, num_act_out: int, inverse: int, sub_m: int, workspace: _Address, workspace_size: int, features_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features_out: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, filters_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filters: _Address, indice_pairs_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indice_pairs: _Address, indice_num: _c_int64_p, num_act_out: int, inverse: int, sub_m: int, workspace: _Address, workspace_size: int, features_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features_out: _Address) -> None: ...

class _mluOpInitTensorSetMemberDescriptor(CFunction):
    def __call__(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: int, tensorIndex: _c_int_p, layout: int, dtype: int, dimNb: int, dimSize: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: int, tensorIndex: _c_int_p, layout: int, dtype: int, dimNb: int, dimSize: _c_int_p) -> None: ...

class _mluOpInitTensorSetMemberDescriptorPositionAndScale(CFunction):
    def __call__(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: int, tensorIndex: _c_int_p, position: int, scale: float) -> mluOpStatus_t: ...
    def checked(self, tensorSetDesc: types.mluOpTensorSetDescriptor_t | None, setDimNb: int, tensorIndex: _c_int_p, position: int, scale: float) -> None: ...

class _mluOpLgamma(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> None: ...

class _mluOpLog(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, base: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, base: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> None: ...

class _mluOpLogspace(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, start: float, end: float, steps: int, base: float, res_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, res: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, start: float, end: float, steps: int, base: float, res_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, res: _Address) -> None: ...

class _mluOpMakeFFTPlanMany(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, fft_plan: types.mluOpFFTPlan_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rank: int, n: _c_int_p, reservespace_size: _c_size_t_p, workspace_size: _c_size_t_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, fft_plan: types.mluOpFFTPlan_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rank: int, n: _c_int_p, reservespace_size: _c_size_t_p, workspace_size: _c_size_t_p) -> None: ...

class _mluOpMaskedCol2imForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, col: _Address, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx: _Address, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx: _Address, workspace_size: int, workspace: _Address, im_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, im: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, col: _Address, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx: _Address, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx: _Address, workspace_size: int, workspace: _Address, im_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, im: _Address) -> None: ...

class _mluOpMaskedIm2colForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feature: _Address, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx: _Address, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx: _Address, kernel_h: int, kernel_w: int, pad_h: int, pad_w: int, workspace: _Address, workspace_size: int, data_col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_col: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, feature: _Address, mask_h_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_h_idx: _Address, mask_w_idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mask_w_idx: _Address, kernel_h: int, kernel_w: int, pad_h: int, pad_w: int, workspace: _Address, workspace_size: int, data_col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_col: _Address) -> None: ...

class _mluOpMoeDispatchBackwardData(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, gates_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, gates: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, locations_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, locations: _Address, dispatch_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dispatch: _Address, samples: int, capacity: int, hidden: int, num_experts: int, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, gates_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, gates: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, locations_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, locations: _Address, dispatch_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dispatch: _Address, samples: int, capacity: int, hidden: int, num_experts: int, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> None: ...

class _mluOpMoeDispatchBackwardGate(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, locations_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, locations: _Address, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, dispatch_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dispatch: _Address, samples: int, capacity: int, hidden: int, num_experts: int, workspace: _Address, workspace_size: int, grad_gates_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_gates: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, locations_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, locations: _Address, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, dispatch_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dispatch: _Address, samples: int, capacity: int, hidden: int, num_experts: int, workspace: _Address, workspace_size: int, grad_gates_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_gates: _Address) -> None: ...

class _mluOpMoeDispatchForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, gates_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, gates: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, locations_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, locations: _Address, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, samples: int, capacity: int, hidden: int, num_experts: int, dispatch_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dispatch: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, gates_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, gates: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, locations_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, locations: _Address, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, samples: int, capacity: int, hidden: int, num_experts: int, dispatch_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dispatch: _Address) -> None: ...

class _mluOpMsDeformAttnBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, value_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, value: _Address, spatial_shapes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, spatial_shapes: _Address, level_start_index_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, level_start_index: _Address, sampling_loc_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sampling_loc: _Address, attn_weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, attn_weight: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, im2col_step: int, grad_value_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_value: _Address, grad_sampling_loc_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_sampling_loc: _Address, grad_attn_weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_attn_weight: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, value_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, value: _Address, spatial_shapes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, spatial_shapes: _Address, level_start_index_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, level_start_index: _Address, sampling_loc_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sampling_loc: _Address, attn_weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, attn_weight: _Address, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, im2col_step: int, grad_value_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_value: _Address, grad_sampling_loc_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_sampling_loc: _Address, grad_attn_weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_attn_weight: _Address) -> None: ...

class _mluOpMsDeformAttnForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, data_value_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_value: _Address, data_spatial_shapes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_spatial_shapes: _Address, data_level_start_index_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_level_start_index: _Address, data_sampling_loc_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_sampling_loc: _Address, data_attn_weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_attn_weight: _Address, im2col_step: int, data_col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_col: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, data_value_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_value: _Address, data_spatial_shapes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_spatial_shapes: _Address, data_level_start_index_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_level_start_index: _Address, data_sampling_loc_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_sampling_loc: _Address, data_attn_weight_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_attn_weight: _Address, im2col_step: int, data_col_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, data_col: _Address) -> None: ...

class _mluOpMutualInformationBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, px: _Address, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py: _Address, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary: _Address, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p: _Address, ans_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans_grad: _Address, overwrite_ans_grad: bool, workspace: _Address, workspace_size: int, px_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, px_grad: _Address, py_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py_grad: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, px: _Address, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py: _Address, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary: _Address, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p: _Address, ans_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans_grad: _Address, overwrite_ans_grad: bool, workspace: _Address, workspace_size: int, px_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, px_grad: _Address, py_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py_grad: _Address) -> None: ...

class _mluOpMutualInformationForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, px: _Address, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py: _Address, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary: _Address, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p: _Address, workspace: _Address, workspace_size: int, ans_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, px_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, px: _Address, py_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, py: _Address, opt_boundary_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, opt_boundary: _Address, p_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, p: _Address, workspace: _Address, workspace_size: int, ans_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, ans: _Address) -> None: ...

class _mluOpNms(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, nms_desc: types.mluOpNmsDescriptor_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, confidence_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, confidence: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, output_size: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, nms_desc: types.mluOpNmsDescriptor_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, confidence_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, confidence: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, output_size: _Address) -> None: ...

class _mluOpNmsRotated(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, iou_threshold: float, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, scores: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, result_num: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, iou_threshold: float, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, scores: _Address, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, result_num: _Address) -> None: ...

class _mluOpPointsInBoxes(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, points_indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points_indices: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, points_indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points_indices: _Address) -> None: ...

class _mluOpPolyNms(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, iou_threshold: float, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, output_size: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, iou_threshold: float, workspace: _Address, workspace_size: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, output_size: _Address) -> None: ...

class _mluOpPriorBox(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, min_sizes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, min_sizes: _Address, aspect_ratios_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, aspect_ratios: _Address, variances_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, variances: _Address, max_sizes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, max_sizes: _Address, height: int, width: int, im_height: int, im_width: int, step_h: float, step_w: float, offset: float, clip: bool, min_max_aspect_ratios_order: bool, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, var_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, var: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, min_sizes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, min_sizes: _Address, aspect_ratios_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, aspect_ratios: _Address, variances_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, variances: _Address, max_sizes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, max_sizes: _Address, height: int, width: int, im_height: int, im_width: int, step_h: float, step_w: float, offset: float, clip: bool, min_max_aspect_ratios_order: bool, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, var_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, var: _Address) -> None: ...

class _mluOpPsamaskBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, psa_type: int, dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dy: _Address, h_mask: int, w_mask: int, dx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dx: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, psa_type: int, dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dy: _Address, h_mask: int, w_mask: int, dx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dx: _Address) -> None: ...

class _mluOpPsamaskForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, psa_type: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, h_mask: int, w_mask: int, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, psa_type: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, h_mask: int, w_mask: int, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> None: ...

class _mluOpPsRoiPoolBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pooled_height: int, pooled_width: int, spatial_scale: float, output_dim: int, top_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, top_grad: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, mapping_channel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mapping_channel: _Address, bottom_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bottom_grad: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pooled_height: int, pooled_width: int, spatial_scale: float, output_dim: int, top_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, top_grad: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, mapping_channel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mapping_channel: _Address, bottom_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bottom_grad: _Address) -> None: ...

class _mluOpPsRoiPoolForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pooled_height: int, pooled_width: int, spatial_scale: float, group_size: int, output_dim: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, mapping_channel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mapping_channel: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pooled_height: int, pooled_width: int, spatial_scale: float, group_size: int, output_dim: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, mapping_channel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mapping_channel: _Address) -> None: ...

class _mluOpResetTensorDescriptor(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None) -> None: ...

class _mluOpRoiAlignBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, spatial_scale: float, sampling_ratio: int, aligned: bool, grads_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, grads_image_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads_image: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, spatial_scale: float, sampling_ratio: int, aligned: bool, grads_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, grads_image_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads_image: _Address) -> None: ...

class _mluOpRoiAlignBackward_v2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, grads_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, argmax_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_x: _Address, argmax_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_y: _Address, spatial_scale: float, sampling_ratio: int, aligned: bool, pool_mode: int, grads_image_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads_image: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, grads_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, argmax_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_x: _Address, argmax_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_y: _Address, spatial_scale: float, sampling_ratio: int, aligned: bool, pool_mode: int, grads_image_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads_image: _Address) -> None: ...

class _mluOpRoiAlignForward_v2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, roialign_desc: types.mluOpRoiAlignForwardDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, argmax_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_x: _Address, argmax_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, roialign_desc: types.mluOpRoiAlignForwardDescriptor_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, argmax_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_x: _Address, argmax_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax_y: _Address) -> None: ...

class _mluOpRoiAlignRotatedBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, top_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, top_grad: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pooled_height: int, pooled_width: int, sample_ratio: int, spatial_scale: float, aligned: bool, clockwise: bool, bottom_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bottom_grad: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, top_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, top_grad: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pooled_height: int, pooled_width: int, sample_ratio: int, spatial_scale: float, aligned: bool, clockwise: bool, bottom_grad_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bottom_grad: _Address) -> None: ...

class _mluOpRoiAlignRotatedForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pooled_height: int, pooled_width: int, sample_ratio: int, spatial_scale: float, aligned: bool, clockwise: bool, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pooled_height: int, pooled_width: int, sample_ratio: int, spatial_scale: float, aligned: bool, clockwise: bool, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpRoiAwarePool3dBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, out_x: int, out_y: int, out_z: int, channels: int, max_pts_each_voxel: int, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, grad_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_out: _Address, grad_in_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_in: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, out_x: int, out_y: int, out_z: int, channels: int, max_pts_each_voxel: int, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, grad_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_out: _Address, grad_in_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_in: _Address) -> None: ...

class _mluOpRoiawarePool3dBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, out_x: int, out_y: int, out_z: int, channels: int, max_pts_each_voxel: int, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, grad_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_out: _Address, grad_in_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_in: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, out_x: int, out_y: int, out_z: int, channels: int, max_pts_each_voxel: int, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, grad_out_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_out: _Address, grad_in_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_in: _Address) -> None: ...

class _mluOpRoiAwarePool3dForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, pts_num: int, channels: int, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts: _Address, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature: _Address, workspace: _Address, workspace_size: int, max_pts_each_voxel: int, out_x: int, out_y: int, out_z: int, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, pts_num: int, channels: int, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts: _Address, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature: _Address, workspace: _Address, workspace_size: int, max_pts_each_voxel: int, out_x: int, out_y: int, out_z: int, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features: _Address) -> None: ...

class _mluOpRoiawarePool3dForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, pts_num: int, channels: int, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts: _Address, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature: _Address, workspace: _Address, workspace_size: int, max_pts_each_voxel: int, out_x: int, out_y: int, out_z: int, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pool_method: int, boxes_num: int, pts_num: int, channels: int, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, pts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts: _Address, pts_feature_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_feature: _Address, workspace: _Address, workspace_size: int, max_pts_each_voxel: int, out_x: int, out_y: int, out_z: int, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _Address, pts_idx_of_voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pts_idx_of_voxels: _Address, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features: _Address) -> None: ...

class _mluOpRoiCropBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, grid_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grid: _Address, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, grid_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grid: _Address, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> None: ...

class _mluOpRoiCropForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, grid_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grid: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, grid_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grid: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpRoiPointPool3d(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, batch_size: int, pts_num: int, boxes_num: int, feature_in_len: int, sampled_pts_num: int, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points: _Address, point_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point_features: _Address, boxes3d_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes3d: _Address, workspace: _Address, workspace_size: int, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features: _Address, pooled_empty_flag_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_empty_flag: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, batch_size: int, pts_num: int, boxes_num: int, feature_in_len: int, sampled_pts_num: int, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points: _Address, point_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, point_features: _Address, boxes3d_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes3d: _Address, workspace: _Address, workspace_size: int, pooled_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_features: _Address, pooled_empty_flag_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pooled_empty_flag: _Address) -> None: ...

class _mluOpRoiPoolingBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pooling_mode: int, grads_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _c_int_p, spatial_scale: float, grads_image_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads_image: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pooling_mode: int, grads_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, argmax_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, argmax: _c_int_p, spatial_scale: float, grads_image_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grads_image: _Address) -> None: ...

class _mluOpRoiPoolingForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, pooling_mode: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, spatial_scale: float, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, argmax: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, pooling_mode: int, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, rois_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, rois: _Address, spatial_scale: float, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address, argmax: _c_int_p) -> None: ...

class _mluOpRotatedFeatureAlignBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, top_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, top_output: _Address, bboxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bboxes: _Address, spatial_scale: float, points: int, bottom_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bottom_input: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, top_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, top_output: _Address, bboxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bboxes: _Address, spatial_scale: float, points: int, bottom_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bottom_input: _Address) -> None: ...

class _mluOpRotatedFeatureAlignForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, bboxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bboxes: _Address, spatial_scale: float, points: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, bboxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bboxes: _Address, spatial_scale: float, points: int, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpSetAdamWDescAttr(CFunction):
    def __call__(self, adamw_desc: types.mluOpAdamWDescriptor_t | None, attr: int, buf: _Address, size_in_bytes: int) -> mluOpStatus_t: ...
    def checked(self, adamw_desc: types.mluOpAdamWDescriptor_t | None, attr: int, buf: _Address, size_in_bytes: int) -> None: ...

class _mluOpSetAtomicsMode(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, atomics_mode: int) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, atomics_mode: int) -> None: ...

class _mluOpSetCarafeDescriptor(CFunction):
    def __call__(self, carafe_desc: types.mluOpCarafeDescriptor_t | None, dimNb: int, kernel_size: int, group_size: int, scale_factor: int) -> mluOpStatus_t: ...
    def checked(self, carafe_desc: types.mluOpCarafeDescriptor_t | None, dimNb: int, kernel_size: int, group_size: int, scale_factor: int) -> None: ...

class _mluOpSetDCNDescriptor(CFunction):
    def __call__(self, dcn_desc: types.mluOpDCNDescriptor_t | None, dimNb: int, pad: _c_int_p, stride: _c_int_p, dilation: _c_int_p, deformable_group: int, conv_group: int, im2col_step: int, compute_type: int) -> mluOpStatus_t: ...
    def checked(self, dcn_desc: types.mluOpDCNDescriptor_t | None, dimNb: int, pad: _c_int_p, stride: _c_int_p, dilation: _c_int_p, deformable_group: int, conv_group: int, im2col_step: int, compute_type: int) -> None: ...

class _mluOpSetFFTReserveArea(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, fft_plan: types.mluOpFFTPlan_t | None, reservespace: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, fft_plan: types.mluOpFFTPlan_t | None, reservespace: _Address) -> None: ...

class _mluOpSetGenCaseDirectory(CFunction):
    def __call__(self, path: bytes | None) -> mluOpStatus_t: ...
    def checked(self, path: bytes | None) -> None: ...

class _mluOpSetGenCaseMode(CFunction):
    def __call__(self, mode: int) -> None: ...
    def checked(self, mode: int) -> None: ...

class _mluOpSetGroupTensorDescriptors(CFunction):
    def __call__(self, group_desc: Any, group_layout: _c_int_p, group_dtype: _c_int_p, group_dimNb: _c_int_p, group_dimSize: _c_int_p, desc_num: int) -> mluOpStatus_t: ...
    def checked(self, group_desc: Any, group_layout: _c_int_p, group_dtype: _c_int_p, group_dimNb: _c_int_p, group_dimSize: _c_int_p, desc_num: int) -> None: ...

class _mluOpSetNmsDescriptor(CFunction):
    def __call__(self, nms_desc: types.mluOpNmsDescriptor_t | None, box_mode: int, output_mode: int, algo: int, method_mode: int, iou_threshold: float, soft_nms_sigma: float, max_output_size: int, confidence_threshold: float, offset: float, input_layout: int, pad_to_max_output_size: bool) -> mluOpStatus_t: ...
    def checked(self, nms_desc: types.mluOpNmsDescriptor_t | None, box_mode: int, output_mode: int, algo: int, method_mode: int, iou_threshold: float, soft_nms_sigma: float, max_output_size: int, confidence_threshold: float, offset: float, input_layout: int, pad_to_max_output_size: bool) -> None: ...

class _mluOpSetQuantizeRoundMode(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, round_mode: int) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, round_mode: int) -> None: ...

class _mluOpSetQueue(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, queue: Queue | types.cnrtQueue_t | None) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, queue: Queue | types.cnrtQueue_t | None) -> None: ...

class _mluOpSetRoiAlignForwardDescriptor_v2(CFunction):
    def __call__(self, roialign_desc: types.mluOpRoiAlignForwardDescriptor_t | None, pooled_height: int, pooled_width: int, sampling_ratio: int, spatial_scale: float, pool_mode: int, aligned: bool) -> mluOpStatus_t: ...
    def checked(self, roialign_desc: types.mluOpRoiAlignForwardDescriptor_t | None, pooled_height: int, pooled_width: int, sampling_ratio: int, spatial_scale: float, pool_mode: int, aligned: bool) -> None: ...

class _mluOpSetSeqDataDescriptor_v2(CFunction):
    def __call__(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int64_p, seqLengthArraySize: int, seqLengthArray: _c_int_p, paddingFill: _Address) -> mluOpStatus_t: ...
    def checked(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int64_p, seqLengthArraySize: int, seqLengthArray: _c_int_p, paddingFill: _Address) -> None: ...

class _mluOpSetSeqDataDescriptorPositionAndScale(CFunction):
    def __call__(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None, position: int, scale: float) -> mluOpStatus_t: ...
    def checked(self, seq_data_desc: types.mluOpSeqDataDescriptor_t | None, position: int, scale: float) -> None: ...

class _mluOpSetSparseConvolutionDescriptor(CFunction):
    def __call__(self, desc: types.mluOpSparseConvolutionDescriptor_t | None, dimNb: int, batch_size: int, pad: _c_int_p, stride: _c_int_p, dilation: _c_int_p, input_space: _c_int_p, filter_space: _c_int_p, output_space: _c_int_p, sub_m: int, transpose: int, inverse: int) -> mluOpStatus_t: ...
    def checked(self, desc: types.mluOpSparseConvolutionDescriptor_t | None, dimNb: int, batch_size: int, pad: _c_int_p, stride: _c_int_p, dilation: _c_int_p, input_space: _c_int_p, filter_space: _c_int_p, output_space: _c_int_p, sub_m: int, transpose: int, inverse: int) -> None: ...

class _mluOpSetTensorDescriptor(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int_p) -> None: ...

class _mluOpSetTensorDescriptor_v2(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int64_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int64_p) -> None: ...

class _mluOpSetTensorDescriptorDim(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dimNb: int, dimSize: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dimNb: int, dimSize: _c_int_p) -> None: ...

class _mluOpSetTensorDescriptorDim_v2(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dimNb: int, dimSize: _c_int64_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dimNb: int, dimSize: _c_int64_p) -> None: ...

class _mluOpSetTensorDescriptorEx(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int_p, dimStride: _c_int_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int_p, dimStride: _c_int_p) -> None: ...

class _mluOpSetTensorDescriptorEx_v2(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int64_p, dimStride: _c_int64_p) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, layout: int, dtype: int, dimNb: int, dimSize: _c_int64_p, dimStride: _c_int64_p) -> None: ...

class _mluOpSetTensorDescriptorOnchipDataType(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, onchip_dtype: int) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, onchip_dtype: int) -> None: ...

class _mluOpSetTensorDescriptorPointerMode(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pointer_mode: int) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pointer_mode: int) -> None: ...

class _mluOpSetTensorDescriptorPosition(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: int) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: int) -> None: ...

class _mluOpSetTensorDescriptorPositionAndScale(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: int, scale: float) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: int, scale: float) -> None: ...

class _mluOpSetTensorDescriptorPositionScaleAndOffset(CFunction):
    def __call__(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: int, scale: float, offset: int) -> mluOpStatus_t: ...
    def checked(self, desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, position: int, scale: float, offset: int) -> None: ...

class _mluOpSqrt(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, prefer: int, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> None: ...

class _mluOpSqrtBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address, dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_y: _Address, dx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_x: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address, dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_y: _Address, dx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_x: _Address) -> None: ...

class _mluOpSyncBatchNormBackwardElemt(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, diff_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_y: _Address, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, mean_dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean_dy: _Address, mean_dy_xmu_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean_dy_xmu: _Address, diff_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_x: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, diff_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_y: _Address, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, mean_dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean_dy: _Address, mean_dy_xmu_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean_dy_xmu: _Address, diff_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_x: _Address) -> None: ...

class _mluOpSyncBatchNormBackwardElemtV2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, diff_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_y: _Address, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, sum_dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, sum_dy_xmu_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, count: _Address, diff_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_x: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, diff_y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_y: _Address, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, sum_dy_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, sum_dy_xmu_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, count_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, count: _Address, diff_x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, diff_x: _Address) -> None: ...

class _mluOpSyncBatchNormBackwardReduce(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> None: ...

class _mluOpSyncBatchnormBackwardReduce(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> None: ...

class _mluOpSyncBatchNormBackwardReduce_v2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, workspace: _Address, workspace_size: int, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, workspace: _Address, workspace_size: int, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> None: ...

class _mluOpSyncBatchnormBackwardReduce_v2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, workspace: _Address, workspace_size: int, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, desc_dz: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dz: _Address, desc_x: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, desc_mean: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, desc_invstd: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, workspace: _Address, workspace_size: int, desc_dfilter: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dfilter: _Address, desc_dbias: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dbias: _Address, desc_sum_dy: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy: _Address, desc_sum_dy_xmu: TensorDescriptor | types.mluOpTensorDescriptor_t | None, sum_dy_xmu: _Address, needs_input_grad0: bool, needs_input_grad1: bool, needs_input_grad2: bool) -> None: ...

class _mluOpSyncBatchNormElemt(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bias: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address, filter_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, filter: _Address, bias_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, bias: _Address, y_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, y: _Address) -> None: ...

class _mluOpSyncBatchNormGatherStatsWithCounts(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, mean_all_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean_all: _Address, invstd_all_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd_all: _Address, moving_mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, moving_mean: _Address, moving_var_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, moving_var: _Address, momentum: float, eps: float, count_all_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, count_all: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, mean_all_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean_all: _Address, invstd_all_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd_all: _Address, moving_mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, moving_mean: _Address, moving_var_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, moving_var: _Address, momentum: float, eps: float, count_all_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, count_all: _Address, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address) -> None: ...

class _mluOpSyncBatchNormStats(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, eps: float, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, eps: float, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address) -> None: ...

class _mluOpSyncBatchNormStats_v2(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, workspace: _Address, workspace_size: int, eps: float, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, workspace: _Address, workspace_size: int, eps: float, mean_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, mean: _Address, invstd_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, invstd: _Address) -> None: ...

class _mluOpThreeInterpolateBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, weights_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weights: _Address, grad_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_features: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, weights_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weights: _Address, grad_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_features: _Address) -> None: ...

class _mluOpThreeInterpolateForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, weights_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weights: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, features: _Address, indices_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, indices: _Address, weights_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, weights: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpThreeNNForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, unknown_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, unknown: _Address, known_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, known: _Address, workspace: _Address, workspace_size: int, dist2_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dist2: _Address, idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, idx: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, unknown_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, unknown: _Address, known_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, known: _Address, workspace: _Address, workspace_size: int, dist2_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, dist2: _Address, idx_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, idx: _Address) -> None: ...

class _mluOpTinShiftBackward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, shifts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, shifts: _Address, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, grad_output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_output: _Address, shifts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, shifts: _Address, grad_input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, grad_input: _Address) -> None: ...

class _mluOpTinShiftForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, shifts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, shifts: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, input_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input: _Address, shifts_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, shifts: _Address, output_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output: _Address) -> None: ...

class _mluOpUpdateContextInformation(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None) -> None: ...

class _mluOpVoxelization(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points: _Address, voxel_size_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_size: _Address, coors_range_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_range: _Address, max_points: int, max_voxels: int, NDim: int, deterministic: bool, workspace: _Address, workspace_size: int, voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxels: _Address, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors: _Address, num_points_per_voxel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, num_points_per_voxel: _Address, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, points_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, points: _Address, voxel_size_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_size: _Address, coors_range_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors_range: _Address, max_points: int, max_voxels: int, NDim: int, deterministic: bool, workspace: _Address, workspace_size: int, voxels_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxels: _Address, coors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, coors: _Address, num_points_per_voxel_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, num_points_per_voxel: _Address, voxel_num_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, voxel_num: _Address) -> None: ...

class _mluOpVoxelPoolingForward(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, batch_size: int, num_points: int, num_channels: int, num_voxel_x: int, num_voxel_y: int, num_voxel_z: int, geom_xyz_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, geom_xyz: _Address, input_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input_features: _Address, output_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_features: _Address, pos_memo_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pos_memo: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, batch_size: int, num_points: int, num_channels: int, num_voxel_x: int, num_voxel_y: int, num_voxel_z: int, geom_xyz_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, geom_xyz: _Address, input_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, input_features: _Address, output_features_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, output_features: _Address, pos_memo_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, pos_memo: _Address) -> None: ...

class _mluOpYoloBox(CFunction):
    def __call__(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, img_size_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, img_size: _Address, anchors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, anchors: _Address, class_num: int, conf_thresh: float, downsample_ratio: int, clip_bbox: bool, scale: float, iou_aware: bool, iou_aware_factor: float, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, scores: _Address) -> mluOpStatus_t: ...
    def checked(self, handle: Handle | types.mluOpHandle_t | None, x_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, x: _Address, img_size_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, img_size: _Address, anchors_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, anchors: _Address, class_num: int, conf_thresh: float, downsample_ratio: int, clip_bbox: bool, scale: float, iou_aware: bool, iou_aware_factor: float, boxes_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, boxes: _Address, scores_desc: TensorDescriptor | types.mluOpTensorDescriptor_t | None, scores: _Address) -> None: ...

class Functions:
    @property
    def cnCtxGetCurrent(self) -> _cnCtxGetCurrent:
        """cnCtxGetCurrent(CNcontext* ctx) -> CNresult, since v2.7.0."""
    @property
    def cnGetCtxConfigParam(self) -> _cnGetCtxConfigParam:
        """cnGetCtxConfigParam(CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam* param) -> CNresult, since v2.7.0."""
    @property
    def cnrtDeviceGetAttribute(self) -> _cnrtDeviceGetAttribute:
        """cnrtDeviceGetAttribute(int* pValue, cnrtDeviceAttr_t attr, int device) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtDeviceGetPCIBusId(self) -> _cnrtDeviceGetPCIBusId:
        """cnrtDeviceGetPCIBusId(char* pciBusId, int len, int device) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtDeviceReset(self) -> _cnrtDeviceReset:
        """cnrtDeviceReset() -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtDriverGetVersion(self) -> _cnrtDriverGetVersion:
        """cnrtDriverGetVersion(int* major, int* minor, int* patch) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtFree(self) -> _cnrtFree:
        """cnrtFree(void* ptr) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtFreeHost(self) -> _cnrtFreeHost:
        """cnrtFreeHost(void* ptr) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtGetDevice(self) -> _cnrtGetDevice:
        """cnrtGetDevice(int* pOrdinal) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtGetDeviceCount(self) -> _cnrtGetDeviceCount:
        """cnrtGetDeviceCount(unsigned int* pCount) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtGetDeviceProperties(self) -> _cnrtGetDeviceProperties:
        """cnrtGetDeviceProperties(cnrtDeviceProp_t* prop, int device) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtGetDeviceProperties_V3(self) -> _cnrtGetDeviceProperties_V3:
        """cnrtGetDeviceProperties_V3(cnrtDeviceProp_t* prop, int device) -> cnrtRet_t, since v6.14.1."""
    @property
    def cnrtGetErrorName(self) -> _cnrtGetErrorName:
        """cnrtGetErrorName(cnrtRet_t err) -> const char*, since v5.0.0."""
    @property
    def cnrtGetErrorStr(self) -> _cnrtGetErrorStr:
        """cnrtGetErrorStr(cnrtRet_t err) -> const char*, since v5.0.0."""
    @property
    def cnrtGetLastError(self) -> _cnrtGetLastError:
        """cnrtGetLastError() -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtGetLibVersion(self) -> _cnrtGetLibVersion:
        """cnrtGetLibVersion(int* major, int* minor, int* patch) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtHostMalloc(self) -> _cnrtHostMalloc:
        """cnrtHostMalloc(void** pPtr, size_t bytes) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMalloc(self) -> _cnrtMalloc:
        """cnrtMalloc(void** pPtr, size_t bytes) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMallocConstant(self) -> _cnrtMallocConstant:
        """cnrtMallocConstant(void** pPtr, size_t bytes) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMemcpy(self) -> _cnrtMemcpy:
        """cnrtMemcpy(void* dst, void* src, size_t bytes, cnrtMemTransDir_t dir) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMemcpyAsync(self) -> _cnrtMemcpyAsync:
        """cnrtMemcpyAsync(void* dst, void* src, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t dir) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMemcpyAsync_V2(self) -> _cnrtMemcpyAsync_V2:
        """cnrtMemcpyAsync_V2(void* dst, void* src, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t dir) -> cnrtRet_t, since v6.14.1."""
    @property
    def cnrtMemcpyAsync_V3(self) -> _cnrtMemcpyAsync_V3:
        """cnrtMemcpyAsync_V3(void* dst, void* src, size_t bytes, cnrtQueue_t queue, cnrtMemTransDir_t dir) -> cnrtRet_t, since v6.14.1."""
    @property
    def cnrtMemGetInfo(self) -> _cnrtMemGetInfo:
        """cnrtMemGetInfo(size_t* free, size_t* total) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMemset(self) -> _cnrtMemset:
        """cnrtMemset(void* ptr, int value, size_t bytes) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtMemsetAsync(self) -> _cnrtMemsetAsync:
        """cnrtMemsetAsync(void* ptr, int value, size_t bytes, cnrtQueue_t queue) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtNotifierCreate(self) -> _cnrtNotifierCreate:
        """cnrtNotifierCreate(cnrtNotifier_t* pNotifier) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtNotifierCreateWithFlags(self) -> _cnrtNotifierCreateWithFlags:
        """cnrtNotifierCreateWithFlags(cnrtNotifier_t* pNotifier, unsigned int flags) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtNotifierDestroy(self) -> _cnrtNotifierDestroy:
        """cnrtNotifierDestroy(cnrtNotifier_t notifier) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtNotifierDuration(self) -> _cnrtNotifierDuration:
        """cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float* us) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtNotifierElapsedTime(self) -> _cnrtNotifierElapsedTime:
        """cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float* ms) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtPeekAtLastError(self) -> _cnrtPeekAtLastError:
        """cnrtPeekAtLastError() -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtPlaceNotifier(self) -> _cnrtPlaceNotifier:
        """cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtQueryNotifier(self) -> _cnrtQueryNotifier:
        """cnrtQueryNotifier(cnrtNotifier_t notifier) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtQueueCreate(self) -> _cnrtQueueCreate:
        """cnrtQueueCreate(cnrtQueue_t* pQueue) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtQueueDestroy(self) -> _cnrtQueueDestroy:
        """cnrtQueueDestroy(cnrtQueue_t queue) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtQueueQuery(self) -> _cnrtQueueQuery:
        """cnrtQueueQuery(cnrtQueue_t queue) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtQueueSync(self) -> _cnrtQueueSync:
        """cnrtQueueSync(cnrtQueue_t queue) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtQueueWaitNotifier(self) -> _cnrtQueueWaitNotifier:
        """cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flag) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtSetDevice(self) -> _cnrtSetDevice:
        """cnrtSetDevice(int ordinal) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtSyncDevice(self) -> _cnrtSyncDevice:
        """cnrtSyncDevice() -> cnrtRet_t, since v5.0.0."""
    @property
    def cnrtWaitNotifier(self) -> _cnrtWaitNotifier:
        """cnrtWaitNotifier(cnrtNotifier_t notifier) -> cnrtRet_t, since v5.0.0."""
    @property
    def cnSetCtxConfigParam(self) -> _cnSetCtxConfigParam:
        """cnSetCtxConfigParam(CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam* param) -> CNresult, since v2.7.0."""
    @property
    def mluOpAbs(self) -> _mluOpAbs:
        """mluOpAbs(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t y_desc, void* y) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpActiveRotatedFilterForward(self) -> _mluOpActiveRotatedFilterForward:
        """mluOpActiveRotatedFilterForward(const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t indices_desc, const void* indices, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpAdamW(self) -> _mluOpAdamW:
        """mluOpAdamW(mluOpHandle_t handle, mluOpAdamWDescriptor_t adamw_desc, const mluOpTensorDescriptor_t param_desc, void* param, const mluOpTensorDescriptor_t paramh_desc, void* param_h, const mluOpTensorDescriptor_t momentum_desc, void* momentum, const mluOpTensorDescriptor_t velocity_desc, void* velocity, const mluOpTensorDescriptor_t grad_desc, void* grad, const float lr, const float beta1, const float beta2, const float bias1, const float bias2, const float epsilon) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpBallQuery(self) -> _mluOpBallQuery:
        """mluOpBallQuery(mluOpHandle_t handle, const mluOpTensorDescriptor_t new_xyz_desc, const void* new_xyz, const mluOpTensorDescriptor_t xyz_desc, const void* xyz, const float min_radius, const float max_radius, const int nsample, const mluOpTensorDescriptor_t idx_desc, void* idx) -> mluOpStatus_t, since v0.3.0."""
    @property
    def mluOpBboxOverlaps(self) -> _mluOpBboxOverlaps:
        """mluOpBboxOverlaps(mluOpHandle_t handle, const int mode, const bool aligned, const int offset, const mluOpTensorDescriptor_t bbox1_desc, const void* bbox1, const mluOpTensorDescriptor_t bbox2_desc, const void* bbox2, const mluOpTensorDescriptor_t ious_desc, void* ious) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpBorderAlignBackward(self) -> _mluOpBorderAlignBackward:
        """mluOpBorderAlignBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t argmax_idx_desc, const void* argmax_idx, const int32_t pool_size, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpBorderAlignForward(self) -> _mluOpBorderAlignForward:
        """mluOpBorderAlignForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const int32_t pool_size, const mluOpTensorDescriptor_t output_desc, void* output, const mluOpTensorDescriptor_t argmax_idx_desc, void* argmax_idx) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpBoxIouRotated(self) -> _mluOpBoxIouRotated:
        """mluOpBoxIouRotated(mluOpHandle_t handle, const int mode, const bool aligned, const mluOpTensorDescriptor_t bbox1_desc, const void* bbox1, const mluOpTensorDescriptor_t bbox2_desc, const void* bbox2, const mluOpTensorDescriptor_t ious_desc, void* ious) -> mluOpStatus_t, since v0.4.2."""
    @property
    def mluOpCarafeBackward(self) -> _mluOpCarafeBackward:
        """mluOpCarafeBackward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t mask_desc, const void* mask, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input, const mluOpTensorDescriptor_t grad_mask_desc, void* grad_mask) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpCarafeForward(self) -> _mluOpCarafeForward:
        """mluOpCarafeForward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t mask_desc, const void* mask, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpCreate(self) -> _mluOpCreate:
        """mluOpCreate(mluOpHandle_t* handle) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpCreateAdamWDescriptor(self) -> _mluOpCreateAdamWDescriptor:
        """mluOpCreateAdamWDescriptor(mluOpAdamWDescriptor_t* adamw_desc) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpCreateCarafeDescriptor(self) -> _mluOpCreateCarafeDescriptor:
        """mluOpCreateCarafeDescriptor(mluOpCarafeDescriptor_t* carafe_desc) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpCreateDCNDescriptor(self) -> _mluOpCreateDCNDescriptor:
        """mluOpCreateDCNDescriptor(mluOpDCNDescriptor_t* dcn_desc) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpCreateFFTPlan(self) -> _mluOpCreateFFTPlan:
        """mluOpCreateFFTPlan(mluOpFFTPlan_t* fft_plan) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpCreateGroupTensorDescriptors(self) -> _mluOpCreateGroupTensorDescriptors:
        """mluOpCreateGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[], const int desc_num) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpCreateNmsDescriptor(self) -> _mluOpCreateNmsDescriptor:
        """mluOpCreateNmsDescriptor(mluOpNmsDescriptor_t* desc) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpCreateRoiAlignForwardDescriptor(self) -> _mluOpCreateRoiAlignForwardDescriptor:
        """mluOpCreateRoiAlignForwardDescriptor(mluOpRoiAlignForwardDescriptor_t* desc) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpCreateSeqDataDescriptor(self) -> _mluOpCreateSeqDataDescriptor:
        """mluOpCreateSeqDataDescriptor(mluOpSeqDataDescriptor_t* seq_data_desc) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpCreateSparseConvolutionDescriptor(self) -> _mluOpCreateSparseConvolutionDescriptor:
        """mluOpCreateSparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t* desc) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpCreateTensorDescriptor(self) -> _mluOpCreateTensorDescriptor:
        """mluOpCreateTensorDescriptor(mluOpTensorDescriptor_t* desc) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpCreateTensorSetDescriptor(self) -> _mluOpCreateTensorSetDescriptor:
        """mluOpCreateTensorSetDescriptor(mluOpTensorSetDescriptor_t* tensorSetDesc, const int setDimNb, const int setDimSize[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpDCNBackwardData(self) -> _mluOpDCNBackwardData:
        """mluOpDCNBackwardData(mluOpHandle_t handle, const mluOpDCNDescriptor_t dcn_desc, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t offset_desc, const void* offset, const mluOpTensorDescriptor_t mask_desc, const void* mask, const mluOpTensorDescriptor_t filter_desc, const void* filter, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input, const mluOpTensorDescriptor_t grad_offset_desc, void* grad_offset, const mluOpTensorDescriptor_t grad_mask_desc, void* grad_mask) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpDCNBackwardWeight(self) -> _mluOpDCNBackwardWeight:
        """mluOpDCNBackwardWeight(mluOpHandle_t handle, const mluOpDCNDescriptor_t dcn_desc, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t offset_desc, const void* offset, const mluOpTensorDescriptor_t mask_desc, const void* mask, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t grad_filter_desc, void* grad_filter, const mluOpTensorDescriptor_t grad_bias_desc, void* grad_bias) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpDCNForward(self) -> _mluOpDCNForward:
        """mluOpDCNForward(mluOpHandle_t handle, const mluOpDCNDescriptor_t dcn_desc, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t offset_desc, const void* offset, const mluOpTensorDescriptor_t mask_desc, const void* mask, const mluOpTensorDescriptor_t filter_desc, const void* filter, const mluOpTensorDescriptor_t bias_desc, const void* bias, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpDeformRoiPoolBackward(self) -> _mluOpDeformRoiPoolBackward:
        """mluOpDeformRoiPoolBackward(const mluOpHandle_t handle, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t offset_desc, const void* offset, const int pooled_height, const int pooled_width, const float spatial_scale, const int sampling_ratio, const float gamma, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input, const mluOpTensorDescriptor_t grad_offset_desc, void* grad_offset) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpDeformRoiPoolForward(self) -> _mluOpDeformRoiPoolForward:
        """mluOpDeformRoiPoolForward(const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t offset_desc, const void* offset, const int pooled_height, const int pooled_width, const float spatial_scale, const int sampling_ratio, const float gamma, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpDestroy(self) -> _mluOpDestroy:
        """mluOpDestroy(mluOpHandle_t handle) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpDestroyAdamWDescriptor(self) -> _mluOpDestroyAdamWDescriptor:
        """mluOpDestroyAdamWDescriptor(mluOpAdamWDescriptor_t adamw_desc) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpDestroyCarafeDescriptor(self) -> _mluOpDestroyCarafeDescriptor:
        """mluOpDestroyCarafeDescriptor(mluOpCarafeDescriptor_t carafe_desc) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpDestroyDCNDescriptor(self) -> _mluOpDestroyDCNDescriptor:
        """mluOpDestroyDCNDescriptor(mluOpDCNDescriptor_t dcn_desc) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpDestroyFFTPlan(self) -> _mluOpDestroyFFTPlan:
        """mluOpDestroyFFTPlan(mluOpFFTPlan_t fft_plan) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpDestroyGroupTensorDescriptors(self) -> _mluOpDestroyGroupTensorDescriptors:
        """mluOpDestroyGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[], const int desc_num) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpDestroyNmsDescriptor(self) -> _mluOpDestroyNmsDescriptor:
        """mluOpDestroyNmsDescriptor(mluOpNmsDescriptor_t desc) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpDestroyRoiAlignForwardDescriptor(self) -> _mluOpDestroyRoiAlignForwardDescriptor:
        """mluOpDestroyRoiAlignForwardDescriptor(mluOpRoiAlignForwardDescriptor_t desc) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpDestroySeqDataDescriptor(self) -> _mluOpDestroySeqDataDescriptor:
        """mluOpDestroySeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpDestroySparseConvolutionDescriptor(self) -> _mluOpDestroySparseConvolutionDescriptor:
        """mluOpDestroySparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t desc) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpDestroyTensorDescriptor(self) -> _mluOpDestroyTensorDescriptor:
        """mluOpDestroyTensorDescriptor(mluOpTensorDescriptor_t desc) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpDestroyTensorSetDescriptor(self) -> _mluOpDestroyTensorSetDescriptor:
        """mluOpDestroyTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpDiffIouRotatedSortVerticesForward(self) -> _mluOpDiffIouRotatedSortVerticesForward:
        """mluOpDiffIouRotatedSortVerticesForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t vertices_desc, const void* vertices, const mluOpTensorDescriptor_t mask_desc, const void* mask, const mluOpTensorDescriptor_t num_valid_desc, const void* num_valid, const mluOpTensorDescriptor_t idx_desc, void* idx) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpDiv(self) -> _mluOpDiv:
        """mluOpDiv(mluOpHandle_t handle, const mluOpComputationPreference_t prefer, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t y_desc, const void* y, const mluOpTensorDescriptor_t z_desc, void* z) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpDynamicPointToVoxelBackward(self) -> _mluOpDynamicPointToVoxelBackward:
        """mluOpDynamicPointToVoxelBackward(const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type, const mluOpTensorDescriptor_t grad_voxel_feats_desc, const void* grad_voxel_feats, const mluOpTensorDescriptor_t feats_desc, const void* feats, const mluOpTensorDescriptor_t voxel_feats_desc, const void* voxel_feats, const mluOpTensorDescriptor_t point2voxel_map_desc, const void* point2voxel_map, const mluOpTensorDescriptor_t voxel_points_count_desc, const void* voxel_points_count, const mluOpTensorDescriptor_t voxel_num_desc, const void* voxel_num, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t grad_feats_desc, void* grad_feats) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpDynamicPointToVoxelForward(self) -> _mluOpDynamicPointToVoxelForward:
        """mluOpDynamicPointToVoxelForward(const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type, const mluOpTensorDescriptor_t feats_desc, const void* feats, const mluOpTensorDescriptor_t coors_desc, void* coors, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t voxel_feats_desc, void* voxel_feats, const mluOpTensorDescriptor_t voxel_coors_desc, void* voxel_coors, const mluOpTensorDescriptor_t point2voxel_map_desc, void* point2voxel_map, const mluOpTensorDescriptor_t voxel_points_count_desc, void* voxel_points_count, const mluOpTensorDescriptor_t voxel_num_desc, void* voxel_num) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpExecFFT(self) -> _mluOpExecFFT:
        """mluOpExecFFT(mluOpHandle_t handle, const mluOpFFTPlan_t fft_plan, const void* input, const float scale_factor, void* workspace, void* output, int direction) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpFocalLossSigmoidBackward(self) -> _mluOpFocalLossSigmoidBackward:
        """mluOpFocalLossSigmoidBackward(mluOpHandle_t handle, const mluOpComputationPreference_t prefer, const mluOpLossReduction_t reduction, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t target_desc, const void* target, const mluOpTensorDescriptor_t weight_desc, const void* weight, const float alpha, const float gamma, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpFocalLossSigmoidForward(self) -> _mluOpFocalLossSigmoidForward:
        """mluOpFocalLossSigmoidForward(mluOpHandle_t handle, const mluOpComputationPreference_t prefer, const mluOpLossReduction_t reduction, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t target_desc, const void* target, const mluOpTensorDescriptor_t weight_desc, const void* weight, const float alpha, const float gamma, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGenerateProposalsV2(self) -> _mluOpGenerateProposalsV2:
        """mluOpGenerateProposalsV2(mluOpHandle_t handle, const int pre_nms_top_n, const int post_nms_top_n, const float nms_thresh, const float min_size, const float eta, bool pixel_offset, const mluOpTensorDescriptor_t scores_desc, const void* scores, const mluOpTensorDescriptor_t bbox_deltas_desc, const void* bbox_deltas, const mluOpTensorDescriptor_t im_shape_desc, const void* im_shape, const mluOpTensorDescriptor_t anchors_desc, const void* anchors, const mluOpTensorDescriptor_t variances_desc, const void* variances, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t rpn_rois_desc, void* rpn_rois, const mluOpTensorDescriptor_t rpn_roi_probs_desc, void* rpn_roi_probs, const mluOpTensorDescriptor_t rpn_rois_num_desc, void* rpn_rois_num, void* rpn_rois_batch_size) -> mluOpStatus_t, since v0.2."""
    @property
    def mluOpGetActiveRotatedFilterForwardWorkspaceSize(self) -> _mluOpGetActiveRotatedFilterForwardWorkspaceSize:
        """mluOpGetActiveRotatedFilterForwardWorkspaceSize(const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetAtomicsMode(self) -> _mluOpGetAtomicsMode:
        """mluOpGetAtomicsMode(mluOpHandle_t handle, mluOpAtomicsMode_t* atomics_mode) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetDCNBackwardWeightWorkspaceSize(self) -> _mluOpGetDCNBackwardWeightWorkspaceSize:
        """mluOpGetDCNBackwardWeightWorkspaceSize(mluOpHandle_t handle, const mluOpDCNDescriptor_t dcn_desc, const mluOpTensorDescriptor_t input_desc, const mluOpTensorDescriptor_t offset_desc, const mluOpTensorDescriptor_t mask_desc, const mluOpTensorDescriptor_t grad_output_desc, const mluOpTensorDescriptor_t grad_filter_desc, const mluOpTensorDescriptor_t grad_bias_desc, size_t* workspace_size) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetDCNBakcwardDataWorkspaceSize(self) -> _mluOpGetDCNBakcwardDataWorkspaceSize:
        """mluOpGetDCNBakcwardDataWorkspaceSize(mluOpHandle_t handle, const mluOpDCNDescriptor_t dcn_desc, const mluOpTensorDescriptor_t input_desc, const mluOpTensorDescriptor_t offset_desc, const mluOpTensorDescriptor_t mask_desc, const mluOpTensorDescriptor_t filter_desc, const mluOpTensorDescriptor_t grad_output_desc, const mluOpTensorDescriptor_t grad_input_desc, const mluOpTensorDescriptor_t grad_offset_desc, const mluOpTensorDescriptor_t grad_mask_desc, size_t* workspace_size) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetDCNForwardWorkspaceSize(self) -> _mluOpGetDCNForwardWorkspaceSize:
        """mluOpGetDCNForwardWorkspaceSize(mluOpHandle_t handle, const mluOpDCNDescriptor_t dcn_desc, const mluOpTensorDescriptor_t input_desc, const mluOpTensorDescriptor_t offset_desc, const mluOpTensorDescriptor_t mask_desc, const mluOpTensorDescriptor_t filter_desc, const mluOpTensorDescriptor_t bias_desc, const mluOpTensorDescriptor_t output_desc, size_t* workspace_size) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(self) -> _mluOpGetDynamicPointToVoxelBackwardWorkspaceSize:
        """mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type, const mluOpTensorDescriptor_t grad_voxel_feats_desc, const mluOpTensorDescriptor_t feats_desc, const mluOpTensorDescriptor_t voxel_feats_desc, const mluOpTensorDescriptor_t point2voxel_map_desc, const mluOpTensorDescriptor_t voxel_points_count_desc, const mluOpTensorDescriptor_t voxel_num_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGetDynamicPointToVoxelForwardWorkspaceSize(self) -> _mluOpGetDynamicPointToVoxelForwardWorkspaceSize:
        """mluOpGetDynamicPointToVoxelForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t feats_desc, const mluOpTensorDescriptor_t coors_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGetErrorString(self) -> _mluOpGetErrorString:
        """mluOpGetErrorString(mluOpStatus_t status) -> const char*, since v0.1."""
    @property
    def mluOpGetGenCaseDirectory(self) -> _mluOpGetGenCaseDirectory:
        """mluOpGetGenCaseDirectory(char* buffer, size_t bufferSize, size_t* pathLen, mluOpStatus_t* status) -> const char*, since v1.6.0."""
    @property
    def mluOpGetGenerateProposalsV2WorkspaceSize(self) -> _mluOpGetGenerateProposalsV2WorkspaceSize:
        """mluOpGetGenerateProposalsV2WorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t scores_desc, size_t* size) -> mluOpStatus_t, since v0.2."""
    @property
    def mluOpGetGenerateProposalsV2WorkspaceSize_v2(self) -> _mluOpGetGenerateProposalsV2WorkspaceSize_v2:
        """mluOpGetGenerateProposalsV2WorkspaceSize_v2(mluOpHandle_t handle, const mluOpTensorDescriptor_t scores_desc, const int32_t pre_nms_top_n, size_t* size) -> mluOpStatus_t, since v1.3.0."""
    @property
    def mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(self) -> _mluOpGetIndiceConvolutionBackwardDataWorkspaceSize:
        """mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t filters_desc, const mluOpTensorDescriptor_t indice_pairs_desc, const mluOpTensorDescriptor_t input_grad_desc, const int64_t indice_num[], const int64_t inverse, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(self) -> _mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize:
        """mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t indice_pairs_desc, const mluOpTensorDescriptor_t filters_grad_desc, const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetIndiceConvolutionForwardWorkspaceSize(self) -> _mluOpGetIndiceConvolutionForwardWorkspaceSize:
        """mluOpGetIndiceConvolutionForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const mluOpTensorDescriptor_t filters_desc, const mluOpTensorDescriptor_t indice_pairs_desc, const mluOpTensorDescriptor_t features_out_desc, const int64_t indice_num[], const int64_t num_act_out, const int64_t inverse, const int64_t sub_m, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetIndicePairs(self) -> _mluOpGetIndicePairs:
        """mluOpGetIndicePairs(mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc, const mluOpTensorDescriptor_t indices_desc, const void* indices, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t indice_pairs_desc, void* indice_pairs, const mluOpTensorDescriptor_t out_indices_desc, void* out_indices, const mluOpTensorDescriptor_t indice_num_desc, void* indice_num) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetIndicePairsWorkspaceSize(self) -> _mluOpGetIndicePairsWorkspaceSize:
        """mluOpGetIndicePairsWorkspaceSize(mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc, const mluOpTensorDescriptor_t indices_desc, const mluOpTensorDescriptor_t indice_pairs_desc, const mluOpTensorDescriptor_t out_indices_desc, const mluOpTensorDescriptor_t indice_num_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetLibVersion(self) -> _mluOpGetLibVersion:
        """mluOpGetLibVersion(int* major, int* minor, int* patch) -> void, since v0.1."""
    @property
    def mluOpGetMaskedCol2imForwardWorkspaceSize(self) -> _mluOpGetMaskedCol2imForwardWorkspaceSize:
        """mluOpGetMaskedCol2imForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t col_desc, const mluOpTensorDescriptor_t mask_h_idx_desc, const mluOpTensorDescriptor_t mask_w_idx_desc, const mluOpTensorDescriptor_t im_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpGetMaskedIm2colForwardWorkspaceSize(self) -> _mluOpGetMaskedIm2colForwardWorkspaceSize:
        """mluOpGetMaskedIm2colForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t feature_desc, const mluOpTensorDescriptor_t mask_h_idx_desc, const mluOpTensorDescriptor_t mask_w_idx_desc, const int kernel_h, const int kernel_w, const mluOpTensorDescriptor_t data_col_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpGetMoeDispatchBackwardGateWorkspaceSize(self) -> _mluOpGetMoeDispatchBackwardGateWorkspaceSize:
        """mluOpGetMoeDispatchBackwardGateWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.5.302."""
    @property
    def mluOpGetMutualInformationBackwardWorkspaceSize(self) -> _mluOpGetMutualInformationBackwardWorkspaceSize:
        """mluOpGetMutualInformationBackwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t px_desc, const mluOpTensorDescriptor_t py_desc, const mluOpTensorDescriptor_t opt_boundary_desc, const mluOpTensorDescriptor_t p_desc, const mluOpTensorDescriptor_t ans_grad_desc, const bool overwrite_ans_grad, size_t* workspace_size) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGetMutualInformationForwardWorkspaceSize(self) -> _mluOpGetMutualInformationForwardWorkspaceSize:
        """mluOpGetMutualInformationForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t px_desc, const mluOpTensorDescriptor_t py_desc, const mluOpTensorDescriptor_t opt_boundary_desc, const mluOpTensorDescriptor_t p_desc, const mluOpTensorDescriptor_t ans_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGetNmsRotatedWorkspaceSize(self) -> _mluOpGetNmsRotatedWorkspaceSize:
        """mluOpGetNmsRotatedWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.4.2."""
    @property
    def mluOpGetNmsWorkspaceSize(self) -> _mluOpGetNmsWorkspaceSize:
        """mluOpGetNmsWorkspaceSize(mluOpHandle_t handle, mluOpNmsDescriptor_t nms_desc, const mluOpTensorDescriptor_t boxes_desc, const mluOpTensorDescriptor_t confidence_desc, size_t* size) -> mluOpStatus_t, since v1.6.0."""
    @property
    def mluOpGetPolyNmsWorkspaceSize(self) -> _mluOpGetPolyNmsWorkspaceSize:
        """mluOpGetPolyNmsWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_desc, size_t* size) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetQuantizeRoundMode(self) -> _mluOpGetQuantizeRoundMode:
        """mluOpGetQuantizeRoundMode(mluOpHandle_t handle, mluOpQuantizeRoundMode_t* round_mode) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetQueue(self) -> _mluOpGetQueue:
        """mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t* queue) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetRoiAwarePool3dForwardWorkspaceSize(self) -> _mluOpGetRoiAwarePool3dForwardWorkspaceSize:
        """mluOpGetRoiAwarePool3dForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t rois_desc, const mluOpTensorDescriptor_t pts_desc, const mluOpTensorDescriptor_t pts_feature_desc, size_t* workspace_size) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetRoiawarePool3dForwardWorkspaceSize(self) -> _mluOpGetRoiawarePool3dForwardWorkspaceSize:
        """mluOpGetRoiawarePool3dForwardWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t rois_desc, const mluOpTensorDescriptor_t pts_desc, const mluOpTensorDescriptor_t pts_feature_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetRoiPointPool3dWorkspaceSize(self) -> _mluOpGetRoiPointPool3dWorkspaceSize:
        """mluOpGetRoiPointPool3dWorkspaceSize(mluOpHandle_t handle, const int batch_size, const int pts_num, const int boxes_num, const int feature_in_len, const int sampled_pts_num, const mluOpTensorDescriptor_t points_desc, const mluOpTensorDescriptor_t point_features_desc, const mluOpTensorDescriptor_t boxes3d_desc, const mluOpTensorDescriptor_t pooled_features_desc, const mluOpTensorDescriptor_t pooled_empty_flag_desc, size_t* size) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpGetSeqDataDescriptor_v2(self) -> _mluOpGetSeqDataDescriptor_v2:
        """mluOpGetSeqDataDescriptor_v2(const mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t* layout, mluOpDataType_t* dtype, int* dimNb, int64_t dimSize[], int64_t* seqLengthArraySize, int64_t seqLengthArray[], void* paddingFill) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetSizeOfDataType(self) -> _mluOpGetSizeOfDataType:
        """mluOpGetSizeOfDataType(mluOpDataType_t data_type, size_t* size) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetSparseConvolutionNumActOut(self) -> _mluOpGetSparseConvolutionNumActOut:
        """mluOpGetSparseConvolutionNumActOut(mluOpSparseConvolutionDescriptor_t desc, int* num_act_out) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetSyncBatchNormBackwardReduceWorkspaceSize(self) -> _mluOpGetSyncBatchNormBackwardReduceWorkspaceSize:
        """mluOpGetSyncBatchNormBackwardReduceWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, size_t* workspace_size) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetSyncBatchnormBackwardReduceWorkspaceSize(self) -> _mluOpGetSyncBatchnormBackwardReduceWorkspaceSize:
        """mluOpGetSyncBatchnormBackwardReduceWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpGetSyncBatchNormStatsWorkspaceSize(self) -> _mluOpGetSyncBatchNormStatsWorkspaceSize:
        """mluOpGetSyncBatchNormStatsWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpGetTensorAndDataFromTensorSet(self) -> _mluOpGetTensorAndDataFromTensorSet:
        """mluOpGetTensorAndDataFromTensorSet(mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[], void* data, mluOpTensorDescriptor_t* tensorDesc, void** dataAddrInDevice) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorDescriptor(self) -> _mluOpGetTensorDescriptor:
        """mluOpGetTensorDescriptor(const mluOpTensorDescriptor_t desc, mluOpTensorLayout_t* layout, mluOpDataType_t* dtype, int* dimNb, int dimSize[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorDescriptor_v2(self) -> _mluOpGetTensorDescriptor_v2:
        """mluOpGetTensorDescriptor_v2(const mluOpTensorDescriptor_t desc, mluOpTensorLayout_t* layout, mluOpDataType_t* dtype, int* dimNb, int64_t dimSize[]) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGetTensorDescriptorEx(self) -> _mluOpGetTensorDescriptorEx:
        """mluOpGetTensorDescriptorEx(const mluOpTensorDescriptor_t desc, mluOpTensorLayout_t* layout, mluOpDataType_t* dtype, int* dimNb, int dimSize[], int dimStride[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorDescriptorEx_v2(self) -> _mluOpGetTensorDescriptorEx_v2:
        """mluOpGetTensorDescriptorEx_v2(const mluOpTensorDescriptor_t desc, mluOpTensorLayout_t* layout, mluOpDataType_t* dtype, int* dimNb, int64_t dimSize[], int64_t dimStride[]) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpGetTensorDescriptorOnchipDataType(self) -> _mluOpGetTensorDescriptorOnchipDataType:
        """mluOpGetTensorDescriptorOnchipDataType(const mluOpTensorDescriptor_t desc, mluOpDataType_t* onchip_dtype) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorDescriptorPointerMode(self) -> _mluOpGetTensorDescriptorPointerMode:
        """mluOpGetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc, mluOpPointerMode_t* pointer_mode) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpGetTensorDescriptorPosition(self) -> _mluOpGetTensorDescriptorPosition:
        """mluOpGetTensorDescriptorPosition(const mluOpTensorDescriptor_t desc, int* position) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorDescriptorPositionAndScale(self) -> _mluOpGetTensorDescriptorPositionAndScale:
        """mluOpGetTensorDescriptorPositionAndScale(const mluOpTensorDescriptor_t desc, int* position, float* scale) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorDescriptorPositionScaleAndOffset(self) -> _mluOpGetTensorDescriptorPositionScaleAndOffset:
        """mluOpGetTensorDescriptorPositionScaleAndOffset(const mluOpTensorDescriptor_t desc, int* position, float* scale, int* offset) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorElementNum(self) -> _mluOpGetTensorElementNum:
        """mluOpGetTensorElementNum(const mluOpTensorDescriptor_t desc) -> size_t, since v0.1."""
    @property
    def mluOpGetTensorSetDescriptor(self) -> _mluOpGetTensorSetDescriptor:
        """mluOpGetTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc, int* setDimNb, int setDimSize[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetTensorSetDescriptorSize(self) -> _mluOpGetTensorSetDescriptorSize:
        """mluOpGetTensorSetDescriptorSize(mluOpTensorSetDescriptor_t tensorSetDesc, int* sizeInBytes) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpGetThreeNNForwardWorkspaceSize(self) -> _mluOpGetThreeNNForwardWorkspaceSize:
        """mluOpGetThreeNNForwardWorkspaceSize(const mluOpHandle_t handle, const mluOpTensorDescriptor_t known_desc, size_t* workspace_size) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpGetVoxelizationWorkspaceSize(self) -> _mluOpGetVoxelizationWorkspaceSize:
        """mluOpGetVoxelizationWorkspaceSize(mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const mluOpTensorDescriptor_t voxel_size_desc, const mluOpTensorDescriptor_t coors_range_desc, const int32_t max_points, const int32_t max_voxels, const int32_t NDim, const bool deterministic, const mluOpTensorDescriptor_t voxels_desc, const mluOpTensorDescriptor_t coors_desc, const mluOpTensorDescriptor_t num_points_per_voxel_desc, const mluOpTensorDescriptor_t voxel_num_desc, size_t* size) -> mluOpStatus_t, since v0.4.0."""
    @property
    def mluOpIndiceConvolutionBackwardData(self) -> _mluOpIndiceConvolutionBackwardData:
        """mluOpIndiceConvolutionBackwardData(mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad, const mluOpTensorDescriptor_t filters_desc, const void* filters, const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs, const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t input_grad_desc, void* input_grad) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpIndiceConvolutionBackwardFilter(self) -> _mluOpIndiceConvolutionBackwardFilter:
        """mluOpIndiceConvolutionBackwardFilter(mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad, const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs, const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t filters_grad_desc, void* filters_grad) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpIndiceConvolutionForward(self) -> _mluOpIndiceConvolutionForward:
        """mluOpIndiceConvolutionForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features, const mluOpTensorDescriptor_t filters_desc, const void* filters, const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs, const int64_t indice_num[], const int64_t num_act_out, const int64_t inverse, const int64_t sub_m, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t features_out_desc, void* features_out) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpInitTensorSetMemberDescriptor(self) -> _mluOpInitTensorSetMemberDescriptor:
        """mluOpInitTensorSetMemberDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[], mluOpTensorLayout_t layout, mluOpDataType_t dtype, const int dimNb, const int dimSize[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpInitTensorSetMemberDescriptorPositionAndScale(self) -> _mluOpInitTensorSetMemberDescriptorPositionAndScale:
        """mluOpInitTensorSetMemberDescriptorPositionAndScale(mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[], const int position, const float scale) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpLgamma(self) -> _mluOpLgamma:
        """mluOpLgamma(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t y_desc, void* y) -> mluOpStatus_t, since v1.4.0."""
    @property
    def mluOpLog(self) -> _mluOpLog:
        """mluOpLog(mluOpHandle_t handle, const mluOpComputationPreference_t prefer, const mluOpLogBase_t base, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t y_desc, void* y) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpLogspace(self) -> _mluOpLogspace:
        """mluOpLogspace(mluOpHandle_t handle, const float start, const float end, const int64_t steps, const float base, const mluOpTensorDescriptor_t res_desc, void* res) -> mluOpStatus_t, since v1.4.0."""
    @property
    def mluOpMakeFFTPlanMany(self) -> _mluOpMakeFFTPlanMany:
        """mluOpMakeFFTPlanMany(mluOpHandle_t handle, mluOpFFTPlan_t fft_plan, const mluOpTensorDescriptor_t input_desc, const mluOpTensorDescriptor_t output_desc, const int rank, const int n[], size_t* reservespace_size, size_t* workspace_size) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpMaskedCol2imForward(self) -> _mluOpMaskedCol2imForward:
        """mluOpMaskedCol2imForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t col_desc, const void* col, const mluOpTensorDescriptor_t mask_h_idx_desc, const void* mask_h_idx, const mluOpTensorDescriptor_t mask_w_idx_desc, const void* mask_w_idx, const size_t workspace_size, void* workspace, const mluOpTensorDescriptor_t im_desc, void* im) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpMaskedIm2colForward(self) -> _mluOpMaskedIm2colForward:
        """mluOpMaskedIm2colForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t feature_desc, const void* feature, const mluOpTensorDescriptor_t mask_h_idx_desc, const void* mask_h_idx, const mluOpTensorDescriptor_t mask_w_idx_desc, const void* mask_w_idx, const int kernel_h, const int kernel_w, const int pad_h, const int pad_w, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t data_col_desc, void* data_col) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpMoeDispatchBackwardData(self) -> _mluOpMoeDispatchBackwardData:
        """mluOpMoeDispatchBackwardData(mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void* gates, const mluOpTensorDescriptor_t indices_desc, const void* indices, const mluOpTensorDescriptor_t locations_desc, const void* locations, const mluOpTensorDescriptor_t dispatch_desc, const void* dispatch, const int samples, const int capacity, const int hidden, const int num_experts, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input) -> mluOpStatus_t, since v0.5.302."""
    @property
    def mluOpMoeDispatchBackwardGate(self) -> _mluOpMoeDispatchBackwardGate:
        """mluOpMoeDispatchBackwardGate(mluOpHandle_t handle, const mluOpTensorDescriptor_t indices_desc, const void* indices, const mluOpTensorDescriptor_t locations_desc, const void* locations, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t dispatch_desc, const void* dispatch, const int samples, const int capacity, const int hidden, const int num_experts, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t grad_gates_desc, void* grad_gates) -> mluOpStatus_t, since v0.5.302."""
    @property
    def mluOpMoeDispatchForward(self) -> _mluOpMoeDispatchForward:
        """mluOpMoeDispatchForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void* gates, const mluOpTensorDescriptor_t indices_desc, const void* indices, const mluOpTensorDescriptor_t locations_desc, const void* locations, const mluOpTensorDescriptor_t input_desc, const void* input, const int samples, const int capacity, const int hidden, const int num_experts, const mluOpTensorDescriptor_t dispatch_desc, void* dispatch) -> mluOpStatus_t, since v0.5.302."""
    @property
    def mluOpMsDeformAttnBackward(self) -> _mluOpMsDeformAttnBackward:
        """mluOpMsDeformAttnBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t value_desc, const void* value, const mluOpTensorDescriptor_t spatial_shapes_desc, const void* spatial_shapes, const mluOpTensorDescriptor_t level_start_index_desc, const void* level_start_index, const mluOpTensorDescriptor_t sampling_loc_desc, const void* sampling_loc, const mluOpTensorDescriptor_t attn_weight_desc, const void* attn_weight, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const int32_t im2col_step, const mluOpTensorDescriptor_t grad_value_desc, void* grad_value, const mluOpTensorDescriptor_t grad_sampling_loc_desc, void* grad_sampling_loc, const mluOpTensorDescriptor_t grad_attn_weight_desc, void* grad_attn_weight) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpMsDeformAttnForward(self) -> _mluOpMsDeformAttnForward:
        """mluOpMsDeformAttnForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t data_value_desc, const void* data_value, const mluOpTensorDescriptor_t data_spatial_shapes_desc, const void* data_spatial_shapes, const mluOpTensorDescriptor_t data_level_start_index_desc, const void* data_level_start_index, const mluOpTensorDescriptor_t data_sampling_loc_desc, const void* data_sampling_loc, const mluOpTensorDescriptor_t data_attn_weight_desc, const void* data_attn_weight, const int im2col_step, const mluOpTensorDescriptor_t data_col_desc, void* data_col) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpMutualInformationBackward(self) -> _mluOpMutualInformationBackward:
        """mluOpMutualInformationBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t px_desc, const void* px, const mluOpTensorDescriptor_t py_desc, const void* py, const mluOpTensorDescriptor_t opt_boundary_desc, const void* opt_boundary, const mluOpTensorDescriptor_t p_desc, const void* p, const mluOpTensorDescriptor_t ans_grad_desc, void* ans_grad, const bool overwrite_ans_grad, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t px_grad_desc, void* px_grad, const mluOpTensorDescriptor_t py_grad_desc, void* py_grad) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpMutualInformationForward(self) -> _mluOpMutualInformationForward:
        """mluOpMutualInformationForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t px_desc, const void* px, const mluOpTensorDescriptor_t py_desc, const void* py, const mluOpTensorDescriptor_t opt_boundary_desc, const void* opt_boundary, const mluOpTensorDescriptor_t p_desc, void* p, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t ans_desc, void* ans) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpNms(self) -> _mluOpNms:
        """mluOpNms(mluOpHandle_t handle, const mluOpNmsDescriptor_t nms_desc, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t confidence_desc, const void* confidence, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output, void* output_size) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpNmsRotated(self) -> _mluOpNmsRotated:
        """mluOpNmsRotated(mluOpHandle_t handle, const float iou_threshold, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t scores_desc, const void* scores, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output, int32_t* result_num) -> mluOpStatus_t, since v0.4.2."""
    @property
    def mluOpPointsInBoxes(self) -> _mluOpPointsInBoxes:
        """mluOpPointsInBoxes(mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t points_indices_desc, void* points_indices) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpPolyNms(self) -> _mluOpPolyNms:
        """mluOpPolyNms(mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const float iou_threshold, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output, void* output_size) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpPriorBox(self) -> _mluOpPriorBox:
        """mluOpPriorBox(mluOpHandle_t handle, const mluOpTensorDescriptor_t min_sizes_desc, const void* min_sizes, const mluOpTensorDescriptor_t aspect_ratios_desc, const void* aspect_ratios, const mluOpTensorDescriptor_t variances_desc, const void* variances, const mluOpTensorDescriptor_t max_sizes_desc, const void* max_sizes, const int height, const int width, const int im_height, const int im_width, const float step_h, const float step_w, const float offset, const bool clip, const bool min_max_aspect_ratios_order, const mluOpTensorDescriptor_t output_desc, void* output, const mluOpTensorDescriptor_t var_desc, void* var) -> mluOpStatus_t, since v0.2."""
    @property
    def mluOpPsamaskBackward(self) -> _mluOpPsamaskBackward:
        """mluOpPsamaskBackward(mluOpHandle_t handle, const int psa_type, const mluOpTensorDescriptor_t dy_desc, const void* dy, const int h_mask, const int w_mask, const mluOpTensorDescriptor_t dx_desc, void* dx) -> mluOpStatus_t, since v0.4.0."""
    @property
    def mluOpPsamaskForward(self) -> _mluOpPsamaskForward:
        """mluOpPsamaskForward(mluOpHandle_t handle, const int psa_type, const mluOpTensorDescriptor_t x_desc, const void* x, const int h_mask, const int w_mask, const mluOpTensorDescriptor_t y_desc, void* y) -> mluOpStatus_t, since v0.4.0."""
    @property
    def mluOpPsRoiPoolBackward(self) -> _mluOpPsRoiPoolBackward:
        """mluOpPsRoiPoolBackward(mluOpHandle_t handle, const int pooled_height, const int pooled_width, const float spatial_scale, const int output_dim, const mluOpTensorDescriptor_t top_grad_desc, const void* top_grad, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t mapping_channel_desc, const void* mapping_channel, const mluOpTensorDescriptor_t bottom_grad_desc, void* bottom_grad) -> mluOpStatus_t, since v0.1.1."""
    @property
    def mluOpPsRoiPoolForward(self) -> _mluOpPsRoiPoolForward:
        """mluOpPsRoiPoolForward(mluOpHandle_t handle, const int pooled_height, const int pooled_width, const float spatial_scale, const int group_size, const int output_dim, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t output_desc, void* output, const mluOpTensorDescriptor_t mapping_channel_desc, void* mapping_channel) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpResetTensorDescriptor(self) -> _mluOpResetTensorDescriptor:
        """mluOpResetTensorDescriptor(mluOpTensorDescriptor_t desc) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpRoiAlignBackward(self) -> _mluOpRoiAlignBackward:
        """mluOpRoiAlignBackward(mluOpHandle_t handle, const float spatial_scale, const int sampling_ratio, const bool aligned, const mluOpTensorDescriptor_t grads_desc, const void* grads, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t grads_image_desc, void* grads_image) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpRoiAlignBackward_v2(self) -> _mluOpRoiAlignBackward_v2:
        """mluOpRoiAlignBackward_v2(mluOpHandle_t handle, const mluOpTensorDescriptor_t grads_desc, const void* grads, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t argmax_x_desc, const void* argmax_x, const mluOpTensorDescriptor_t argmax_y_desc, const void* argmax_y, const float spatial_scale, const int sampling_ratio, const bool aligned, const int pool_mode, const mluOpTensorDescriptor_t grads_image_desc, void* grads_image) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpRoiAlignForward_v2(self) -> _mluOpRoiAlignForward_v2:
        """mluOpRoiAlignForward_v2(mluOpHandle_t handle, const mluOpRoiAlignForwardDescriptor_t roialign_desc, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const mluOpTensorDescriptor_t output_desc, void* output, const mluOpTensorDescriptor_t argmax_x_desc, void* argmax_x, const mluOpTensorDescriptor_t argmax_y_desc, void* argmax_y) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpRoiAlignRotatedBackward(self) -> _mluOpRoiAlignRotatedBackward:
        """mluOpRoiAlignRotatedBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t top_grad_desc, const void* top_grad, const mluOpTensorDescriptor_t rois_desc, const void* rois, const int pooled_height, const int pooled_width, const int sample_ratio, const float spatial_scale, const bool aligned, const bool clockwise, const mluOpTensorDescriptor_t bottom_grad_desc, void* bottom_grad) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpRoiAlignRotatedForward(self) -> _mluOpRoiAlignRotatedForward:
        """mluOpRoiAlignRotatedForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features, const mluOpTensorDescriptor_t rois_desc, const void* rois, const int pooled_height, const int pooled_width, const int sample_ratio, const float spatial_scale, const bool aligned, const bool clockwise, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpRoiAwarePool3dBackward(self) -> _mluOpRoiAwarePool3dBackward:
        """mluOpRoiAwarePool3dBackward(mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x, const int out_y, const int out_z, const int channels, const int max_pts_each_voxel, const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels, const mluOpTensorDescriptor_t argmax_desc, const void* argmax, const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out, const mluOpTensorDescriptor_t grad_in_desc, void* grad_in) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpRoiawarePool3dBackward(self) -> _mluOpRoiawarePool3dBackward:
        """mluOpRoiawarePool3dBackward(mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x, const int out_y, const int out_z, const int channels, const int max_pts_each_voxel, const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels, const mluOpTensorDescriptor_t argmax_desc, const void* argmax, const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out, const mluOpTensorDescriptor_t grad_in_desc, void* grad_in) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpRoiAwarePool3dForward(self) -> _mluOpRoiAwarePool3dForward:
        """mluOpRoiAwarePool3dForward(mluOpHandle_t handle, const int pool_method, const int boxes_num, const int pts_num, const int channels, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t pts_desc, const void* pts, const mluOpTensorDescriptor_t pts_feature_desc, const void* pts_feature, void* workspace, size_t workspace_size, const int max_pts_each_voxel, const int out_x, const int out_y, const int out_z, const mluOpTensorDescriptor_t argmax_desc, void* argmax, const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, void* pts_idx_of_voxels, const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpRoiawarePool3dForward(self) -> _mluOpRoiawarePool3dForward:
        """mluOpRoiawarePool3dForward(mluOpHandle_t handle, const int pool_method, const int boxes_num, const int pts_num, const int channels, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t pts_desc, const void* pts, const mluOpTensorDescriptor_t pts_feature_desc, const void* pts_feature, void* workspace, size_t workspace_size, const int max_pts_each_voxel, const int out_x, const int out_y, const int out_z, const mluOpTensorDescriptor_t argmax_desc, void* argmax, const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, void* pts_idx_of_voxels, const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpRoiCropBackward(self) -> _mluOpRoiCropBackward:
        """mluOpRoiCropBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const mluOpTensorDescriptor_t grid_desc, const void* grid, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpRoiCropForward(self) -> _mluOpRoiCropForward:
        """mluOpRoiCropForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t grid_desc, const void* grid, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpRoiPointPool3d(self) -> _mluOpRoiPointPool3d:
        """mluOpRoiPointPool3d(mluOpHandle_t handle, const int batch_size, const int pts_num, const int boxes_num, const int feature_in_len, const int sampled_pts_num, const mluOpTensorDescriptor_t points_desc, const void* points, const mluOpTensorDescriptor_t point_features_desc, const void* point_features, const mluOpTensorDescriptor_t boxes3d_desc, const void* boxes3d, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features, const mluOpTensorDescriptor_t pooled_empty_flag_desc, void* pooled_empty_flag) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpRoiPoolingBackward(self) -> _mluOpRoiPoolingBackward:
        """mluOpRoiPoolingBackward(mluOpHandle_t handle, mluOpPoolingMode_t pooling_mode, const mluOpTensorDescriptor_t grads_desc, const void* grads, const mluOpTensorDescriptor_t rois_desc, const void* rois, const mluOpTensorDescriptor_t argmax_desc, const int* argmax, const float spatial_scale, const mluOpTensorDescriptor_t grads_image_desc, void* grads_image) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpRoiPoolingForward(self) -> _mluOpRoiPoolingForward:
        """mluOpRoiPoolingForward(mluOpHandle_t handle, mluOpPoolingMode_t pooling_mode, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t rois_desc, const void* rois, float spatial_scale, const mluOpTensorDescriptor_t output_desc, void* output, int* argmax) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpRotatedFeatureAlignBackward(self) -> _mluOpRotatedFeatureAlignBackward:
        """mluOpRotatedFeatureAlignBackward(const mluOpHandle_t handle, const mluOpTensorDescriptor_t top_output_desc, const void* top_output, const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, const float spatial_scale, const int points, const mluOpTensorDescriptor_t bottom_input_desc, void* bottom_input) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpRotatedFeatureAlignForward(self) -> _mluOpRotatedFeatureAlignForward:
        """mluOpRotatedFeatureAlignForward(const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, const float spatial_scale, const int points, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpSetAdamWDescAttr(self) -> _mluOpSetAdamWDescAttr:
        """mluOpSetAdamWDescAttr(mluOpAdamWDescriptor_t adamw_desc, mluOpAdamWDescAttribute_t attr, const void* buf, const size_t size_in_bytes) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpSetAtomicsMode(self) -> _mluOpSetAtomicsMode:
        """mluOpSetAtomicsMode(mluOpHandle_t handle, mluOpAtomicsMode_t atomics_mode) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpSetCarafeDescriptor(self) -> _mluOpSetCarafeDescriptor:
        """mluOpSetCarafeDescriptor(mluOpCarafeDescriptor_t carafe_desc, const int dimNb, const int kernel_size, const int group_size, const int scale_factor) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpSetDCNDescriptor(self) -> _mluOpSetDCNDescriptor:
        """mluOpSetDCNDescriptor(mluOpDCNDescriptor_t dcn_desc, int dimNb, const int pad[], const int stride[], const int dilation[], int deformable_group, int conv_group, int im2col_step, const mluOpDataType_t compute_type) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpSetFFTReserveArea(self) -> _mluOpSetFFTReserveArea:
        """mluOpSetFFTReserveArea(mluOpHandle_t handle, mluOpFFTPlan_t fft_plan, void* reservespace) -> mluOpStatus_t, since v1.1.0."""
    @property
    def mluOpSetGenCaseDirectory(self) -> _mluOpSetGenCaseDirectory:
        """mluOpSetGenCaseDirectory(const char* path) -> mluOpStatus_t, since v1.6.0."""
    @property
    def mluOpSetGenCaseMode(self) -> _mluOpSetGenCaseMode:
        """mluOpSetGenCaseMode(int mode) -> void, since v0.10.0."""
    @property
    def mluOpSetGroupTensorDescriptors(self) -> _mluOpSetGroupTensorDescriptors:
        """mluOpSetGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[], const mluOpTensorLayout_t group_layout[], const mluOpDataType_t group_dtype[], const int group_dimNb[], const int group_dimSize[], const int desc_num) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetNmsDescriptor(self) -> _mluOpSetNmsDescriptor:
        """mluOpSetNmsDescriptor(mluOpNmsDescriptor_t nms_desc, const mluOpNmsBoxPointMode_t box_mode, const mluOpNmsOutputMode_t output_mode, const mluOpNmsAlgo_t algo, const mluOpNmsMethodMode_t method_mode, const float iou_threshold, const float soft_nms_sigma, const int max_output_size, const float confidence_threshold, const float offset, const int input_layout, const bool pad_to_max_output_size) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpSetQuantizeRoundMode(self) -> _mluOpSetQuantizeRoundMode:
        """mluOpSetQuantizeRoundMode(mluOpHandle_t handle, mluOpQuantizeRoundMode_t round_mode) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetQueue(self) -> _mluOpSetQueue:
        """mluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetRoiAlignForwardDescriptor_v2(self) -> _mluOpSetRoiAlignForwardDescriptor_v2:
        """mluOpSetRoiAlignForwardDescriptor_v2(mluOpRoiAlignForwardDescriptor_t roialign_desc, const int pooled_height, const int pooled_width, const int sampling_ratio, const float spatial_scale, const int pool_mode, const bool aligned) -> mluOpStatus_t, since v0.6.0."""
    @property
    def mluOpSetSeqDataDescriptor_v2(self) -> _mluOpSetSeqDataDescriptor_v2:
        """mluOpSetSeqDataDescriptor_v2(mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t layout, mluOpDataType_t dtype, int dimNb, const int64_t dimSize[], int seqLengthArraySize, const int seqLengthArray[], void* paddingFill) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpSetSeqDataDescriptorPositionAndScale(self) -> _mluOpSetSeqDataDescriptorPositionAndScale:
        """mluOpSetSeqDataDescriptorPositionAndScale(mluOpSeqDataDescriptor_t seq_data_desc, int position, float scale) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpSetSparseConvolutionDescriptor(self) -> _mluOpSetSparseConvolutionDescriptor:
        """mluOpSetSparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t desc, int dimNb, int batch_size, const int pad[], const int stride[], const int dilation[], const int input_space[], const int filter_space[], const int output_space[], const int sub_m, const int transpose, const int inverse) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpSetTensorDescriptor(self) -> _mluOpSetTensorDescriptor:
        """mluOpSetTensorDescriptor(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb, const int dimSize[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetTensorDescriptor_v2(self) -> _mluOpSetTensorDescriptor_v2:
        """mluOpSetTensorDescriptor_v2(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb, const int64_t dimSize[]) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpSetTensorDescriptorDim(self) -> _mluOpSetTensorDescriptorDim:
        """mluOpSetTensorDescriptorDim(mluOpTensorDescriptor_t desc, int dimNb, const int* dimSize) -> mluOpStatus_t, since v0.2."""
    @property
    def mluOpSetTensorDescriptorDim_v2(self) -> _mluOpSetTensorDescriptorDim_v2:
        """mluOpSetTensorDescriptorDim_v2(mluOpTensorDescriptor_t desc, int dimNb, const int64_t* dimSize) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpSetTensorDescriptorEx(self) -> _mluOpSetTensorDescriptorEx:
        """mluOpSetTensorDescriptorEx(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb, const int dimSize[], const int dimStride[]) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetTensorDescriptorEx_v2(self) -> _mluOpSetTensorDescriptorEx_v2:
        """mluOpSetTensorDescriptorEx_v2(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb, const int64_t dimSize[], const int64_t dimStride[]) -> mluOpStatus_t, since v0.7.0."""
    @property
    def mluOpSetTensorDescriptorOnchipDataType(self) -> _mluOpSetTensorDescriptorOnchipDataType:
        """mluOpSetTensorDescriptorOnchipDataType(mluOpTensorDescriptor_t desc, mluOpDataType_t onchip_dtype) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetTensorDescriptorPointerMode(self) -> _mluOpSetTensorDescriptorPointerMode:
        """mluOpSetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc, mluOpPointerMode_t pointer_mode) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpSetTensorDescriptorPosition(self) -> _mluOpSetTensorDescriptorPosition:
        """mluOpSetTensorDescriptorPosition(mluOpTensorDescriptor_t desc, int position) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetTensorDescriptorPositionAndScale(self) -> _mluOpSetTensorDescriptorPositionAndScale:
        """mluOpSetTensorDescriptorPositionAndScale(mluOpTensorDescriptor_t desc, int position, float scale) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSetTensorDescriptorPositionScaleAndOffset(self) -> _mluOpSetTensorDescriptorPositionScaleAndOffset:
        """mluOpSetTensorDescriptorPositionScaleAndOffset(mluOpTensorDescriptor_t desc, int position, float scale, int offset) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSqrt(self) -> _mluOpSqrt:
        """mluOpSqrt(mluOpHandle_t handle, const mluOpComputationPreference_t prefer, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t y_desc, void* y) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSqrtBackward(self) -> _mluOpSqrtBackward:
        """mluOpSqrtBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t y_desc, const void* y, const mluOpTensorDescriptor_t dy_desc, const void* diff_y, const mluOpTensorDescriptor_t dx_desc, void* diff_x) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpSyncBatchNormBackwardElemt(self) -> _mluOpSyncBatchNormBackwardElemt:
        """mluOpSyncBatchNormBackwardElemt(mluOpHandle_t handle, const mluOpTensorDescriptor_t diff_y_desc, const void* diff_y, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t mean_desc, const void* mean, const mluOpTensorDescriptor_t invstd_desc, const void* invstd, const mluOpTensorDescriptor_t filter_desc, const void* filter, const mluOpTensorDescriptor_t mean_dy_desc, const void* mean_dy, const mluOpTensorDescriptor_t mean_dy_xmu_desc, const void* mean_dy_xmu, const mluOpTensorDescriptor_t diff_x_desc, void* diff_x) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormBackwardElemtV2(self) -> _mluOpSyncBatchNormBackwardElemtV2:
        """mluOpSyncBatchNormBackwardElemtV2(mluOpHandle_t handle, const mluOpTensorDescriptor_t diff_y_desc, const void* diff_y, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t mean_desc, const void* mean, const mluOpTensorDescriptor_t invstd_desc, const void* invstd, const mluOpTensorDescriptor_t filter_desc, const void* filter, const mluOpTensorDescriptor_t sum_dy_desc, const void* sum_dy, const mluOpTensorDescriptor_t sum_dy_xmu_desc, const void* sum_dy_xmu, const mluOpTensorDescriptor_t count_desc, const void* count, const mluOpTensorDescriptor_t diff_x_desc, void* diff_x) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormBackwardReduce(self) -> _mluOpSyncBatchNormBackwardReduce:
        """mluOpSyncBatchNormBackwardReduce(mluOpHandle_t handle, const mluOpTensorDescriptor_t desc_dz, const void* dz, const mluOpTensorDescriptor_t desc_x, const void* x, const mluOpTensorDescriptor_t desc_mean, const void* mean, const mluOpTensorDescriptor_t desc_invstd, const void* invstd, const mluOpTensorDescriptor_t desc_dfilter, void* dfilter, const mluOpTensorDescriptor_t desc_dbias, void* dbias, const mluOpTensorDescriptor_t desc_sum_dy, void* sum_dy, const mluOpTensorDescriptor_t desc_sum_dy_xmu, void* sum_dy_xmu, const bool needs_input_grad0, const bool needs_input_grad1, const bool needs_input_grad2) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpSyncBatchnormBackwardReduce(self) -> _mluOpSyncBatchnormBackwardReduce:
        """mluOpSyncBatchnormBackwardReduce(mluOpHandle_t handle, const mluOpTensorDescriptor_t desc_dz, const void* dz, const mluOpTensorDescriptor_t desc_x, const void* x, const mluOpTensorDescriptor_t desc_mean, const void* mean, const mluOpTensorDescriptor_t desc_invstd, const void* invstd, const mluOpTensorDescriptor_t desc_dfilter, void* dfilter, const mluOpTensorDescriptor_t desc_dbias, void* dbias, const mluOpTensorDescriptor_t desc_sum_dy, void* sum_dy, const mluOpTensorDescriptor_t desc_sum_dy_xmu, void* sum_dy_xmu, const bool needs_input_grad0, const bool needs_input_grad1, const bool needs_input_grad2) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormBackwardReduce_v2(self) -> _mluOpSyncBatchNormBackwardReduce_v2:
        """mluOpSyncBatchNormBackwardReduce_v2(mluOpHandle_t handle, const mluOpTensorDescriptor_t desc_dz, const void* dz, const mluOpTensorDescriptor_t desc_x, const void* x, const mluOpTensorDescriptor_t desc_mean, const void* mean, const mluOpTensorDescriptor_t desc_invstd, const void* invstd, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t desc_dfilter, void* dfilter, const mluOpTensorDescriptor_t desc_dbias, void* dbias, const mluOpTensorDescriptor_t desc_sum_dy, void* sum_dy, const mluOpTensorDescriptor_t desc_sum_dy_xmu, void* sum_dy_xmu, const bool needs_input_grad0, const bool needs_input_grad1, const bool needs_input_grad2) -> mluOpStatus_t, since v1.0.0."""
    @property
    def mluOpSyncBatchnormBackwardReduce_v2(self) -> _mluOpSyncBatchnormBackwardReduce_v2:
        """mluOpSyncBatchnormBackwardReduce_v2(mluOpHandle_t handle, const mluOpTensorDescriptor_t desc_dz, const void* dz, const mluOpTensorDescriptor_t desc_x, const void* x, const mluOpTensorDescriptor_t desc_mean, const void* mean, const mluOpTensorDescriptor_t desc_invstd, const void* invstd, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t desc_dfilter, void* dfilter, const mluOpTensorDescriptor_t desc_dbias, void* dbias, const mluOpTensorDescriptor_t desc_sum_dy, void* sum_dy, const mluOpTensorDescriptor_t desc_sum_dy_xmu, void* sum_dy_xmu, const bool needs_input_grad0, const bool needs_input_grad1, const bool needs_input_grad2) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormElemt(self) -> _mluOpSyncBatchNormElemt:
        """mluOpSyncBatchNormElemt(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t mean_desc, const void* mean, const mluOpTensorDescriptor_t invstd_desc, const void* invstd, const mluOpTensorDescriptor_t filter_desc, const void* filter, const mluOpTensorDescriptor_t bias_desc, const void* bias, const mluOpTensorDescriptor_t y_desc, void* y) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormGatherStatsWithCounts(self) -> _mluOpSyncBatchNormGatherStatsWithCounts:
        """mluOpSyncBatchNormGatherStatsWithCounts(mluOpHandle_t handle, const mluOpTensorDescriptor_t mean_all_desc, const void* mean_all, const mluOpTensorDescriptor_t invstd_all_desc, const void* invstd_all, const mluOpTensorDescriptor_t moving_mean_desc, void* moving_mean, const mluOpTensorDescriptor_t moving_var_desc, void* moving_var, float momentum, float eps, const mluOpTensorDescriptor_t count_all_desc, const void* count_all, const mluOpTensorDescriptor_t mean_desc, void* mean, const mluOpTensorDescriptor_t invstd_desc, void* invstd) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormStats(self) -> _mluOpSyncBatchNormStats:
        """mluOpSyncBatchNormStats(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, const void* x, const float eps, const mluOpTensorDescriptor_t mean_desc, void* mean, const mluOpTensorDescriptor_t invstd_desc, void* invstd) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpSyncBatchNormStats_v2(self) -> _mluOpSyncBatchNormStats_v2:
        """mluOpSyncBatchNormStats_v2(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, const void* x, void* workspace, size_t workspace_size, const float eps, const mluOpTensorDescriptor_t mean_desc, void* mean, const mluOpTensorDescriptor_t invstd_desc, void* invstd) -> mluOpStatus_t, since v0.9.0."""
    @property
    def mluOpThreeInterpolateBackward(self) -> _mluOpThreeInterpolateBackward:
        """mluOpThreeInterpolateBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const mluOpTensorDescriptor_t indices_desc, const void* indices, const mluOpTensorDescriptor_t weights_desc, const void* weights, const mluOpTensorDescriptor_t grad_features_desc, void* grad_features) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpThreeInterpolateForward(self) -> _mluOpThreeInterpolateForward:
        """mluOpThreeInterpolateForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features, const mluOpTensorDescriptor_t indices_desc, const void* indices, const mluOpTensorDescriptor_t weights_desc, const void* weights, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.3.0."""
    @property
    def mluOpThreeNNForward(self) -> _mluOpThreeNNForward:
        """mluOpThreeNNForward(const mluOpHandle_t handle, const mluOpTensorDescriptor_t unknown_desc, const void* unknown, const mluOpTensorDescriptor_t known_desc, const void* known, void* workspace, const size_t workspace_size, const mluOpTensorDescriptor_t dist2_desc, void* dist2, const mluOpTensorDescriptor_t idx_desc, void* idx) -> mluOpStatus_t, since v0.5.0."""
    @property
    def mluOpTinShiftBackward(self) -> _mluOpTinShiftBackward:
        """mluOpTinShiftBackward(mluOpHandle_t handle, const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output, const mluOpTensorDescriptor_t shifts_desc, const void* shifts, const mluOpTensorDescriptor_t grad_input_desc, void* grad_input) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpTinShiftForward(self) -> _mluOpTinShiftForward:
        """mluOpTinShiftForward(mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input, const mluOpTensorDescriptor_t shifts_desc, const void* shifts, const mluOpTensorDescriptor_t output_desc, void* output) -> mluOpStatus_t, since v0.8.0."""
    @property
    def mluOpUpdateContextInformation(self) -> _mluOpUpdateContextInformation:
        """mluOpUpdateContextInformation(mluOpHandle_t handle) -> mluOpStatus_t, since v0.1."""
    @property
    def mluOpVoxelization(self) -> _mluOpVoxelization:
        """mluOpVoxelization(mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points, const mluOpTensorDescriptor_t voxel_size_desc, const void* voxel_size, const mluOpTensorDescriptor_t coors_range_desc, const void* coors_range, const int32_t max_points, const int32_t max_voxels, const int32_t NDim, const bool deterministic, void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t voxels_desc, void* voxels, const mluOpTensorDescriptor_t coors_desc, void* coors, const mluOpTensorDescriptor_t num_points_per_voxel_desc, void* num_points_per_voxel, const mluOpTensorDescriptor_t voxel_num_desc, void* voxel_num) -> mluOpStatus_t, since v0.4.0."""
    @property
    def mluOpVoxelPoolingForward(self) -> _mluOpVoxelPoolingForward:
        """mluOpVoxelPoolingForward(mluOpHandle_t handle, const int batch_size, const int num_points, const int num_channels, const int num_voxel_x, const int num_voxel_y, const int num_voxel_z, const mluOpTensorDescriptor_t geom_xyz_desc, const void* geom_xyz, const mluOpTensorDescriptor_t input_features_desc, const void* input_features, const mluOpTensorDescriptor_t output_features_desc, void* output_features, const mluOpTensorDescriptor_t pos_memo_desc, void* pos_memo) -> mluOpStatus_t, since v0.4.0."""
    @property
    def mluOpYoloBox(self) -> _mluOpYoloBox:
        """mluOpYoloBox(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc, const void* x, const mluOpTensorDescriptor_t img_size_desc, const void* img_size, const mluOpTensorDescriptor_t anchors_desc, const void* anchors, const int class_num, const float conf_thresh, const int downsample_ratio, const bool clip_bbox, const float scale, const bool iou_aware, const float iou_aware_factor, const mluOpTensorDescriptor_t boxes_desc, void* boxes, const mluOpTensorDescriptor_t scores_desc, void* scores) -> mluOpStatus_t, since v0.2."""
