import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What two listings must have in common to be one thing, and what sets them apart however near they are.
@Suite("Two listings") struct OneThingTests {
    private static func scene(_ candidates: [Candidate]) -> Scene {
        Scene(
            candidates + [
                .invented("clock", "Oak mantel clock"), .invented("scarf", "Lambswool scarf"),
                .invented("tray", "Slate serving tray", type: .experience),
            ]
        )
    }

    /// Which of two are merged away, where words of one list mean the same.
    private func merged(_ candidates: [Candidate], alike: [[String]] = []) async throws -> [String] {
        let scene = Self.scene(candidates)
        var ports = scene.ports()
        ports.embedder = WordAxes(alike: alike)
        let run = try await scene.run(ports: ports)
        return candidates.map(\.id.text).filter { run.end(of: $0) == .merged }
    }

    @Test func `of one outing are never both shown, whether they call it an experience or a date`() async throws {
        var scene = Self.scene([
            .invented("tour", "Sunset kayak tour for two", type: .experience),
            .invented("seat", "Sunset kayak tour for two", type: .date, startsAt: "2026-03-20T19:00:00Z"),
        ])
        scene.note("She wants to be on the water at sunset", serves: ["sunset kayak tour"])
        let run = try await scene.run()
        #expect(run.shown.filter { ["tour", "seat"].contains($0) }.count == 1, "\(run.shown)")
    }

    @Test(arguments: [CandidateType.experience, .date]) func `of one house's outing are one, on a day or on none`(
        type: CandidateType
    ) async throws {
        let pair: [Candidate] = [
            .invented("tour", "Sunset kayak tour", type: type, merchant: "Paddle"),
            .invented("seat", "Sunset kayak tour", type: .date, merchant: "Paddle", startsAt: "2026-03-20T19:00:00Z"),
        ]
        #expect(try await merged(pair).count == 1)
    }

    @Test func `of an outing and of its voucher are two things, and so are two evenings`() async throws {
        let voucher: [Candidate] = [
            .invented("tour", "Sunset kayak tour", type: .experience, merchant: "Paddle"),
            .invented("paper", "Sunset kayak tour", merchant: "Paddle"),
        ]
        #expect(try await merged(voucher).isEmpty)
        let evenings: [Candidate] = [
            .invented("one", "Sunset kayak tour", type: .date, merchant: "Paddle", startsAt: "2026-03-20T19:00:00Z"),
            .invented("two", "Sunset kayak tour", type: .date, merchant: "Paddle", startsAt: "2026-03-21T19:00:00Z"),
        ]
        #expect(try await merged(evenings).isEmpty)
    }

    @Test(arguments: [
        ("Oboe reeds, soft", "Oboe reeds, hard"), ("Walking boots, size 38", "Walking boots, size 44"),
        ("Roll film, 120", "Roll film, 135"), ("Tea for two", "Tea for six"),
    ])
    func `that each have a word or a number of their own are two things, however near in meaning`(
        one: String,
        other: String
    ) async throws {
        let pair: [Candidate] = [.invented("one", one), .invented("other", other, price: 7_000)]
        #expect(try await merged(pair, alike: [["soft", "hard"], ["two", "six"]]).isEmpty)
    }

    @Test func `whose words only stand elsewhere or are more are one thing where they mean the same`() async throws {
        let pair: [Candidate] = [
            .invented("one", "Sable brushes, set of 6", description: "For watercolour"),
            .invented("other", "Set of 6 brushes, sable", description: "For watercolours"),
        ]
        let meanings = [["watercolour", "watercolours"]]
        #expect(try await merged(pair, alike: meanings) == ["other"])
        let named: [Candidate] = [
            .invented("one", "Sable brushes by Pinto", description: "Pinto", merchant: "Pinto"),
            .invented("other", "Sable brushes by Rosa", description: "Rosa", merchant: "Rosa"),
        ]
        #expect(try await merged(named, alike: [["Pinto".lowercased(), "Rosa".lowercased()]]) == ["other"])
    }

    @Test func `of one address that name different things are two things`() async throws {
        let page = "https://clay.example/book"
        let different: [Candidate] = [
            .invented(
                "pots",
                "Wheel throwing evening",
                type: .experience,
                url: page,
                price: 6_000,
                merchant: "Clay House"
            ),
            .invented(
                "party",
                "Clay House summer lunch",
                type: .experience,
                url: page + "?ref=lunch",
                merchant: "Clay House"
            ),
        ]
        #expect(try await merged(different).isEmpty)
        let unpriced: [Candidate] = [
            different[0],
            .invented("party", "Summer lunch", type: .experience, url: page, price: nil, merchant: "Clay House"),
        ]
        #expect(try await merged(unpriced).isEmpty)
    }

    @Test func `of one address are one thing where a telling word, or type and price, are the same`() async throws {
        let page = "https://clay.example/book"
        let named: [Candidate] = [
            .invented("one", "Wheel throwing evening", type: .experience, url: page),
            .invented("other", "Throwing on the wheel - Clay", type: .experience, url: page, price: 9_000),
        ]
        #expect(try await merged(named) == ["other"])
        let translated: [Candidate] = [
            .invented("one", "Wheel throwing", url: page), .invented("other", "Drehen an der Scheibe", url: page),
        ]
        #expect(try await merged(translated) == ["other"])
    }
}
