"""Enums and limits of mlu_op.h v1.11.1 and cnrt.h, with the headers' names and values."""

from __future__ import annotations

from enum import IntEnum

MLUOP_DIM_MAX = 8


class mluOpStatus_t(IntEnum):
    MLUOP_STATUS_SUCCESS = 0
    MLUOP_STATUS_NOT_INITIALIZED = 1
    MLUOP_STATUS_ALLOC_FAILED = 2
    MLUOP_STATUS_BAD_PARAM = 3
    MLUOP_STATUS_INTERNAL_ERROR = 4
    MLUOP_STATUS_ARCH_MISMATCH = 5
    MLUOP_STATUS_EXECUTION_FAILED = 6
    MLUOP_STATUS_NOT_SUPPORTED = 7
    MLUOP_STATUS_NUMERICAL_OVERFLOW = 8


class mluOpTensorLayout_t(IntEnum):
    MLUOP_LAYOUT_NCHW = 0
    MLUOP_LAYOUT_NHWC = 1
    MLUOP_LAYOUT_HWCN = 2
    MLUOP_LAYOUT_NDHWC = 3
    MLUOP_LAYOUT_ARRAY = 4
    MLUOP_LAYOUT_NCDHW = 5
    MLUOP_LAYOUT_TNC = 6
    MLUOP_LAYOUT_NTC = 7
    MLUOP_LAYOUT_NC = 8
    MLUOP_LAYOUT_NLC = 9
    MLUOP_LAYOUT_NCL = 10


class mluOpSeqDataLayout_t(IntEnum):
    MLUOP_SEQDATA_TNC = 0
    MLUOP_SEQDATA_TNC_PACKED = 1
    MLUOP_SEQDATA_NTC = 2
    MLUOP_SEQDATA_NC = 3
    MLUOP_SEQDATA_TNBC = 4
    MLUOP_SEQDATA_TBNC = 5
    MLUOP_SEQDATA_NBTC = 6
    MLUOP_SEQDATA_NTBC = 7
    MLUOP_SEQDATA_BNTC = 8
    MLUOP_SEQDATA_BTNC = 9
    MLUOP_SEQDATA_TN = 10
    MLUOP_SEQDATA_NT = 11


class mluOpDataType_t(IntEnum):
    MLUOP_DTYPE_INVALID = 0
    MLUOP_DTYPE_HALF = 1
    MLUOP_DTYPE_FLOAT = 2
    MLUOP_DTYPE_DOUBLE = 14
    MLUOP_DTYPE_INT8 = 3
    MLUOP_DTYPE_INT16 = 4
    MLUOP_DTYPE_INT31 = 5
    MLUOP_DTYPE_INT32 = 6
    MLUOP_DTYPE_INT64 = 9
    MLUOP_DTYPE_UINT8 = 7
    MLUOP_DTYPE_UINT16 = 13
    MLUOP_DTYPE_UINT32 = 11
    MLUOP_DTYPE_UINT64 = 12
    MLUOP_DTYPE_BOOL = 8
    MLUOP_DTYPE_COMPLEX_HALF = 15
    MLUOP_DTYPE_COMPLEX_FLOAT = 16
    MLUOP_DTYPE_BFLOAT16 = 17


class mluOpNanPropagation_t(IntEnum):
    MLUOP_NOT_PROPAGATE_NAN = 0
    MLUOP_PROPAGATE_NAN = 1


class mluOpComputationPreference_t(IntEnum):
    MLUOP_COMPUTATION_FAST = 0
    MLUOP_COMPUTATION_HIGH_PRECISION = 1
    MLUOP_COMPUTATION_ULTRAHIGH_PRECISION = 2


class mluOpAtomicsMode_t(IntEnum):
    MLUOP_ATOMICS_NOT_ALLOWED = 1
    MLUOP_ATOMICS_ALLOWED = 2


class mluOpQuantizeRoundMode_t(IntEnum):
    MLUOP_ROUND_HALF_TO_EVEN = 0
    MLUOP_ROUND_HALF_UP = 1
    MLUOP_ROUND_HALF_OFF_ZERO = 2


