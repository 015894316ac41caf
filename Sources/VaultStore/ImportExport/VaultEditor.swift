import Digest
package import JSONDocument
package import KnotDomain
package import PostgresClient

/// What a person does with their own vault: makes it, adds hints, looks at it.
package struct VaultEditor: Sendable {
    let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// Stores a new vault; the account is made where it is missing, by the role that connected, and all else is
    /// written under the rights that the pool acts with.
    ///
    /// A vault that is there under the same id is refused, unless `replaces`: then it goes with all its sets. One whose
    /// document names no id is there already when the same document was stored before, and stays as it is now.
    package func create(
        _ new: NewVault,
        replaces: Bool = false,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> CreatedVault {
        guard let vault = PostgresUUID(new.vault.id.text), let user = PostgresUUID(new.vault.userID.text) else {
            throw VaultStoreError(.invalid, "an id of the vault is no UUID")
        }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            // Two that replace the same vault at once take turns: the second finds what the first has put there.
            _ = try await transaction.run(Self.turn(of: vault))
            let before = try await transaction.run(PersonRow.query(user: user, vault: vault)).only()
            let isThere = try before.decode("has_vault", as: Bool.self)
            if isThere, new.isNamedByContent, !replaces {
                return .unwritten(.success(CreatedVault(id: vault, isNew: false)))
            }
            guard !isThere || replaces else {
                return .refused(VaultStoreError(.vaultThere, "a vault with this id is there already"))
            }
            guard try !before.decode("has_other", as: Bool.self) else {
                return .refused(VaultStoreError(.personHasVault, "this person keeps another vault already"))
            }
            var statements: [SQLQuery] = []
            if try !before.decode("has_person", as: Bool.self) {
                statements += pool.identity.ending + [PersonRow.insertion(user)] + pool.identity.statements
            }
            var settled: SettledReminders?
            if isThere {
                let found = try await SettledReminders(of: vault, user, as: pool.identity, in: transaction)
                if found.isHeld { return .refused(SettledReminders.held) }
                settled = found
                // Under the rights that the pool acts with: somebody else's vault is not there to be removed.
                let removed = try await transaction.run(
                    "delete from public.partner_vaults where id = \(vault) and user_id = \(user) returning id"
                )
                guard !removed.isEmpty else {
                    return .refused(VaultStoreError(.invalid, "the vault with this id is another person's"))
                }
            }
            let rows = VaultRows(new.vault, original: new.original)
            statements += rows.insertions(vault: vault, user: user)
            statements += settled?.insertions ?? []
            if let learned = new.vault.learned { statements.append(learned.insertion(for: vault)) }
            statements.append(Self.moment(of: vault, user))
            let results = try await transaction.pipeline(statements)
            guard let moment = try results.last?.only().decode("moment", as: String.self) else {
                throw PostgresError(.unexpectedValue, at: "partner_vaults.updated_at")
            }
            // A vault may take the place of one with the same id, which is not this one.
            return .written(
                CreatedVault(id: vault, isNew: true),
                provenBy: """
                    \(fragment: Self.moment(of: vault, user)) and extract(epoch from v.updated_at)::text = \(moment)
                    """
            )
        }
    }

    /// A turn at writing a vault, which ends with the transaction.
    private static func turn(of vault: PostgresUUID) -> SQLQuery {
        """
        select pg_catalog.pg_advisory_xact_lock(
            pg_catalog.hashtextextended(\(vault.description), 5419201107432966)
        )::text
        """
    }

    /// When the vault was last written, to the microsecond.
    private static func moment(of vault: PostgresUUID, _ user: PostgresUUID) -> SQLQuery {
        """
        select extract(epoch from v.updated_at)::text as moment from public.partner_vaults v
        where v.id = \(vault) and v.user_id = \(user)
        """
    }

    /// Adds hints, all or none of them; the texts are checked by the domain's rules.
    ///
    /// The same texts for the same request are stored once, however often that is asked for.
    package func addHints(
        _ texts: [String],
        source: Hint.Source = .textInput,
        request: String = "",
        to vault: PostgresUUID,
        at moment: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> AddedHints {
        let words = NewHint.Source(vault: vault, source: source, request: request)
        for hint in NewHint.list(texts, from: words) { try hint.check(at: moment, of: texts.count) }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            let vaults = try await transaction.run("select 1 from public.partner_vaults v where v.id = \(vault)")
            guard !vaults.isEmpty else { return .refused(.vaultNotThere) }
            let (hints, known) = try await Self.numbered(texts, words, in: transaction)
            let ids = hints.map(\.id)
            let added = AddedHints(ids: ids, newCount: ids.count(where: { !known.contains($0) }))
            guard added.newCount > 0 else { return .unwritten(.success(added)) }
            let missing = hints.filter { !known.contains($0.id) }.map { $0.row(at: moment, of: hints.count) }
            _ = try await transaction.run(VaultTable.hints.insertion(missing, of: vault, .named))
            return .written(
                added,
                provenBy: """
                    select 1 from public.hints h where h.vault_id = \(vault) and h.id = any (\(ids))
                    having count(*) = \(ids.count)
                    """
            )
        }
    }

    /// The hints under ids that none has which says something else, and those of them that are there.
    private static func numbered(
        _ texts: [String],
        _ words: NewHint.Source,
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> (hints: [NewHint], known: Set<PostgresUUID>) {
        var edited: Set<PostgresUUID> = []
        while true {
            let hints = NewHint.list(texts, from: words, besides: edited)
            let said = Dictionary(hints.map { ($0.id, $0.text.withoutZeros) }) { first, _ in first }
            let found = try await transaction.run(
                """
                select h.id, h.hint_text from public.hints h
                where h.vault_id = \(words.vault) and h.id = any (\(hints.map(\.id)))
                """
            )
            let stored = try found.map { row throws(PostgresError) in
                (id: try row.decode("id", as: PostgresUUID.self), text: try row.decode("hint_text", as: String.self))
            }
            // A hint that was given another text since does not say what is said now.
            let others = stored.filter { said[$0.id] != $0.text }.map(\.id)
            if others.isEmpty { return (hints, Set(stored.map(\.id))) }
            edited.formUnion(others)
        }
    }

    /// The vault as a fixture's `vault` has it.
    package func show(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> JSONValue {
        let fixture = try await VaultExporter(pool).fixture(vault, until: deadline)
        return fixture["vault"] ?? .null
    }
}

/// What became of a vault that was to be stored.
package struct CreatedVault: Sendable, Hashable {
    package let id: PostgresUUID
    /// False where the same document was stored before.
    package let isNew: Bool
}

/// A vault that a person writes down: the fixture's fields, ids optional, checked as the product checks them.
package struct NewVault: Sendable {
    package let vault: Vault
    let original: JSONValue
    /// True where the document names no vault, so that its content does: stored again it is the same vault.
    let isNamedByContent: Bool

    private static let interestCount = 5

    /// Takes a vault object, or a whole fixture and of it the vault; ids that are missing are made.
    ///
    /// An edited vault that already has `milestones`, more than the limit, may keep that number.
    package init(reading document: JSONValue, user: UserID? = nil, keeping milestones: Int = 0) throws(VaultStoreError)
    {
        let isWhole = document["vault"]?.object != nil
        var members = (isWhole ? document["vault"] : document)?.object ?? JSONObject()
        isNamedByContent = Self.isMissing(members["id"])
        if let user { members["user_id"] = .string(user.text) }
        let content = JSONValue.object(members)
        for (name, kind) in [("id", "vault"), ("user_id", "user")] where Self.isMissing(members[name]) {
            members[name] = .string(PostgresUUID(naming: [.string(kind), content]).description)
        }
        if let milestones = members["milestones"] {
            let named = Self.withIDs(milestones, "milestone", of: members["id"])
            members["milestones"] = FixtureDocument.proposingTiers(milestones: named)
        }
        if let hints = members["hints"] { members["hints"] = Self.withIDs(hints, "hint", of: members["id"]) }
        let value = document.object == nil ? document : .object(members)
        let reader = JSONReader(value, path: isWhole ? "$.vault" : "$")
        let vault = Vault(reading: reader)
        if let vault {
            VaultLimits.check(vault, reader)
            Self.check(count: vault.likes.count, reader, "likes")
            Self.check(count: vault.dislikes.count, reader, "dislikes")
            let most = max(VaultLimits.milestones, milestones)
            let count = vault.milestones.count
            if count > most {
                reader.note("has \(count); \(most) are the most: remove \(count - most)", at: "milestones")
            }
        }
        let problems = reader.problems.list
        guard let vault, problems.isEmpty else {
            let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
            throw VaultStoreError(.invalid, "the vault has \(count)", problems: problems)
        }
        self.vault = vault
        original = value
    }

    private static func isMissing(_ value: JSONValue?) -> Bool {
        value?.isNull ?? true
    }

    /// What has no id gets one that follows from its vault and from what it says, so that it is the same when it is said
    /// again; said twice, it is two.
    private static func withIDs(_ list: JSONValue, _ kind: String, of vault: JSONValue?) -> JSONValue {
        guard let items = list.array else { return list }
        var counts: [[UInt8]: Int] = [:]
        return .array(
            items.map { item in
                guard var object = item.object, isMissing(object["id"]) else { return item }
                object["id"] = nil
                let said = JSONValue.object(object)
                let number = counts[JSONWriter.bytes(said, style: .canonical), default: 0]
                counts[JSONWriter.bytes(said, style: .canonical)] = number + 1
                let name: JSONValue = [.string(kind), vault ?? .null, said, .integer(number)]
                object["id"] = .string(PostgresUUID(naming: name).description)
                return .object(object)
            }
        )
    }

    private static func check(count: Int, _ reader: JSONReader, _ name: String) {
        if count != interestCount { reader.note("needs exactly \(interestCount), has \(count)", at: name) }
    }
}
