// Each operator as a plain loop in double precision, to compare the speed of the references with.
//
// All functions take the inputs and the outputs in the order of the operator's definition, then sizes and scalars
// in the order that loops.py gives them; it also clears the outputs that a loop adds to. The formulas are those in
// the docstrings of mluops_reference.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using Inputs = const void *const *;
using Outputs = void *const *;
using Sizes = const int64_t *;
using Scalars = const double *;

// ---- bilinear samples -----------------------------------------------------------------------------------

struct Axis {
  bool inside;
  int64_t low, high;
  double fraction;
};

Axis axis(double position, int64_t size) {
  if (position < -1 || position > size) return {false, 0, 0, 0};
  position = std::max(position, 0.0);
  int64_t low = static_cast<int64_t>(position);
  if (low >= size - 1) return {true, size - 1, size - 1, 0};
  return {true, low, low + 1, position - low};
}

struct Corners {
  int64_t cell[4];
  double weight[4];
};

Corners corners(const Axis &y, const Axis &x, int64_t width) {
  return {{y.low * width + x.low, y.low * width + x.high, y.high * width + x.low, y.high * width + x.high},
          {(1 - y.fraction) * (1 - x.fraction), (1 - y.fraction) * x.fraction, y.fraction * (1 - x.fraction),
           y.fraction * x.fraction}};
}

// ---- deform_roi_pool --------------------------------------------------------------------------------------

struct Side {
  double start, size, bin;
  int64_t grid;
};

Side side(float first, float last, double scale, int64_t pooled, int64_t ratio) {
  double start = first * scale - 0.5, size = last * scale - 0.5 - start;
  float narrow = static_cast<float>(scale);
  float whole = (last * narrow - 0.5f) - (first * narrow - 0.5f);
  int64_t grid = ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(whole / pooled));
  return {start, size, size / pooled, grid};
}

struct Pooling {
  int64_t rois, batches, height, width, channels, pooled_h, pooled_w, ratio;
  double scale, gamma;
};

Pooling pooling(Sizes n, Scalars s) { return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], s[0], s[1]}; }

// Calls visit(bin, roi, y side, x side, y position, x position, y, x, map) for each sample inside of the map.
template <typename Visit>
void each_sample(const Pooling &of, const float *rois, const float *offset, Visit visit) {
  const int64_t bins = of.pooled_h * of.pooled_w;
  for (int64_t k = 0; k < of.rois; ++k) {
    const float *roi = rois + 5 * k;
    Side y = side(roi[2], roi[4], of.scale, of.pooled_h, of.ratio);
    Side x = side(roi[1], roi[3], of.scale, of.pooled_w, of.ratio);
    for (int64_t bin = 0; bin < bins; ++bin) {
      int64_t p = bin / of.pooled_w, q = bin % of.pooled_w;
      double dx = offset ? of.gamma * x.size * offset[(2 * k) * bins + bin] : 0;
      double dy = offset ? of.gamma * y.size * offset[(2 * k + 1) * bins + bin] : 0;
      for (int64_t i = 0; i < y.grid; ++i) {
        double at_y = y.start + dy + p * y.bin + (i + 0.5) * y.bin / y.grid;
        Axis row = axis(at_y, of.height);
        if (!row.inside) continue;
        for (int64_t j = 0; j < x.grid; ++j) {
          double at_x = x.start + dx + q * x.bin + (j + 0.5) * x.bin / x.grid;
          Axis column = axis(at_x, of.width);
          if (column.inside) visit(k * bins + bin, roi, y, x, at_y, at_x, row, column);
        }
      }
    }
  }
}

// ---- rotated_feature_align --------------------------------------------------------------------------------

// Calls visit(pixel, first pixel of its map, corners) for each point inside of the map.
template <typename Visit>
void each_point(const float *boxes, Sizes n, Scalars s, Visit visit) {
  const int64_t height = n[1], width = n[2], points = n[4];
  for (int64_t pixel = 0; pixel < n[0] * height * width; ++pixel) {
    const float *box = boxes + 5 * pixel;
    double y = box[0] * s[0], x = box[1] * s[0], w = box[2] * s[0] / 2, h = box[3] * s[0] / 2;
    double cos = std::cos(double(box[4])), sin = std::sin(double(box[4]));
    for (int64_t k = 0; k < points; ++k) {
      double along = k == 0 ? 0 : (k == 1 || k == 4 ? 1 : -1), across = k == 0 ? 0 : (k < 3 ? 1 : -1);
      Axis row = axis(y + along * w * sin + across * h * cos, height);
      Axis column = axis(x + along * w * cos - across * h * sin, width);
      if (row.inside && column.inside)
        visit(pixel, pixel / (height * width) * height * width, corners(row, column, width));
    }
  }
}