class mluOpQuantizeMode_t(IntEnum):
    MLUOP_QUANTIZE_POSITION = 0
    MLUOP_QUANTIZE_POSITION_SCALE = 1
    MLUOP_QUANTIZE_POSITION_SCALE_OFFSET = 2


class mluOpLogBase_t(IntEnum):
    MLUOP_LOG_E = 0
    MLUOP_LOG_2 = 1
    MLUOP_LOG_10 = 2


class mluOpPointerMode_t(IntEnum):
    MLUOP_POINTER_MODE_HOST = 0
    MLUOP_POINTER_MODE_DEVICE = 1


class mluOpNmsBoxPointMode_t(IntEnum):
    MLUOP_NMS_BOX_DIAGONAL = 0
    MLUOP_NMS_BOX_CENTER = 1


class mluOpNmsOutputMode_t(IntEnum):
    MLUOP_NMS_OUTPUT_TARGET_INDICES = 0
    MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1 = 1
    MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2 = 2
    MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS = 3


class mluOpNmsMethodMode_t(IntEnum):
    MLUOP_NMS_HARD_NMS = 0
    MLUOP_NMS_SOFT_NMS_LINEAR = 1
    MLUOP_NMS_SOFT_NMS_GAUSSIAN = 2


class mluOpNmsAlgo_t(IntEnum):
    MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY = 0
    MLUOP_NMS_ALGO_INCLUDE_BOUNDARY = 1


class mluOpIndicesType_t(IntEnum):
    MLUOP_32BIT_INDICES = 0
    MLUOP_16BIT_INDICES = 1


class mluOpLossReduction_t(IntEnum):
    MLUOP_LOSS_REDUCTION_NONE = 0
    MLUOP_LOSS_REDUCTION_SUM = 1
    MLUOP_LOSS_REDUCTION_MEAN = 2


class mluOpReduceMode_t(IntEnum):
    MLUOP_REDUCE_DSUM = 0
    MLUOP_REDUCE_DMEAN = 1
    MLUOP_REDUCE_DMAX = 2


class mluOpPoolingMode_t(IntEnum):
    MLUOP_POOLING_MAX = 0
    MLUOP_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1
    MLUOP_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2
    MLUOP_POOLING_FIXED = 3


class mluOpAdamWDescAttribute_t(IntEnum):
    MLUOP_ADAMW_WEIGHT_DECAY = 0
    MLUOP_ADAMW_GRAD_SCALE = 1
    MLUOP_ADAMW_USE_NESTEROV = 2
    MLUOP_ADAMW_NEED_REMOVE_NAN = 3


class cnrtRet_t(IntEnum):
    """CNRT 6.14.1; newer releases may return codes that are not listed here."""

    cnrtSuccess = 0
    cnrtErrorNotReady = 1
    cnrtErrorInit = 100002
    cnrtErrorNoDevice = 100004
    cnrtErrorDeviceInvalid = 100005
    cnrtErrorArgsInvalid = 100006
    cnrtErrorSys = 100007
    cnrtErrorSysNoMem = 100010
    cnrtErrorInvalidResourceHandle = 100014
    cnrtErrorIllegalState = 100015
    cnrtErrorNotSupport = 100050
    cnrtErrorOpsNotPermitted = 100051
    cnrtErrorQueue = 100060
    cnrtErrorNoMem = 100100
    cnrtErrorAssert = 100128
    cnrtErrorKernelTrap = 100132
    cnrtErrorKernelUserTrap = 100133
    cnrtErrorNotFound = 100301
    cnrtErrorInvalidKernel = 100302
    cnrtErrorUnsupportedKernelVersion = 100303
    cnrtErrorNoKernel = 101312
    cnrtErrorNoModule = 101315
    cnrtErrorSetOnActiveProcess = 632002
    cnrtErrorDevice = 632006
    cnrtErrorNoAttribute = 632009
    cnrtErrorMemcpyDirectionInvalid = 632013
    cnrtErrorBusy = 632014
    cnrtErrorCndrvFuncCall = 632015
    cnrtErrorCndevFuncCall = 632017
    cnrtErrorNoCnrtContext = 632019
    cnrtErrorCndrvFuncNotFound = 632020
    cnrtErrorInvalidSymbol = 632100
    cnrtErrorUnknown = 999991


