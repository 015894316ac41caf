import JSONDocument

/// The choices of many sets column by column, which costs the server less than taking documents apart.
struct ChoiceColumns {
    /// Lists within a cell are parted by this, which stands in none of their texts.
    private static let separator = "\u{1F}"

    private let runs: [PostgresUUID]
    private let choices: [JSONObject]

    init(_ records: [SetRecord]) {
        var runs: [PostgresUUID] = []
        var choices: [JSONObject] = []
        for record in records {
            for choice in record.rows.array ?? [] {
                runs.append(record.run)
                choices.append(choice.object ?? JSONObject())
            }
        }
        self.runs = runs
        self.choices = choices
    }

    /// What stands after `from`: one row for each choice, its columns named like those of the table.
    var rows: SQLQuery {
        """
        rows from (
            pg_catalog.unnest(\(runs)), pg_catalog.unnest(\(integers("position"))),
            pg_catalog.unnest(\(texts("candidate_id"))), pg_catalog.unnest(\(texts("provider"))),
            pg_catalog.unnest(\(lists("providers"))), pg_catalog.unnest(\(texts("recommendation_type"))),
            pg_catalog.unnest(\(texts("title"))), pg_catalog.unnest(\(texts("description"))),
            pg_catalog.unnest(\(texts("external_url"))), pg_catalog.unnest(\(texts("image_url"))),
            pg_catalog.unnest(\(integers("price_cents"))), pg_catalog.unnest(\(texts("currency"))),
            pg_catalog.unnest(\(integers("party"))), pg_catalog.unnest(\(integers("total_cents"))),
            pg_catalog.unnest(\(integers("budget_cents"))), pg_catalog.unnest(\(texts("merchant_name"))),
            pg_catalog.unnest(\(documents("location"))), pg_catalog.unnest(\(texts("starts_at"))),
            pg_catalog.unnest(\(numbers("score"))), pg_catalog.unnest(\(documents("contributions"))),
            pg_catalog.unnest(\(texts("reason"))), pg_catalog.unnest(\(lists("hint_ids"))),
            pg_catalog.unnest(\(documents("evidence"))), pg_catalog.unnest(\(texts("availability")))
        ) as c (
            run_id, position, candidate_id, provider, providers, recommendation_type, title, description, external_url,
            image_url, price_cents, currency, party, total_cents, budget_cents, merchant_name, location, starts_at,
            score, contributions, reason, hint_ids, evidence, availability
        )
        """
    }

    private func texts(_ name: String) -> [String?] { choices.map { $0[name]?.string } }
    private func integers(_ name: String) -> [Int?] { choices.map { $0[name]?.int } }
    private func numbers(_ name: String) -> [Double?] { choices.map { $0[name]?.double } }

    private func documents(_ name: String) -> [JSONValue?] {
        choices.map { choice in
            // Spelled out, since a bare nil would be JSON's null here and no column without a value.
            guard let document = choice[name], !document.isNull else { return JSONValue?.none }
            return document
        }
    }

    private func lists(_ name: String) -> [String?] {
        choices.map { choice in
            choice[name]?.array.map { $0.compactMap(\.string).joined(separator: Self.separator) }
        }
    }
}
