package import JSONDocument
package import KnotDomain
import Recommendation

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

/// What a fixture asks a choice for.
package enum FixtureRequest: Hashable, Sendable {
    case milestone(MilestoneID)
    case occasion(OccasionTier)

    /// Reads a request against the milestones there are, and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader, knownMilestones: Set<MilestoneID>?) {
        guard reader.value.object != nil else {
            reader.note("expected an object, found \(reader.value.kindName)")
            return nil
        }
        switch (reader.optional("milestone_id"), reader.optional("occasion")) {
        case (let milestone?, nil):
            guard let text = milestone.string() else { return nil }
            // Of a vault that could not be read the milestones are not known.
            if let knownMilestones, !knownMilestones.contains(MilestoneID(text)) {
                milestone.note("\"\(text.prefix(60))\" is not a milestone of this vault")
                return nil
            }
            self = .milestone(MilestoneID(text))
        case (nil, let occasion?):
            guard let tier = occasion.choice(OccasionTier.self) else { return nil }
            self = .occasion(tier)
        case (nil, nil):
            reader.note("needs a milestone_id or an occasion")
            return nil
        case (.some, .some):
            reader.note("has both a milestone_id and an occasion")
            return nil
        }
    }
}

/// What a careful judge says of one candidate for one request.
package struct Judgment: Hashable, Sendable {
    /// 0 poor, 1 acceptable but generic, 2 good, 3 would delight.
    package let grade: Int
    /// Must never be shown; its grade is always 0.
    package let isForbidden: Bool
    package let why: String?

    package init(grade: Int, isForbidden: Bool, why: String?) {
        self.grade = grade
        self.isForbidden = isForbidden
        self.why = why
    }

    /// Reads one judgment and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let grade = reader.required("grade")?.int(in: 0...3)
        let isForbidden = reader.optional("forbidden").map { $0.bool() } ?? false
        let why = reader.optional("why")?.optionalText(limit: TextLimit.reason)
        if let grade, grade > 0, isForbidden == true { reader.note("must be 0 where forbidden is true", at: "grade") }
        guard reader.problems.list.count == before, let grade, let isForbidden else { return nil }
        self.init(grade: grade, isForbidden: isForbidden, why: why)
    }
}

/// What an availability check of one candidate would find; each pipeline draws its own verdict from it.
package struct AvailabilityFact: Hashable, Sendable {
    /// The outside world's answer.
    package enum Check: String, CaseIterable, Sendable {
        /// 200, in stock.
        case available
        /// 200 with an out-of-stock signal.
        case soldOut = "sold_out"
        /// 200 with a permanently-closed signal.
        case closed
        /// 404.
        case gone
        /// 403, a bot wall.
        case blocked
        /// 200 with another price.
        case priceChanged = "price_changed"
    }

    package let check: Check
    /// For `priceChanged`, in the listed currency's minor units; nil when the price is unknown now.
    package let checkedPriceCents: Int?

    package init(check: Check, checkedPriceCents: Int?) {
        self.check = check
        self.checkedPriceCents = checkedPriceCents
    }

    /// Reads the fact that stands beside a candidate's own fields; a candidate that says nothing is available.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let check = reader.optional("check").map { $0.choice(Check.self) } ?? .available
        let price = reader.optional("checked_price_cents")?.minorUnits()
        guard reader.problems.list.count == before, let check else { return nil }
        self.init(check: check, checkedPriceCents: price)
    }

    /// The status code that a plain request for the page would get.
    package var httpStatus: Int {
        switch check {
        case .available, .soldOut, .closed, .priceChanged: 200
        case .gone: 404
        case .blocked: 403
        }
    }
}

extension AvailabilityProbe {
    /// What a look at the page of a fixture's candidate would bring home.
    init(_ fact: AvailabilityFact) {
        switch fact.check {
        case .available: self.init(status: fact.httpStatus, signal: .inStock, price: .notLooked)
        case .soldOut: self.init(status: fact.httpStatus, signal: .outOfStock, price: .notLooked)
        case .closed: self.init(status: fact.httpStatus, signal: .permanentlyClosed, price: .notLooked)
        case .gone, .blocked: self.init(status: fact.httpStatus, signal: .none, price: .notLooked)
        case .priceChanged:
            self.init(
                status: fact.httpStatus,
                signal: .inStock,
                price: fact.checkedPriceCents.map { .minorUnits($0) } ?? .unknown
            )
        }
    }
}
