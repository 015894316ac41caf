import JSONDocument
package import KnotDomain
import PostgresClient
package import Recommendation
package import StageGraph

/// One choice of a set as a row of `recommendations`.
///
/// A new column is a line of `columns` and a migration: statements, binds and what `history` lists follow from it.
package struct ChoiceRow: Sendable {
    /// 1 to 3.
    let position: Int
    let ranked: Ranked<Offer>
    let budgetCents: Int?
    let availability: String
    let reason: String
    let hints: [HintID]

    package init(
        position: Int,
        ranked: Ranked<Offer>,
        budgetCents: Int?,
        availability: String,
        reason: String,
        hints: [HintID]
    ) {
        self.position = position
        self.ranked = ranked
        self.budgetCents = budgetCents
        self.availability = availability
        self.reason = reason
        self.hints = hints
    }

    init(_ choice: Choice) {
        self.init(
            position: choice.position,
            ranked: choice.ranked,
            budgetCents: choice.budgetCents,
            availability: choice.availability,
            reason: choice.reason,
            hints: choice.hints
        )
    }

    fileprivate var candidate: Candidate { ranked.item.candidate }
    fileprivate var price: OfferPrice { ranked.item.price }

    fileprivate var contributions: JSONValue {
        .object(JSONObject(ranked.total.parts.map { .init(name: $0.name, value: .number($0.value)) }))
    }

    fileprivate var evidence: JSONValue {
        .array(
            ranked.total.evidence.map { item in
                ["kind": .string(item.kind), "ref": .string(item.ref), "weight": .number(item.weight)]
            }
        )
    }
}

/// A choice with the run whose it is: the vault and the milestone of the row are the run's.
struct ChoiceOfRun: Sendable {
    let run: PostgresUUID
    let choice: ChoiceRow

    fileprivate var candidate: Candidate { choice.candidate }

    static let columns: [RowColumn<ChoiceOfRun>] = [
        RowColumn("run_id") { $0.run },
        RowColumn("position", listed: "position") { $0.choice.position },
        RowColumn("candidate_id", listed: "candidate_id") { $0.candidate.id.text },
        RowColumn("provider") { $0.candidate.provider.rawValue },
        RowColumn("providers", of: "text") { $0.choice.ranked.item.provenance.map(\.rawValue) },
        RowColumn("recommendation_type", listed: "type") { $0.candidate.type.rawValue },
        RowColumn("title", listed: "title") { $0.candidate.title },
        RowColumn("description") { $0.candidate.description },
        RowColumn("external_url", listed: "url") { $0.candidate.url },
        RowColumn("image_url") { $0.candidate.imageURL },
        // The table was there before this program, with a price of four bytes: one that is longer is in the total alone,
        // and in the run's result.
        RowColumn("price_cents", listed: "price_cents") {
            $0.candidate.priceCents.flatMap { Int32(exactly: $0) }.map(Int.init)
        },
        RowColumn("currency", listed: "currency") { $0.candidate.currency.code },
        RowColumn("party") { $0.choice.price.party },
        RowColumn("total_cents") { $0.choice.price.totalCents },
        RowColumn("budget_cents") { $0.choice.budgetCents },
        RowColumn("merchant_name", listed: "merchant") { $0.candidate.merchant },
        RowColumn("location") { $0.candidate.location?.json },
        RowColumn("starts_at") { $0.candidate.startsAt },
        RowColumn("score") { $0.choice.ranked.score },
        RowColumn("contributions") { $0.choice.contributions },
        RowColumn("reason", listed: "reason") { $0.choice.reason },
        RowColumn("hint_ids", of: "uuid") { $0.choice.hints.map(\.text) },
        RowColumn("evidence") { $0.choice.evidence },
        RowColumn("availability") { $0.choice.availability },
    ]

    /// The choices of the run `r` as one list in their order.
    static let listing: SQLQuery = """
        (
            select coalesce(
                pg_catalog.jsonb_agg(
                    pg_catalog.jsonb_build_object(
                        'id', c.id, \(fragment: .joined(columns.compactMap(\.listed), by: ", "))
                    ) order by c.position
                ),
                '[]'
            )
            from public.recommendations c where c.run_id = r.id
        )
        """
}
