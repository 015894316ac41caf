import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation

/// Many sets as one statement: each is stored whole or not at all, whatever the others meet.
///
/// Only sets on demand come here: what ends a job or needs its milestone is stored alone.
struct SetBatch {
    /// In the order of their identities, so that two writers of the same sets wait for each other in one order.
    let records: [SetRecord]
    private let choices: ChoiceColumns

    /// The records in that order, each identity once.
    init(_ records: [SetRecord]) {
        self.records = records
        choices = ChoiceColumns(records)
    }

    /// The runs, their rows and the used hints; one row comes back for each record, in their order.
    var insertion: SQLQuery {
        let hints = records.flatMap { record in record.hints.map { (run: record.run, hint: $0) } }
        return """
            with asked as (
                \(fragment: asked)
            ), run as (
                insert into public.recommendation_runs (
                    id, identity, identity_milestone_id, vault_id, milestone_id, occurrence_date, occasion_type, kind,
                    request, pipeline_name, pipeline_hash, engine_version, seed, input_digest, as_of, outcome, reasons,
                    counts, timings, result, supersedes, round
                )
                select
                    a.id, a.identity, a.milestone_id, v.id,
                    (select m.id from public.partner_milestones m where m.id = a.milestone_id and m.vault_id = v.id),
                    a.occurrence_date, a.occasion_type, a.kind, a.request, a.pipeline_name, a.pipeline_hash,
                    a.engine_version, a.seed::pg_catalog.numeric, a.input_digest, a.as_of, a.outcome, a.reasons,
                    a.counts, a.timings, a.result::pg_catalog.json,
                    (
                        select s.id from public.recommendation_runs s
                        where s.id = a.supersedes and s.vault_id = v.id
                    ),
                    a.round
                from asked a join public.partner_vaults v on v.id = a.vault_id
                where a.kind <> 'on_demand' or not exists (
                    select 1 from public.recommendation_runs o
                    where o.vault_id = v.id and o.kind = 'on_demand' and o.request = a.request
                        and o.identity <> a.identity
                )
                order by a.place
                on conflict do nothing
                returning id, vault_id, milestone_id
            ), choice as (
                insert into public.recommendations (
                    vault_id, milestone_id, run_id, position, candidate_id, provider, providers, recommendation_type,
                    title, description, external_url, image_url, price_cents, currency, party, total_cents,
                    budget_cents, merchant_name, location, starts_at, score, contributions, reason, hint_ids, evidence,
                    availability
                )
                select
                    run.vault_id, run.milestone_id, run.id, c.position, c.candidate_id, c.provider,
                    pg_catalog.string_to_array(c.providers, pg_catalog.chr(31)), c.recommendation_type, c.title,
                    c.description, c.external_url, c.image_url, c.price_cents, c.currency, c.party, c.total_cents,
                    c.budget_cents, c.merchant_name, c.location, c.starts_at::pg_catalog.timestamptz, c.score,
                    c.contributions, c.reason,
                    pg_catalog.string_to_array(c.hint_ids, pg_catalog.chr(31))::pg_catalog.uuid[], c.evidence,
                    c.availability
                from \(fragment: choices.rows) join run on run.id = c.run_id
            ), used as (
                update public.hints h set is_used = true
                from rows from (
                    pg_catalog.unnest(\(hints.map(\.run))), pg_catalog.unnest(\(hints.map(\.hint)))
                ) as u (run_id, hint_id)
                join run on run.id = u.run_id
                where h.id = u.hint_id and h.vault_id = run.vault_id and not h.is_used
            )
            select
                exists (select from run where run.id = a.id) as is_new,
                exists (select from public.partner_vaults v where v.id = a.vault_id) as has_vault
            from asked a order by a.place
            """
    }

    /// The runs as they were handed in.
    private var asked: SQLQuery {
        """
        select * from rows from (
            pg_catalog.unnest(\(records.map(\.run))), pg_catalog.unnest(\(records.map(\.identity.digest))),
            pg_catalog.unnest(\(records.map(\.vault))), pg_catalog.unnest(\(records.map(\.milestone))),
            pg_catalog.unnest(\(records.map(\.occurrence))), pg_catalog.unnest(\(records.map(\.tier.rawValue))),
            pg_catalog.unnest(\(records.map(\.request.kind.rawValue))),
            pg_catalog.unnest(\(records.map(\.request.request))), pg_catalog.unnest(\(records.map(\.pipelineName))),
            pg_catalog.unnest(\(records.map(\.pipelineHash))),
            pg_catalog.unnest(\(records.map(\.request.engineVersion))),
            pg_catalog.unnest(\(records.map { String($0.seed) })),
            pg_catalog.unnest(\(records.map(\.request.inputDigest))), pg_catalog.unnest(\(records.map(\.asOf))),
            pg_catalog.unnest(\(records.map(\.outcome.rawValue))), pg_catalog.unnest(\(records.map(\.reasons))),
            pg_catalog.unnest(\(records.map(\.counts))), pg_catalog.unnest(\(records.map(\.request.timings))),
            pg_catalog.unnest(\(records.map(\.result))), pg_catalog.unnest(\(records.map(\.request.supersedes))),
            pg_catalog.unnest(\(records.map(\.round)))
        ) with ordinality as a (
            id, identity, vault_id, milestone_id, occurrence_date, occasion_type, kind, request, pipeline_name,
            pipeline_hash, engine_version, seed, input_digest, as_of, outcome, reasons, counts, timings, result,
            supersedes, round, place
        )
        """
    }
}

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
