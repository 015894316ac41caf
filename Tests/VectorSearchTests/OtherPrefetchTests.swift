import Testing

@testable import VectorSearch

/// The kind of prefetch changes the speed alone.
@Suite("Kernels with the other kind of prefetch")
struct OtherPrefetchTests {
    @Test(arguments: Kernels.available) func `find the same, and are the same the other way round`(
        kernels: Kernels
    ) throws {
        guard let other = kernels.otherwise else {
            #expect(kernels.name == "scalar")
            return
        }
        #expect(other.otherwise == kernels && other != kernels && other.name == kernels.name)
        #expect(other.passCaches != kernels.passCaches)
        let matrix = try SomeRows.matrix(count: 3_000, dimension: 100)
        let queries = try matrix.values(ofRow: 7) + matrix.values(ofRow: 2_999)
        let answers = try [kernels, other].map {
            try ExactIndex(matrix, kernels: $0, usesCodes: false).search(queries.span, limit: 12).matches
        }
        #expect(answers[0] == answers[1] && answers[0][0][0].row == 7)
    }
}
