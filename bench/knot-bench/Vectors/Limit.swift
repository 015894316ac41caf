import CMachineLimits

/// Something this machine cannot do faster: reading from one level of memory, or one kind of arithmetic.
enum Limit: String, CaseIterable, Hashable {
    case dram, l3, l2, sse2, avx2, avx512, vnni

    var isArithmetic: Bool {
        switch self {
        case .dram, .l3, .l2: false
        case .sse2, .avx2, .avx512, .vnni: true
        }
    }

    /// What a person reads in the table.
    var label: String {
        switch self {
        case .dram: "memory, streaming read"
        case .l3: "third-level cache, read"
        case .l2: "second-level cache, read"
        case .sse2: "f32 products and sums, SSE2"
        case .avx2: "f32 FMA, AVX2"
        case .avx512: "f32 FMA, AVX-512"
        case .vnni: "int8 products, VNNI"
        }
    }

    var unit: String {
        switch self {
        case .dram, .l3, .l2: "GB/s"
        case .sse2, .avx2, .avx512: "GFLOP/s"
        case .vnni: "GOP/s"
        }
    }

    /// The level that holds that many bytes at once.
    static func memory(holding bytes: Double) -> Limit {
        if bytes <= Double(Machine.cacheBytes(level: 2)) { return .l2 }
        return bytes <= Double(Machine.cacheBytes(level: 3)) ? .l3 : .dram
    }

    var arithmeticKind: knot_limit_arithmetic_kind? {
        switch self {
        case .dram, .l3, .l2: nil
        case .sse2: KNOT_LIMIT_SSE2_MUL_ADD
        case .avx2: KNOT_LIMIT_AVX2_FMA
        case .avx512: KNOT_LIMIT_AVX512_FMA
        case .vnni: KNOT_LIMIT_AVX512_VNNI
        }
    }
}
