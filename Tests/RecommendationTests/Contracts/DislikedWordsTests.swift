import KnotDomain
import Recommendation
import TestSupport
import Testing

/// A dislike is of things, and not of a word that stands for another thing.
@Suite("A dislike")
struct DislikedWordsTests {
    private static func reason(
        _ title: String,
        _ dislike: String,
        tags: [String] = [],
        _ description: String? = nil
    )
        async throws -> String?
    {
        var scene = Scene([
            .invented("clock", "Oak mantel clock"), .invented("offer", title, description: description, tags: tags),
        ])
        scene.dislikes = [dislike]
        return try await scene.run().dropReason(of: "offer")
    }

    @Test(
        arguments: [
            ("Caffeine-free rooibos in a tin", "Coffee", [], nil),
            ("Rooibos in a tin", "Coffee", [], "Caffeine-free and mild"),
            ("Evening of The Winter Tale", "Art", ["Arts & Theatre"], nil),
            ("Wool picnic rug", "Sports", ["Sports & Outdoors"], nil),
            ("Walk through the Victorian arcade", "Gaming", [], nil),
            ("Afternoon of small shops", "Gaming", [], "In a covered arcade of 1880"),
        ] as [(String, String, [String], String?)]
    )
    func `is not met by what a thing is without, a department, or another thing of that name`(
        title: String,
        dislike: String,
        tags: [String],
        description: String?
    ) async throws {
        #expect(try await Self.reason(title, dislike, tags: tags, description) != "disliked")
    }

    @Test(
        arguments: [
            ("Espresso coffee sampler", "Coffee", []), ("Pinball arcade evening", "Gaming", []),
            ("Evening in town", "Theater", ["Theatre"]), ("Picnic rug", "Sports", ["Sports"]),
            ("Sugar-free iced coffee", "Coffee", []),
        ] as [(String, String, [String])]
    )
    func `is met by the thing itself`(title: String, dislike: String, tags: [String]) async throws {
        #expect(try await Self.reason(title, dislike, tags: tags) == "disliked")
    }
}
