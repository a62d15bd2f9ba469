// Two operations at once, over vectors in NRAM.
#pragma once

#include "bang/types.h"

// Two operations at once: the first and second letter behind F are add, sub or mul. b and c are vectors or scalars.
enum bangFusion_t {
  FUSION_FAA,
  FUSION_FAS,
  FUSION_FAM,
  FUSION_FSA,
  FUSION_FSS,
  FUSION_FSM,
  FUSION_FMA,
  FUSION_FMS,
  FUSION_FMM,
};
// Vectors of short_count elements repeat; without it they have count.
#define BANG_DECLARE_FUSION(T, B, C) \
  void __bang_fusion(bangFusion_t mode, T *dst, const T *a, B b, C c, int64_t count, int64_t short_count = 0);
#define BANG_FUSIONS(X, T) X(T, const T *, const T *) X(T, const T *, T) X(T, T, const T *) X(T, T, T)
#define BANG_DECLARE_FUSIONS(T, _) BANG_FUSIONS(BANG_DECLARE_FUSION, T)
BANG_NUMBERS(BANG_DECLARE_FUSIONS, )
