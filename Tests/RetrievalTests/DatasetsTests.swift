import Evaluation
import Foundation
import Testing

@testable import Retrieval

/// Over the public data where they are; where not, only that the drawn ids are as many as they should be.
@Suite("The public data sets")
struct DatasetsTests {
    private static let shared = ProcessInfo.processInfo.environment["KNOT_SHARED"] ?? "../shared"
    private static var isThere: Bool { FileManager.default.fileExists(atPath: shared + "/datasets/README.md") }

    @Test func `have ids that were drawn once and each once`() throws {
        for (name, count) in [("chorus_unjudged", 1_000), ("msrd", 60), ("clinc", 60)] {
            #expect(try Set(Samples.ids(name)).count == count, "\(name)")
        }
        #expect(throws: RetrievalError.self) { try Samples.ids("other") }
    }

    @Test func `that are missing are named`() {
        #expect { try Datasets(shared: "/nowhere").movies() } throws: { "\($0)".contains("/nowhere/datasets/msrd") }
    }

    @Test(.enabled(if: isThere)) func `are read as their sheets say`() throws {
        let datasets = Datasets(shared: Self.shared)
        let products = try datasets.products()
        #expect(products.map(\.documents.count) == [1_735, 2_735])
        #expect(products.map(\.topics.count) == [64, 64])
        #expect(products.map(\.leftOut) == [9, 9])
        let utterances = try datasets.utterances()
        #expect(utterances.documents.count == 3_000)
        #expect(utterances.topics.map(\.grades.relevantCount) == [Int](repeating: 20, count: 60))
    }
}
