package import JSONDocument
package import KnotDomain

/// One judged case: a vault as it stood, the request, all that the outside world would have answered, and judgments.
package struct Fixture: Sendable {
    package let name: String
    package let story: String?
    /// The clock of the run, unless it is given otherwise.
    package let asOf: Instant?
    /// Nil when the fixture leaves it to the command or the default.
    package let request: FixtureRequest?
    package let vault: Vault
    /// In file order, each id once.
    package let candidates: [Candidate]
    /// Ids that came again in the file; the first with an id is kept.
    package let duplicateCandidates: [CandidateID]
    /// One for every candidate.
    package let facts: [CandidateID: AvailabilityFact]
    /// Nil when the fixture is not judged.
    package let judgments: [CandidateID: Judgment]?

    /// Whether anybody judged any candidate; an empty list of judgments says nothing.
    package var isJudged: Bool { judgments?.isEmpty == false }

    package init(
        name: String,
        story: String?,
        asOf: Instant?,
        request: FixtureRequest?,
        vault: Vault,
        candidates: CandidateList,
        facts: [CandidateID: AvailabilityFact],
        judgments: [CandidateID: Judgment]?
    ) {
        self.name = name
        self.story = story
        self.asOf = asOf
        self.request = request
        self.vault = vault
        self.candidates = candidates.candidates
        duplicateCandidates = candidates.duplicates
        self.facts = facts
        self.judgments = judgments
    }

    /// Reads `knot.fixture/1` and notes every problem with its path; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        reader.expectSchema("knot.fixture/1")
        let name = reader.required("name")?.text(limit: TextLimit.name)
        let story = reader.optional("story")?.optionalText(limit: TextLimit.description)
        let asOf = reader.optional("as_of")?.instant()
        let vault = reader.required("vault").flatMap { Vault(reading: $0) }
        let milestones = vault.map { Set($0.milestones.map(\.id)) }
        let request = reader.optional("request").flatMap { FixtureRequest(reading: $0, knownMilestones: milestones) }
        var candidates: [Candidate] = []
        var facts: [CandidateID: AvailabilityFact] = [:]
        // Ids of candidates that cannot be read are known too: a judgment of one is no second problem.
        var known: Set<CandidateID> = []
        for item in reader.optional("candidates")?.items() ?? [] {
            if let id = item.value["id"]?.string { known.insert(CandidateID(id)) }
            let candidate = Candidate(reading: item)
            let fact = AvailabilityFact(reading: item)
            guard let candidate, let fact else { continue }
            candidates.append(candidate)
            known.insert(candidate.id)
            if facts[candidate.id] == nil { facts[candidate.id] = fact }
        }
        let judgments = reader.optional("judgments").map { Self.judgments(reading: $0, known: known) }
        guard reader.problems.list.count == before, let name, let vault else { return nil }
        self.init(
            name: name,
            story: story,
            asOf: asOf,
            request: request,
            vault: vault,
            candidates: CandidateList(candidates),
            facts: facts,
            judgments: judgments
        )
    }

    private static func judgments(reading reader: JSONReader, known: Set<CandidateID>) -> [CandidateID: Judgment] {
        var judgments: [CandidateID: Judgment] = [:]
        for item in reader.items() {
            guard let id = item.required("candidate_id"), let text = id.string() else { continue }
            let candidate = CandidateID(text)
            if !known.contains(candidate) { id.note("\"\(text.prefix(60))\" is not a candidate of this file") }
            guard let judgment = Judgment(reading: item) else { continue }
            if judgments.updateValue(judgment, forKey: candidate) != nil {
                id.note("\"\(text.prefix(60))\" is judged twice")
            }
        }
        return judgments
    }
}
