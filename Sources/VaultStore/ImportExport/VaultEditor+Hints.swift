import Digest
package import JSONDocument
package import KnotDomain
package import PostgresClient

/// One hint as a list shows it.
package struct StoredHint: Sendable, Hashable {
    package let id: PostgresUUID
    package let text: String
    package let source: String
    /// Nil where the row has no moment that a calendar knows.
    package let createdAt: Instant?
    package let isUsed: Bool

    package var json: JSONValue {
        [
            "id": .string(id.description), "text": .string(text), "source": .string(source),
            "created_at": JSONValue(createdAt?.iso8601), "is_used": .bool(isUsed),
        ]
    }
}

extension VaultEditor {
    /// The hints of a vault, oldest first, and the name of the zone whose days they are of.
    package func hints(
        of vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> (timeZone: String, hints: [StoredHint]) {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let found = try await transaction.pipeline(
                [
                    """
                    select u.timezone from public.partner_vaults v join public.users u on u.id = v.user_id
                    where v.id = \(vault)
                    """,
                    """
                    select h.id, h.hint_text, h.source, h.created_at, h.is_used from public.hints h
                    where h.vault_id = \(vault) order by h.created_at, h.id
                    """,
                ]
            )
            guard let owner = found[found.count - 2].first else { return .failure(.vaultNotThere) }
            let timeZone: String? = try owner.decode("timezone")
            let hints = try found[found.count - 1].map { row throws(PostgresError) in
                StoredHint(
                    id: try row.decode("id"),
                    text: try row.decode("hint_text"),
                    source: try row.decode("source"),
                    createdAt: Self.moment(row),
                    isUsed: try row.decode("is_used")
                )
            }
            return .success((BoundaryText.clean(timeZone ?? "", limit: TextLimit.name), hints))
        }
    }

    private static func moment(_ row: Row) -> Instant? {
        do throws(PostgresError) {
            return try row.decode("created_at")
        } catch {
            return nil
        }
    }

    /// Gives a hint another text, with which its embedding and readings go; the same text again changes nothing.
    package func edit(
        hint id: PostgresUUID,
        of vault: PostgresUUID,
        to text: String,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) {
        let reader = JSONReader([
            "id": .string(id.description), "text": .string(text), "source": .string(Hint.Source.textInput.rawValue),
            "created_at": "2000-01-01T00:00:00Z",
        ])
        guard let hint = Hint(reading: reader) else {
            throw VaultStoreError(.invalid, "the hint cannot be kept", problems: reader.problems.list)
        }
        let kept = hint.text.withoutZeros
        try await change(
            id,
            """
            update public.hints set hint_text = \(kept) where id = \(id) and vault_id = \(vault) returning id
            """,
            provenBy: "select 1 from public.hints h where h.id = \(id) and h.hint_text = \(kept)",
            until: deadline
        )
    }

    /// Deletes a hint with everything that was read from it and from its vault as a whole.
    package func remove(
        hint: PostgresUUID,
        of vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) {
        try await change(
            hint,
            "delete from public.hints where id = \(hint) and vault_id = \(vault) returning id",
            provenBy: "select 1 where not exists (select 1 from public.hints h where h.id = \(hint))",
            until: deadline
        )
    }

    private func change(
        _ hint: PostgresUUID,
        _ statement: SQLQuery,
        provenBy look: SQLQuery,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) {
        _ = try await pool.change(until: deadline) {
            (
                transaction: PostgresTransaction
            ) async throws(PostgresError) -> Conclusion<Result<Bool, VaultStoreError>>
            in
            let found = try await transaction.pipeline([statement])
            guard found.last?.isEmpty == false else {
                return .refused(VaultStoreError(.notThere, "there is no hint \(hint) in this vault"))
            }
            return .written(true, provenBy: look)
        }
    }
}

package struct AddedHints: Sendable, Hashable {
    /// In the order of the texts.
    package let ids: [PostgresUUID]
    /// How many were not there before.
    package let newCount: Int
}

/// A hint on its way into a vault, whose id tells its content: asked for again, it is the same row.
struct NewHint: Sendable {
    /// Where hints come from.
    struct Source: Sendable {
        let vault: PostgresUUID
        let source: Hint.Source
        let request: String
        /// The key of the vault's person, once that was read.
        private(set) var person = ""

        func of(person: String) -> Source {
            var source = self
            source.person = person
            return source
        }
    }

    /// The id that its content makes.
    let name: PostgresUUID
    /// Its id where another vault has a row under its name.
    let standIn: PostgresUUID
    private(set) var id: PostgresUUID
    /// As the product keeps texts: blanks around it are nothing that a person says.
    let text: String
    private let source: Hint.Source
    private let place: Int

    /// The same words twice in one list are two hints; ids in `taken` are of hints that say something else by now.
    static func list(_ texts: [String], from words: Source, besides taken: Set<PostgresUUID> = []) -> [NewHint] {
        var counts: [String: Int] = [:]
        return texts.enumerated().map { place, raw in
            let text = BoundaryText.clean(raw, limit: 8 * TextLimit.hintCharacters)
            while true {
                let number = counts[text, default: 0]
                counts[text] = number + 1
                let name: JSONValue = [
                    "vault": .string(words.vault.description), "request": .string(words.request),
                    "source": .string(words.source.rawValue), "text": .string(text), "number": .integer(number),
                ]
                let id = PostgresUUID(naming: name)
                if taken.contains(id) { continue }
                let standIn = id.standIn(by: words.person)
                return NewHint(name: id, standIn: standIn, id: id, text: text, source: words.source, place: place)
            }
        }
    }

    /// Leaves its name to another vault's row.
    mutating func giveWay() { id = standIn }

    func check(at moment: Instant, of count: Int) throws(VaultStoreError) {
        let reader = JSONReader(
            [
                "id": .string(id.description), "text": .string(text), "source": .string(source.rawValue),
                "created_at": .string(moment.iso8601),
            ]
        )
        guard Hint(reading: reader) == nil else { return }
        let which = count == 1 ? "the hint cannot be kept" : "hint \(place + 1) of \(count) cannot be kept, so none is"
        throw VaultStoreError(.invalid, which, problems: reader.problems.list)
    }

    /// The row of one of `count` hints that were noticed in their order: the last at the moment, each before it a
    /// millisecond earlier, so that the order stays and a later one can take back an earlier one.
    func row(at moment: Instant, of count: Int) -> JSONObject {
        let (earlier, overflows) = moment.millisecondsSinceEpoch.subtractingReportingOverflow(Int64(count - 1 - place))
        let noticed = overflows ? moment : Instant(millisecondsSinceEpoch: earlier)
        return JSONObject([
            .init(name: "id", value: .string(id.description)),
            .init(name: "text", value: .string(text.withoutZeros)),
            .init(name: "source", value: .string(source.rawValue)),
            .init(name: "created_at", value: .string(noticed.iso8601)), .init(name: "is_used", value: false),
        ])
    }
}
