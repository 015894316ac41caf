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
    /// A vault that is there under the same id is refused, unless `replaces`: then it goes with all its sets.
    package func create(
        _ new: NewVault,
        replaces: Bool = false,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> PostgresUUID {
        guard let vault = PostgresUUID(new.vault.id.text), let user = PostgresUUID(new.vault.userID.text) else {
            throw VaultStoreError(.invalid, "an id of the vault is no UUID")
        }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            let before = try await transaction.run(PersonRow.query(user: user, vault: vault)).only()
            let isThere = try before.decode("has_vault", as: Bool.self)
            if isThere, new.isNamedByContent, !replaces { return .unwritten(.success(vault)) }
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
            if isThere {
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
            if let learned = new.vault.learned { statements.append(learned.insertion(for: vault)) }
            statements.append(Self.moment(of: vault, user))
            let results = try await transaction.pipeline(statements)
            guard let moment = try results.last?.only().decode("moment", as: String.self) else {
                throw PostgresError(.unexpectedValue, at: "partner_vaults.updated_at")
            }
            // A vault may take the place of one with the same id, which is not this one.
            return .written(
                vault,
                provenBy: """
                    \(fragment: Self.moment(of: vault, user)) and extract(epoch from v.updated_at)::text = \(moment)
                    """
            )
        }
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
        let hints = NewHint.list(texts, source: source, request: request, vault: vault)
        for hint in hints { try hint.check(at: moment, of: hints.count) }
        let ids = hints.map(\.id)
        let rows = hints.map { $0.row(at: moment, of: hints.count) }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            let results = try await transaction.pipeline(
                [
                    "select 1 from public.partner_vaults v where v.id = \(vault)",
                    "select h.id from public.hints h where h.vault_id = \(vault) and h.id = any (\(ids))",
                ]
            )
            guard !results[0].isEmpty else { return .refused(.vaultNotThere) }
            let known = Set(
                try results[1].map { row throws(PostgresError) in try row.decode("id", as: PostgresUUID.self) }
            )
            let added = AddedHints(ids: ids, newCount: ids.count(where: { !known.contains($0) }))
            guard added.newCount > 0 else { return .unwritten(.success(added)) }
            let missing = zip(ids, rows).filter { !known.contains($0.0) }.map(\.1)
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

    /// The vault as a fixture's `vault` has it.
    package func show(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> JSONValue {
        let fixture = try await VaultExporter(pool).fixture(vault, until: deadline)
        return fixture["vault"] ?? .null
    }
}

/// A vault that a person writes down: the fixture's fields, ids optional, checked as the product checks them.
package struct NewVault: Sendable {
    package let vault: Vault
    let original: JSONValue
    /// True where the document names no vault, so that its content does: stored again it is the same vault.
    let isNamedByContent: Bool

    private static let interestCount = 5

    /// Takes a vault object, or a whole fixture and of it the vault; ids that are missing are made.
    package init(reading document: JSONValue, user: UserID? = nil) throws(VaultStoreError) {
        let isWhole = document["vault"]?.object != nil
        var members = (isWhole ? document["vault"] : document)?.object ?? JSONObject()
        isNamedByContent = Self.isMissing(members["id"])
        if let user { members["user_id"] = .string(user.text) }
        let content = JSONValue.object(members)
        for (name, kind) in [("id", "vault"), ("user_id", "user")] where Self.isMissing(members[name]) {
            members[name] = .string(PostgresUUID(naming: [.string(kind), content]).description)
        }
        if let milestones = members["milestones"] {
            members["milestones"] = FixtureDocument.proposingTiers(milestones: Self.withIDs(milestones))
        }
        if let hints = members["hints"] { members["hints"] = Self.withIDs(hints) }
        let value = document.object == nil ? document : .object(members)
        let reader = JSONReader(value, path: isWhole ? "$.vault" : "$")
        let vault = Vault(reading: reader)
        if let vault {
            VaultLimits.check(vault, reader)
            Self.check(count: vault.likes.count, reader, "likes")
            Self.check(count: vault.dislikes.count, reader, "dislikes")
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

    private static func withIDs(_ list: JSONValue) -> JSONValue {
        guard let items = list.array else { return list }
        return .array(
            items.map { item in
                guard var object = item.object, isMissing(object["id"]) else { return item }
                object["id"] = .string(PostgresUUID.random().description)
                return .object(object)
            }
        )
    }

    private static func check(count: Int, _ reader: JSONReader, _ name: String) {
        if count != interestCount { reader.note("needs exactly \(interestCount), has \(count)", at: name) }
    }
}
