/// A second, coarser code of rows: half a byte a dimension, for one query over rows that do not fit a cache.
///
/// One query reads every row once and does little with it, so the time is that of the memory. Codes of four bits halve
/// what the byte codes read; nearly all rows are ruled out by them, and only the few that are not are looked at in byte
/// codes (search_nibbles.c).
///
/// A row x is coded by its direction d = x/|x|, turned like the byte codes (rotate.h), after which a dimension is
/// nearly normally distributed whatever the model. Sixteen levels that lose least for the normal distribution (Max,
/// Quantizing for Minimum Distortion, 1960) are used, not equal steps: a tenth less loss. Levels are kept as unsigned
/// bytes, so the CPU looks them up in a register and goes on as with byte codes. With h the levels of a row, its
/// *scale* α is the one for which y = α·h is nearest to d, and its *reach* ρ is at least |d - y|, measured on the codes
/// as they are.
///
/// The nearest multiple leaves a residual at right angles to y. Of a unit query u only the part at right angles to y
/// meets it:
///
///     u·d = u·y + u·(d - y) ≤ p + ρ·√(1 - p²),   p = u·y
///
/// because (u·y/|y|)² ≥ p², as |y| ≤ 1. The query is coded in bytes, v, with error e ≥ |u - v|, so what is known is q =
/// v·y with |p - q| ≤ e. Then p² ≥ (|q| - e)² or p² ≥ 0, in either case 1 - p² ≤ (1 + e)² - q² since |q| ≤ 1 + e, and
///
///     u·d ≤ q + e + ρ·√((1 + e)² - q²)
///
/// What is left is rounding. α is rounded to a float: y and the residual are out of the right angle by 2⁻²⁴, and |y|
/// may be 1 + 2⁻²⁴. The sum turned into a float, the product of the scales and their product with the sum put q off by
/// 3·2⁻²⁴ of a number below 1.3, since e is at most a quarter even for 4,096 dimensions. Under the root that comes to
/// less than 20·2⁻²⁴ = 1.2e-6: KNOT_NIBBLE_ROOT_SLACK covers it. The root, its product with ρ ≤ 1, the sum with q and the
/// bar made of cut and e add less than 8·2⁻²⁴, the canonical score's own rounding 2⁻²⁵, the right angle 2⁻²⁴: with q's
/// below 14·2⁻²⁴ = 8.4e-7 in all. KNOT_NIBBLE_SLACK covers it.
#ifndef KNOT_NIBBLES_H
#define KNOT_NIBBLES_H

#include "kernels.h"

#pragma clang assume_nonnull begin

#define KNOT_NIBBLE_ROOT_SLACK 2e-6f
#define KNOT_NIBBLE_SLACK 1e-6f

/// What a code stands for, and 128 more; the outermost is 127 for a deviation of 46.47.
static const uint8_t knot_nibble_levels[16] = {1, 32, 53, 70, 84, 97, 110, 122, 134, 146, 159, 172, 186, 203, 224, 255};
#define KNOT_NIBBLE_DEVIATION 46.47

/// Dimensions in 64 bytes of codes: the low halves hold the first 64, the high halves the others.
#define KNOT_NIBBLE_DIMENSIONS 128

#pragma clang assume_nonnull end

#endif
