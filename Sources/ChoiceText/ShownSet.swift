package import JSONDocument
package import KnotDomain

/// A set as `knot.choice/1` tells it: what cards, lists and differences of sets show.
///
/// It is read leniently, since a view must never keep a result from being seen: a missing member, or one of another type,
/// leaves its place empty. Stored sets of earlier versions have fewer members.
package struct ShownSet: Sendable {
    /// Why a set is not what it could be.
    package struct Reason: Sendable {
        package let code: String?
        package let node: String?
        package let detail: String?

        fileprivate init(_ json: JSONValue) {
            code = json["code"]?.string
            node = json["node"]?.string
            detail = json["detail"]?.string
        }
    }

    package let choices: [ShownChoice]
    /// Cards that were asked for beyond the set.
    package let further: [ShownChoice]
    package let occasion: String?
    package let occurrence: String?
    package let outcome: String?
    package let reasons: [Reason]
    package let pipelineName: String?
    package let pipelineHash: String?
    package let asOf: String?
    package let runID: String?
    /// Nil where nothing is said of it.
    package let isStored: Bool?
    /// Named only where it is not the currency of the offers.
    package let budgetCurrency: Currency?
    /// By name, in the order of the result.
    package let counts: [(name: String, count: String)]
    package let milliseconds: String?

    package init(_ json: JSONValue) {
        choices = (json["choices"]?.array ?? []).map(ShownChoice.init)
        further = (json["further"]?.array ?? []).map(ShownChoice.init)
        occasion = json["occasion"]?.string
        occurrence = json["occurrence"]?.string
        outcome = json["outcome"]?.string
        reasons = (json["reasons"]?.array ?? []).map(Reason.init)
        pipelineName = json["pipeline"]?["name"]?.string
        pipelineHash = json["pipeline"]?["hash"]?.string
        asOf = json["as_of"]?.string
        runID = json["run_id"]?.string
        isStored = json["stored"]?.bool
        budgetCurrency = json["budget"]?["currency"]?.string.flatMap { Currency($0) }
        counts = (json["counts"]?.object?.members ?? []).map { ($0.name, Self.text($0.value)) }
        milliseconds = (json["timings_ms"]?["total"]).map(Self.text)
    }

    /// A value as people read it: a text without its quotes.
    package static func text(_ value: JSONValue) -> String { value.string ?? JSONWriter.text(value) }
}

/// One of the cards.
package struct ShownChoice: Sendable {
    package struct Evidence: Sendable {
        package let kind: String?
        package let reference: String?
        package let weight: Double?

        fileprivate init(_ json: JSONValue) {
            kind = json["kind"]?.string
            reference = json["ref"]?.string
            weight = json["weight"]?.double
        }
    }

    package let position: Int?
    package let candidateID: String?
    package let provider: String?
    package let type: String?
    package let title: String?
    package let url: String?
    package let merchant: String?
    package let priceCents: Int?
    package let currency: Currency?
    package let party: Int?
    package let totalCents: Int?
    /// In the budget's currency.
    package let budgetCents: Int?
    /// City, state and country, as far as they are known.
    package let place: [String]
    package let startsAt: String?
    /// What clocks at the place show, and their zone where it is not the couple's own.
    package let startsAtLocal: String?
    package let startsAtZone: String?
    package let score: Double?
    /// The parts of the score by name; only finite ones.
    package let contributions: [(name: String, value: Double)]
    package let reason: String?
    package let evidence: [Evidence]
    package let availability: String?

    package init(_ json: JSONValue) {
        position = json["position"]?.int
        candidateID = json["candidate_id"]?.string
        provider = json["provider"]?.string
        type = json["type"]?.string
        title = json["title"]?.string
        url = json["url"]?.string
        merchant = json["merchant"]?.string
        priceCents = json["price_cents"]?.int
        currency = json["currency"]?.string.flatMap { Currency($0) }
        party = json["party"]?.int
        totalCents = json["total_cents"]?.int
        budgetCents = json["budget_cents"]?.int
        place = ["city", "state", "country"].compactMap { json["location"]?[$0]?.string }
        startsAt = json["starts_at"]?.string
        startsAtLocal = json["starts_at_local"]?.string
        startsAtZone = json["starts_at_zone"]?.string
        score = json["score"]?.double
        contributions = (json["contributions"]?.object?.members ?? []).compactMap { member in
            guard let value = member.value.double, value.isFinite else { return nil }
            return (member.name, value)
        }
        reason = json["reason"]?.string
        evidence = (json["evidence"]?.array ?? []).map(Evidence.init)
        availability = json["availability"]?.string
    }

    /// The same offer; in another vault the same one has another id and the same address.
    package func isSame(as other: Self) -> Bool {
        if let url, !url.isEmpty, url == other.url { return true }
        return candidateID == other.candidateID && title == other.title
    }

    /// A part of the score; 0 where it has none.
    package func contribution(of name: String) -> Double { contributions.first { $0.name == name }?.value ?? 0 }
}