// ---- rotated boxes ----------------------------------------------------------------------------------------

struct Point {
  double x, y;
};

// Keeps the part of a polygon with sign * coordinate <= limit.
int clip(const Point *polygon, int count, bool along_y, double sign, double limit, Point *kept) {
  int left = 0;
  for (int i = 0; i < count; ++i) {
    Point a = polygon[i], b = polygon[(i + 1) % count];
    double da = sign * (along_y ? a.y : a.x) - limit, db = sign * (along_y ? b.y : b.x) - limit;
    if (da <= 0) kept[left++] = a;
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
      double t = da / (da - db);
      kept[left++] = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    }
  }
  return left;
}

// The area that two boxes share: the second is clipped in the frame of the first.
double shared_area(const float *a, const float *b) {
  double cos = std::cos(double(a[4])), sin = std::sin(double(a[4]));
  double dx = double(b[0]) - a[0], dy = double(b[1]) - a[1], turn = double(b[4]) - a[4];
  double x = cos * dx + sin * dy, y = cos * dy - sin * dx;
  double wx = b[2] / 2. * std::cos(turn), wy = b[2] / 2. * std::sin(turn);
  double hx = -b[3] / 2. * std::sin(turn), hy = b[3] / 2. * std::cos(turn);
  Point one[16] = {{x - wx - hx, y - wy - hy}, {x + wx - hx, y + wy - hy}, {x + wx + hx, y + wy + hy},
                   {x - wx + hx, y - wy + hy}};
  Point other[16];
  int count = clip(one, 4, false, 1, a[2] / 2., other);
  count = clip(other, count, false, -1, a[2] / 2., one);
  count = clip(one, count, true, 1, a[3] / 2., other);
  count = clip(other, count, true, -1, a[3] / 2., one);
  double twice = 0;
  for (int i = 0; i < count; ++i) {
    const Point &p = one[i], &q = one[(i + 1) % count];
    twice += p.x * q.y - p.y * q.x;
  }
  return std::fabs(twice) / 2;
}

double overlap(const float *a, const float *b, bool over_first) {
  double first = double(a[2]) * a[3], second = double(b[2]) * b[3];
  if (first < 1e-14 || second < 1e-14) return 0;
  double shared = shared_area(a, b);
  return shared / (over_first ? first : first + second - shared);
}

template <typename T>
T *input(Inputs in, int index) {
  return static_cast<T *>(in[index]);
}

template <typename T>
T *output(Outputs out, int index) {
  return static_cast<T *>(out[index]);
}

}  // namespace

