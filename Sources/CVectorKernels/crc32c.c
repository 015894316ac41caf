/// CRC32C, the checksum of stored rows.
///
/// Two ways give the same number. The plain one takes eight bytes at a time through eight tables (slicing by eight). Where
/// the CPU has an instruction for it, that instruction is the way: it takes eight bytes each cycle but answers three cycles
/// later, so three stretches of memory are read side by side and their checksums joined. A checksum is the remainder of a
/// polynomial over GF(2), bits reversed; putting n bytes after a stretch multiplies its remainder by x^8n. One carry-less
/// product does that: as two reversed 32-bit numbers multiply to one times x more, and as the instruction that takes the
/// remainder of the product brings another x^32, the factor is x^(8n - 33).
#include "CVectorKernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A table's entry for n is the sum (exclusive or) of the entries of n's bits, so that eight numbers describe a table.
#define BIT(n, bit, value) ((n) >> (bit) & 1 ? (value) : 0u)
#define ENTRY(n, a, b, c, d, e, f, g, h)                                                                         \
    (BIT(n, 0, a) ^ BIT(n, 1, b) ^ BIT(n, 2, c) ^ BIT(n, 3, d) ^ BIT(n, 4, e) ^ BIT(n, 5, f) ^ BIT(n, 6, g) ^ BIT(n, 7, h))
#define FOUR(n, ...) ENTRY(n, __VA_ARGS__), ENTRY(n + 1, __VA_ARGS__), ENTRY(n + 2, __VA_ARGS__), ENTRY(n + 3, __VA_ARGS__)
#define SIXTEEN(n, ...) FOUR(n, __VA_ARGS__), FOUR(n + 4, __VA_ARGS__), FOUR(n + 8, __VA_ARGS__), FOUR(n + 12, __VA_ARGS__)
#define SIXTY_FOUR(n, ...) \
    SIXTEEN(n, __VA_ARGS__), SIXTEEN(n + 16, __VA_ARGS__), SIXTEEN(n + 32, __VA_ARGS__), SIXTEEN(n + 48, __VA_ARGS__)
#define TABLE(...) \
    {SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), SIXTY_FOUR(128, __VA_ARGS__), SIXTY_FOUR(192, __VA_ARGS__)}

/// Entry n of table t: the remainder of byte n with t bytes of zeros after it.
static const uint32_t tables[8][256] = {
    TABLE(0xF26B8303, 0xE13B70F7, 0xC79A971F, 0x8AD958CF, 0x105EC76F, 0x20BD8EDE, 0x417B1DBC, 0x82F63B78),
    TABLE(0x13A29877, 0x274530EE, 0x4E8A61DC, 0x9D14C3B8, 0x3FC5F181, 0x7F8BE302, 0xFF17C604, 0xFBC3FAF9),
    TABLE(0xA541927E, 0x4F6F520D, 0x9EDEA41A, 0x38513EC5, 0x70A27D8A, 0xE144FB14, 0xC76580D9, 0x8B277743),
    TABLE(0xDD45AAB8, 0xBF672381, 0x7B2231F3, 0xF64463E6, 0xE964B13D, 0xD725148B, 0xABA65FE7, 0x52A0C93F),
    TABLE(0x38116FAC, 0x7022DF58, 0xE045BEB0, 0xC5670B91, 0x8F2261D3, 0x1BA8B557, 0x37516AAE, 0x6EA2D55C),
    TABLE(0xEF306B19, 0xDB8CA0C3, 0xB2F53777, 0x6006181F, 0xC00C303E, 0x85F4168D, 0x0E045BEB, 0x1C08B7D6),
    TABLE(0x68032CC8, 0xD0065990, 0xA5E0C5D1, 0x4E2DFD53, 0x9C5BFAA6, 0x3D5B83BD, 0x7AB7077A, 0xF56E0EF4),
    TABLE(0x493C7D27, 0x9278FA4E, 0x211D826D, 0x423B04DA, 0x847609B4, 0x0D006599, 0x1A00CB32, 0x34019664),
};

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

static uint32_t plain(uint32_t crc, const uint8_t *bytes, size_t count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; count >= 8; count -= 8, bytes += 8) {
        const uint64_t word = word_at(bytes) ^ crc;
        crc = 0;
        for (int i = 0; i < 8; i++) crc ^= tables[7 - i][word >> (8 * i) & 255];
    }
#endif
    for (; count > 0; count--, bytes++) crc = crc >> 8 ^ tables[0][(crc ^ *bytes) & 255];
    return crc;
}

#if defined(__x86_64__)
/// Checksums of three neighbouring stretches of `length` bytes, joined; `once` and `twice` put one and two of them after.
__attribute__((target("sse4.2,pclmul"), always_inline)) static inline uint32_t three_stretches(
    uint32_t crc, const uint8_t *bytes, size_t length, uint32_t once, uint32_t twice) {
    uint64_t first = crc, second = 0, third = 0;
    for (size_t i = 0; i < length; i += 8) {
        first = _mm_crc32_u64(first, word_at(bytes + i));
        second = _mm_crc32_u64(second, word_at(bytes + length + i));
        third = _mm_crc32_u64(third, word_at(bytes + 2 * length + i));
    }
    const __m128i joined = _mm_xor_si128(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)first), _mm_cvtsi32_si128((int)twice), 0),
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)second), _mm_cvtsi32_si128((int)once), 0));
    return (uint32_t)(_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(joined)) ^ third);
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t count) {
    for (; count > 0 && ((uintptr_t)bytes & 7) != 0; count--, bytes++) crc = _mm_crc32_u8(crc, *bytes);
    for (; count >= 3 * 4096; count -= 3 * 4096, bytes += 3 * 4096)
        crc = three_stretches(crc, bytes, 4096, 0x82F89C77, 0x54A86326);
    for (; count >= 3 * 256; count -= 3 * 256, bytes += 3 * 256)
        crc = three_stretches(crc, bytes, 256, 0xB9E02B86, 0xDD7E3B0C);
    for (; count >= 8; count -= 8, bytes += 8) crc = (uint32_t)_mm_crc32_u64(crc, word_at(bytes));
    for (; count > 0; count--, bytes++) crc = _mm_crc32_u8(crc, *bytes);
    return crc;
}
#endif

uint32_t knot_crc32c(uint32_t crc, const void *bytes, size_t count) {
    if (!bytes) return crc;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul")) return ~by_instruction(~crc, bytes, count);
#endif
    return ~plain(~crc, bytes, count);
}
