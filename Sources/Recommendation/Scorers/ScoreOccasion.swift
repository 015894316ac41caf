import KnotDomain
package import StageGraph
import TextEncoding

/// Whether an offer speaks of this occasion, of another one, or of none.
package struct ScoreOccasion: ScoreStage {
    package static let kind = "score.occasion"
    package static let summary = "Scores whether an offer mentions this occasion or another one."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    /// Which of the known occasions this one is, by their numbers.
    package struct Facts: Sendable {
        let own: Set<Int>
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts {
        let milestone = try inputs.value(Self.brief).milestone
        let name = milestone.map { "\($0.kind.rawValue) \($0.name)" } ?? ""
        return Facts(own: OccasionWords.occasions(in: TokenizedText(name)))
    }

    package func contribution(of item: Offer, given facts: Facts) throws(StageFailure) -> Contribution? {
        let spoken = OccasionWords.occasions(in: item.words.fields)
        if spoken.isEmpty { return nil }
        if let own = spoken.intersection(facts.own).min() {
            return Contribution(1, evidence: [Evidence(kind: "occasion", ref: OccasionWords.name(of: own), weight: 1)])
        }
        // Elsewhere in a description another occasion is an aside; in the title it is what the thing is for.
        return OccasionWords.occasions(in: item.words.title).isEmpty ? nil : Contribution(0)
    }
}

/// The words by which listings name the occasions they are made for.
enum OccasionWords {
    /// The numbers of the occasions a text speaks of.
    static func occasions(in text: TokenizedText) -> Set<Int> { occasions(in: [text]) }

    /// The numbers of the occasions that any of several texts speaks of.
    static func occasions(in texts: [TokenizedText]) -> Set<Int> {
        var found: Set<Int> = []
        let (matcher, owners) = (matcher, owners)
        for text in texts {
            for hit in matcher.hits(in: text) { found.insert(owners[hit.phrase]) }
        }
        return found
    }

    static func name(of occasion: Int) -> String { names[occasion][0] }

    private static let names = [
        ["birthday"], ["anniversary"], ["valentine", "valentine's day"], ["mother's day", "mothers day"],
        ["father's day", "fathers day"], ["christmas", "xmas", "noel"], ["easter"], ["halloween"], ["thanksgiving"],
        ["new year", "new year's eve"], ["graduation", "graduate", "commencement"], ["retirement"], ["wedding"],
        ["housewarming", "new home"], ["baby shower", "newborn"], ["hanukkah", "chanukah"], ["diwali", "deepavali"],
        ["lunar new year", "chinese new year"], ["eid"],
    ]

    private static let owners = names.enumerated().flatMap { number, names in names.map { _ in number } }
    private static let matcher = PhraseMatcher(names.flatMap { $0 }.map { Phrase($0) })
}