extern "C" {

void deform_roi_pool_forward(Inputs in, Outputs out, Sizes n, Scalars s) {
  Pooling of = pooling(n, s);
  auto map = input<const float>(in, 0), rois = input<const float>(in, 1), offset = input<const float>(in, 2);
  auto pooled = output<double>(out, 0);
  each_sample(of, rois, offset, [&](int64_t bin, const float *roi, const Side &y, const Side &x, double, double,
                                    const Axis &row, const Axis &column) {
    Corners at = corners(row, column, of.width);
    const float *cells = map + static_cast<int64_t>(roi[0]) * of.height * of.width * of.channels;
    double *sums = pooled + bin * of.channels, share = 1.0 / (y.grid * x.grid);
    for (int k = 0; k < 4; ++k)
      for (int64_t c = 0; c < of.channels; ++c)
        sums[c] += share * at.weight[k] * cells[at.cell[k] * of.channels + c];
  });
}

void deform_roi_pool_backward(Inputs in, Outputs out, Sizes n, Scalars s) {
  Pooling of = pooling(n, s);
  auto gradients = input<const float>(in, 0), map = input<const float>(in, 1);
  auto rois = input<const float>(in, 2), offset = input<const float>(in, 3);
  auto of_map = output<double>(out, 0), of_offset = output<double>(out, 1);
  const int64_t bins = of.pooled_h * of.pooled_w;
  each_sample(of, rois, offset, [&](int64_t bin, const float *roi, const Side &y, const Side &x, double at_y,
                                    double at_x, const Axis &row, const Axis &column) {
    Corners at = corners(row, column, of.width);
    int64_t start = static_cast<int64_t>(roi[0]) * of.height * of.width * of.channels;
    double share = 1.0 / (y.grid * x.grid), moved_x = 0, moved_y = 0;
    double above = row.high - at_y, below = at_y - row.low, before = column.high - at_x, behind = at_x - column.low;
    for (int64_t c = 0; c < of.channels; ++c) {
      double gradient = gradients[bin * of.channels + c] * share, v[4];
      for (int k = 0; k < 4; ++k) {
        int64_t element = start + at.cell[k] * of.channels + c;
        of_map[element] += at.weight[k] * gradient;
        v[k] = map[element];
      }
      moved_x += gradient * (below * v[3] + above * v[1] - below * v[2] - above * v[0]);
      moved_y += gradient * (behind * v[3] + before * v[2] - behind * v[1] - before * v[0]);
    }
    if (of_offset) {
      int64_t roi_start = bin / bins * 2 * bins + bin % bins;
      of_offset[roi_start] += of.gamma * x.size * moved_x;
      of_offset[roi_start + bins] += of.gamma * y.size * moved_y;
    }
  });
}

void rotated_feature_align_forward(Inputs in, Outputs out, Sizes n, Scalars s) {
  auto map = input<const float>(in, 0);
  auto aligned = output<double>(out, 0);
  const int64_t channels = n[3];
  for (int64_t i = 0; i < n[0] * n[1] * n[2] * channels; ++i) aligned[i] = map[i];
  each_point(input<const float>(in, 1), n, s, [&](int64_t pixel, int64_t first, const Corners &at) {
    for (int k = 0; k < 4; ++k)
      for (int64_t c = 0; c < channels; ++c)
        aligned[pixel * channels + c] += at.weight[k] * map[(first + at.cell[k]) * channels + c];
  });
}

void rotated_feature_align_backward(Inputs in, Outputs out, Sizes n, Scalars s) {
  auto gradients = input<const float>(in, 0);
  auto of_map = output<double>(out, 0);
  const int64_t channels = n[3];
  for (int64_t i = 0; i < n[0] * n[1] * n[2] * channels; ++i) of_map[i] = gradients[i];
  each_point(input<const float>(in, 1), n, s, [&](int64_t pixel, int64_t first, const Corners &at) {
    for (int k = 0; k < 4; ++k)
      for (int64_t c = 0; c < channels; ++c)
        of_map[(first + at.cell[k]) * channels + c] += at.weight[k] * gradients[pixel * channels + c];
  });
}

void masked_im2col_forward(Inputs in, Outputs out, Sizes n, Scalars) {
  auto map = input<const float>(in, 0);
  auto rows = input<const int32_t>(in, 1), columns = input<const int32_t>(in, 2);
  auto col = output<float>(out, 0);
  const int64_t channels = n[0], height = n[1], width = n[2], masks = n[3], kernel_h = n[4], kernel_w = n[5];
  for (int64_t line = 0; line < channels * kernel_h * kernel_w; ++line) {
    int64_t c = line / (kernel_h * kernel_w), i = line / kernel_w % kernel_h, j = line % kernel_w;
    for (int64_t m = 0; m < masks; ++m) {
      int64_t y = rows[m] - n[6] + i, x = columns[m] - n[7] + j;
      bool inside = y >= 0 && y < height && x >= 0 && x < width;
      col[line * masks + m] = inside ? map[(c * height + y) * width + x] : 0;
    }
  }
}

void masked_col2im_forward(Inputs in, Outputs out, Sizes n, Scalars) {
  auto col = input<const float>(in, 0);
  auto rows = input<const int32_t>(in, 1), columns = input<const int32_t>(in, 2);
  auto map = output<float>(out, 0);
  const int64_t channels = n[0], height = n[1], width = n[2], masks = n[3];
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t m = 0; m < masks; ++m) map[(c * height + rows[m]) * width + columns[m]] = col[c * masks + m];
}

