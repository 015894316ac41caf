import CVectorKernels
import Exactness
import Testing

@testable import VectorSearch

@Suite("Kernels")
struct KernelsTests {
    @Test(arguments: ["", "SSE2", "neon", "avx512 ", "automatic"])
    func `that do not exist are refused with the names of those that do`(name: String) {
        let error = #expect(throws: VectorSearchError.self) { try Kernels(named: name) }
        #expect(error == .unavailableKernels(name: name, available: Kernels.available.map(\.name)))
        #expect(error?.description.contains("scalar") == true)
    }

    @Test func `are known by name from the slowest to the fastest`() throws {
        #expect(Kernels.allNames == ["scalar", "sse2", "avx2", "avx512", "vnni"])
        #expect(Kernels.available.first?.name == "scalar")
        #expect(Kernels.available.last == .best)
        #expect(try Kernels(named: "auto") == .best)
        for kernels in Kernels.available { #expect(try Kernels(named: kernels.name) == kernels) }
    }

    @Test func `give one length, that of the plain computation`() {
        var random = SeededRandom(seed: 11)
        for dimension in [1, 3, 16, 17, 100, 768, 769, 4_096] {
            let values = (0..<dimension).map { _ in random.bell() }
            for kernels in Kernels.available {
                #expect(kernels.norm(of: values.span) == PlainVector(values).norm, "\(kernels), \(dimension)")
            }
        }
        for void in [[0, 0], [-0.0], [.nan, 1], [.infinity, 1]] as [[Float]] {
            for kernels in Kernels.available { #expect(kernels.norm(of: void.span) == 0, "\(kernels), \(void)") }
        }
    }

    @Test func `find the same in memory that is not aligned`() throws {
        let (count, dimension, stride) = (300, 37, 41)
        var random = SeededRandom(seed: 12)
        let values = (0..<count * stride + 1).map { _ in random.bell() }
        let rows = (0..<count).map { row in Array(values[1 + row * stride..<1 + row * stride + dimension]) }
        let query = Array(rows[17])
        let expected = Challenge(rows: rows, queries: [query], dimension: dimension, limit: 10, name: "unaligned")
            .plainAnswer(allowed: nil)
        for kernels in Kernels.available {
            var norms = [Double](repeating: 0, count: count)
            var found = [UInt32](repeating: 0, count: 1)
            var matches = [knot_match](repeating: knot_match(), count: 10)
            let status = unsafe values.withUnsafeBufferPointer { values in
                unsafe norms.withUnsafeMutableBufferPointer { norms in
                    guard let values = values.baseAddress, let norms = norms.baseAddress else { return Int32(-1) }
                    // One float past the alignment of the array; the last row ends with the array.
                    unsafe knot_norms(kernels.table, values + 1, stride, count, dimension, norms)
                    var rows = unsafe knot_rows(
                        values: values + 1,
                        stride: stride,
                        count: UInt32(count),
                        dimension: UInt32(dimension),
                        norms: norms
                    )
                    var request = unsafe knot_request(
                        queries: values + 1 + 17 * stride,
                        query_stride: stride,
                        query_count: 1,
                        limit: 10,
                        threshold: -.infinity,
                        first_row: 0,
                        row_count: UInt32(count),
                        allowed: nil
                    )
                    return unsafe knot_search(kernels.table, &rows, &request, &matches, &found, nil)
                }
            }
            #expect(status == 0)
            #expect(found == [10])
            #expect(matches.map { Match(row: Int($0.row), score: $0.score) } == expected[0], "\(kernels)")
        }
    }
}
