import KnotDomain
import TestSupport
import Testing

/// Who rates a thing again has changed their mind.
@Suite("A changed mind") struct ChangedMindTests {
    private static func rated(_ rating: Int) -> Feedback { Feedback(action: .rated, rating: rating, reason: nil) }

    private static func run(_ feedback: [Feedback]) async throws -> String? {
        var scene = Scene([.invented("same-shop", "Walnut tray", merchant: "House of before")])
        scene.remember("Copper kettle", merchant: "House of before", feedback: feedback)
        return try await scene.run().dropReason(of: "same-shop")
    }

    @Test func `of several ratings only the latest refuses`() async throws {
        let worse = try await Self.run([Self.rated(5), Self.rated(1)])
        #expect(worse == "already_refused")
        #expect(try await Self.run([Self.rated(5), Self.rated(1), Self.rated(5)]) == nil)
    }

    @Test func `a rating takes back no other refusal, and a rating without a number no rating`() async throws {
        let has = Feedback(action: .refreshed, rating: nil, reason: "already_have_similar")
        #expect(try await Self.run([has, Self.rated(5)]) == "already_refused")
        let silent = Feedback(action: .rated, rating: nil, reason: nil)
        #expect(try await Self.run([Self.rated(1), silent]) == "already_refused")
    }
}
