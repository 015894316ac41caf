package import JSONDocument
package import KnotDomain
package import StageGraph

/// One of the three, as it is shown and stored.
package struct Choice: Sendable {
    /// 1 to 3, and on from there for what is shown besides a set.
    package let position: Int
    package let ranked: Ranked<Offer>
    /// `available` or `unknown`.
    package let availability: String
    /// In the budget's currency; nil when unknown.
    package let budgetCents: Int?
    /// For the person, in their own words where there are some; it goes onto the card and nowhere else.
    package let reason: String
    /// For wherever a text leaves: without notes, names and words of health.
    package let neutralReason: String
    package let tie: Tie
    package let hints: [HintID]

    package var offer: Offer { ranked.item }
}

/// A finished set with what it is for.
package struct ChoiceOfThree: Sendable {
    package let brief: Brief
    package let choices: [Choice]
    package let relaxations: [Relaxation]
    /// Whether the readings, the rates and so on stand beside the choices: who read the hints.
    package let reader: String
    /// What else can be had, best first, where more than three cards were asked for; no part of the set.
    package var further: [Choice] = []

    package var isShort: Bool { choices.count < 3 }
}

/// Writes a finished run as `knot.choice/1`: nothing measured, every field there, the same bytes for the same run.
package struct ChoiceDocument: Sendable {
    private let run: EngineRun
    private let choices: ChoiceOfThree

    /// Nil for a run that failed.
    package init?(_ run: EngineRun) {
        guard case .success(let choices) = run.result else { return nil }
        self.run = run
        self.choices = choices
    }

    package func json(identity: RunIdentity) -> JSONValue {
        let brief = choices.brief
        return [
            "schema": "knot.choice/1", "run_id": .string(identity.runID), "outcome": .string(run.outcome.rawValue),
            "reasons": .array(run.report.reasons.map(Self.json)), "vault_id": .string(brief.vault.id.text),
            "milestone_id": JSONValue(brief.milestone?.id.text), "occasion": .string(brief.tier.rawValue),
            "occurrence": JSONValue(brief.occurrence?.description),
            "pipeline": ["name": .string(run.plan.name), "hash": .string(run.plan.identity)],
            "as_of": .string(brief.asOf.iso8601), "seed": .string(String(run.seed)),
            "readings": .string(choices.reader),
            "rates": ["as_of": .string(brief.rates.asOf.description), "source": .string(brief.rates.source)],
            "budget": brief.budget.json, "refresh": RefreshDocument.json(brief.refresh),
            "choices": .array(choices.choices.map { Self.json($0, brief) }),
            "further": .array(choices.further.map { Self.json($0, brief) }), "stored": .bool(run.isStored),
            "counts": counts,
        ]
    }

    private var counts: JSONValue {
        let counts = run.report.counts
        return [
            "retrieved": .integer(counts.retrieved), "doubled": .integer(counts.doubled),
            "merged": .integer(counts[.merged]), "cut": .integer(counts[.cut]),
            "dropped": .integer(counts[.dropped]),
            "kept": .integer(counts.retrieved - counts[.merged] - counts[.cut] - counts[.dropped]),
            "not_selected": .integer(counts[.notSelected] + counts[.unused]), "lost": .integer(counts[.lost]),
            "chosen": .integer(counts[.chosen]),
        ]
    }

    private static func json(_ reason: RunReason) -> JSONValue {
        ["code": .string(reason.code), "node": JSONValue(reason.node?.text), "detail": .string(reason.detail)]
    }

    private static func json(_ choice: Choice, _ brief: Brief) -> JSONValue {
        let candidate = choice.offer.candidate
        let contributions = choice.ranked.total.parts.map { JSONObject.Member(name: $0.name, value: .number($0.value)) }
        return [
            "position": .integer(choice.position), "candidate_id": .string(candidate.id.text),
            "provider": .string(candidate.provider.rawValue),
            "providers": JSONValue(choice.offer.provenance.map(\.rawValue)), "type": .string(candidate.type.rawValue),
            "title": .string(candidate.title), "description": JSONValue(candidate.description),
            "url": .string(candidate.url), "image_url": JSONValue(candidate.imageURL),
            "price_cents": JSONValue(candidate.priceCents), "currency": .string(candidate.currency.code),
            "party": .integer(choice.offer.price.party), "total_cents": JSONValue(choice.offer.price.totalCents),
            "budget_cents": JSONValue(choice.budgetCents), "merchant": JSONValue(candidate.merchant),
            "location": candidate.location?.json ?? .null, "starts_at": JSONValue(candidate.startsAt?.iso8601),
            // What clocks at the place show, and their zone where it is not the couple's own time.
            "starts_at_local": JSONValue(brief.localStart(of: candidate)?.description),
            "starts_at_zone": JSONValue(brief.shownZone(of: candidate)),
            "score": .number(choice.ranked.score), "contributions": .object(JSONObject(contributions)),
            "reason": .string(choice.reason),
            "reason_neutral": .string(choice.neutralReason), "hint_ids": JSONValue(choice.hints.map(\.text)),
            "evidence": .array(
                choice.ranked.total.evidence.map {
                    ["kind": .string($0.kind), "ref": .string($0.ref), "weight": .number($0.weight)]
                }
            ),
            "availability": .string(choice.availability),
        ]
    }
}