void roiaware_pool3d_forward(Inputs in, Outputs out, Sizes n, Scalars) {
  auto rois = input<const float>(in, 0), points = input<const float>(in, 1), features = input<const float>(in, 2);
  auto argmax = output<int32_t>(out, 0), listed = output<int32_t>(out, 1);
  auto pooled = output<double>(out, 2);
  const int64_t boxes = n[0], count = n[1], channels = n[2], most = n[3], grid[3] = {n[4], n[5], n[6]};
  const int64_t voxels = grid[0] * grid[1] * grid[2];
  for (int64_t box = 0; box < boxes; ++box) {
    const float *roi = rois + 7 * box;
    double cos = std::cos(-double(roi[6])), sin = std::sin(-double(roi[6]));
    double dx = roi[3], dy = roi[4], dz = roi[5];
    for (int64_t point = 0; point < count; ++point) {
      double a = double(points[3 * point]) - roi[0], b = double(points[3 * point + 1]) - roi[1];
      double z = double(points[3 * point + 2]) - roi[2];
      if (std::fabs(points[3 * point + 2] - (roi[2] + dz / 2)) > dz / 2) continue;
      double x = a * cos - b * sin, y = a * sin + b * cos;
      if (!(std::fabs(x) < dx / 2 && std::fabs(y) < dy / 2)) continue;
      const double at[3] = {(x + dx / 2) / (dx / grid[0]), (y + dy / 2) / (dy / grid[1]), z / (dz / grid[2])};
      int64_t place = box;
      for (int k = 0; k < 3; ++k)
        place = place * grid[k] + std::min(std::max<int64_t>(static_cast<int64_t>(at[k]), 0), grid[k] - 1);
      int32_t *slots = listed + place * most;
      if (slots[0] < most - 1) slots[++slots[0]] = static_cast<int32_t>(point);
    }
  }
  for (int64_t voxel = 0; voxel < boxes * voxels; ++voxel) {
    const int32_t *slots = listed + voxel * most;
    for (int64_t c = 0; c < channels; ++c) {
      double sum = 0, largest = -INFINITY;
      int32_t winner = -1;
      for (int32_t k = 1; k <= slots[0]; ++k) {
        double feature = features[slots[k] * channels + c];
        sum += feature;
        if (feature > largest) largest = feature, winner = slots[k];
      }
      bool average = n[7];
      argmax[voxel * channels + c] = average ? 0 : winner;
      pooled[voxel * channels + c] = average ? (slots[0] ? sum / slots[0] : 0) : (winner < 0 ? 0 : largest);
    }
  }
}

void roiaware_pool3d_backward(Inputs in, Outputs out, Sizes n, Scalars) {
  auto listed = input<const int32_t>(in, 0), argmax = input<const int32_t>(in, 1);
  auto gradients = input<const float>(in, 2);
  auto of_points = output<double>(out, 0);
  const int64_t voxels = n[0] * n[1] * n[2] * n[3], channels = n[4], most = n[5];
  for (int64_t voxel = 0; voxel < voxels; ++voxel) {
    const float *gradient = gradients + voxel * channels;
    if (n[6]) {
      const int32_t *slots = listed + voxel * most;
      for (int32_t k = 1; k <= slots[0]; ++k)
        for (int64_t c = 0; c < channels; ++c)
          of_points[slots[k] * channels + c] += gradient[c] / double(slots[0]);
    } else {
      for (int64_t c = 0; c < channels; ++c) {
        int32_t point = argmax[voxel * channels + c];
        if (point >= 0) of_points[point * channels + c] += gradient[c];
      }
    }
  }
}

void box_iou_rotated(Inputs in, Outputs out, Sizes n, Scalars) {
  auto first = input<const float>(in, 0), second = input<const float>(in, 1);
  auto overlaps = output<double>(out, 0);
  for (int64_t i = 0; i < n[0]; ++i) {
    if (n[2])
      overlaps[i] = overlap(first + 5 * i, second + 5 * i, n[3]);
    else
      for (int64_t j = 0; j < n[1]; ++j) overlaps[i * n[1] + j] = overlap(first + 5 * i, second + 5 * j, n[3]);
  }
}

void nms_rotated(Inputs in, Outputs out, Sizes n, Scalars s) {
  auto boxes = input<const float>(in, 0), scores = input<const float>(in, 1);
  auto kept = output<int32_t>(out, 0);
  std::vector<int32_t> order(n[0]);
  for (int64_t i = 0; i < n[0]; ++i) order[i] = static_cast<int32_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return scores[a] > scores[b]; });
  int32_t count = 0;
  for (int32_t box : order) {
    bool suppressed = false;
    for (int32_t k = 0; k < count && !suppressed; ++k)
      suppressed = overlap(boxes + n[1] * kept[k], boxes + n[1] * box, false) > s[0];
    if (!suppressed) kept[count++] = box;
  }
  *output<int32_t>(out, 1) = count;
}

}  // extern "C"
