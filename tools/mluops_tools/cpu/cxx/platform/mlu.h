// BANG C as C++: what the source files of kernels include. Each part is a header of bang/.
#pragma once

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bang/types.h"
#include "bang/scalar.h"
#include "bang/kernel.h"
#include "bang/convert.h"
#include "bang/elementwise.h"
#include "bang/fusion.h"
#include "bang/copy.h"
#include "bang/reduce.h"
#include "bang/convolution.h"
#include "bang/arrange.h"
#include "bang/vector_registers.h"
#include "bang/assembly.h"