class cnrtMemTransDir_t(IntEnum):
    cnrtMemcpyHostToDev = 0
    cnrtMemcpyDevToDev = 1
    cnrtMemcpyDevToHost = 2
    cnrtMemcpyHostToHost = 3
    cnrtMemcpyPeerToPeer = 4
    cnrtMemcpyNoDirection = 5


class cnrtDeviceAttr_t(IntEnum):
    """The attributes whose numbers agree in CNRT 6.0.2 and 6.14.1."""

    cnrtAttrComputeCapabilityMajor = 0x01
    cnrtAttrComputeCapabilityMinor = 0x02
    cnrtAttrFP16ComputingSupported = 0x04
    cnrtAttrINT4ComputingSupported = 0x05
    cnrtAttrINT8ComputingSupported = 0x06
    cnrtAttrBF16ComputingSupported = 0x07
    cnrtAttrTF32ComputingSupported = 0x08
    cnrtAttrQueueSize = 0x101
    cnrtAttrNotifierSize = 0x102
    cnrtAttrMaxClusterCountPerUnionTask = 0x204
    cnrtAttrClusterCount = 0x205
    cnrtAttrMcorePerCluster = 0x206
    cnrtAttrISAVersion = 0x20A
    cnrtAttrIsMultipleTensorProcessor = 0x20B
    cnrtAttrMaxL2CacheSize = 0x301
    cnrtAttrNramSizePerMcore = 0x302
    cnrtAttrWramSizePerMcore = 0x303
    cnrtAttrSramSizePerMcore = 0x306
    cnrtAttrMaxPersistingL2CacheSize = 0x309
    cnrtAttrEccEnable = 0x401
    cnrtAttrIpuClockRate = 0x402  # kHz
    cnrtAttrMemClockRate = 0x403  # kHz
    cnrtAttrGmemBusWidth = 0x404  # bits
    cnrtAttrTotalMemSize = 0x405  # MB
    cnrtAttrPciBusID = 0x406
    cnrtAttrPciDeviceID = 0x407
    cnrtAttrPciDomainID = 0x408


class cnrtNotifierFlags(IntEnum):
    CNRT_NOTIFIER_DEFAULT = 0
    CNRT_NOTIFIER_DISABLE_TIMING_SW = 2
    CNRT_NOTIFIER_DISABLE_TIMING_ALL = 4
    CNRT_NOTIFIER_INTERPROCESS = 8


class cnrtFunctionType_t(IntEnum):
    cnrtFuncTypeBlock = 1
    cnrtFuncTypeUnion1 = 4
    cnrtFuncTypeUnion2 = 8
    cnrtFuncTypeUnion4 = 16
    cnrtFuncTypeUnion8 = 32
    cnrtFuncTypeUnion16 = 64


class CNresult(IntEnum):
    """CNDrv's status; of its values only success is publicly documented."""

    CN_SUCCESS = 0


class CNctxConfigParamType(IntEnum):
    CN_CTX_CONFIG_VISIBLE_CLUSTER = 0
    CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM = 1
    CN_CTX_CONFIG_UNION_LIMIT = 2


class KernelClass(IntEnum):
    """A job type: one core, or a union task of so many clusters."""

    CN_KERNEL_CLASS_BLOCK = 1
    CN_KERNEL_CLASS_UNION = 4
    CN_KERNEL_CLASS_UNION2 = 8
    CN_KERNEL_CLASS_UNION4 = 16
    CN_KERNEL_CLASS_UNION8 = 32
    CN_KERNEL_CLASS_UNION16 = 64
    CN_KERNEL_CLASS_NONE = 0xFF
