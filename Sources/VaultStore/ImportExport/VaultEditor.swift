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
        var naming = RowNaming.byContent
        var isTaken = false
        while true {
            do throws(VaultStoreError) {
                return try await create(new, replaces: replaces, isTaken: isTaken, naming, until: deadline)
            } catch {
                switch error.takenKey {
                case "partner_vaults_pkey" where new.isNamedByContent && !isTaken: isTaken = true
                case VaultChange.milestoneKey, "hints_pkey", "recommendations_pkey":
                    guard naming == .byContent else { throw error }
                    naming = .byChance
                default: throw error
                }
            }
        }
    }

    private func create(
        _ given: NewVault,
        replaces: Bool,
        isTaken: Bool,
        _ naming: RowNaming,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> CreatedVault {
        guard let named = PostgresUUID(given.vault.id.text), let user = PostgresUUID(given.vault.userID.text) else {
            throw VaultStoreError(.invalid, "an id of the vault is no UUID")
        }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            var before = try await Self.turn(of: user, vault: named, in: transaction)
            let own = try before.decode("own", as: PostgresUUID?.self)
            let hasVault = try before.decode("has_vault", as: Bool.self)
            let isOthers = given.isNamedByContent && own != named && (isTaken || hasVault)
            if isOthers, try !before.decode("has_person", as: Bool.self) {
                _ = try await transaction.pipeline(making(user))
                before = try await transaction.run(PersonRow.query(user: user, vault: named)).only()
            }
            let standIn = try before.decode("person", as: String?.self).map(named.standIn(by:))
            let vault = isOthers || given.isNamedByContent && own == standIn ? standIn ?? named : named
            let isThere = given.isNamedByContent ? own == vault : hasVault
            if isThere, given.isNamedByContent, !replaces {
                return .unwritten(.success(CreatedVault(id: vault, isNew: false)))
            }
            guard !isThere || replaces else {
                return .refused(VaultStoreError(.vaultThere, "a vault with this id is there already"))
            }
            guard own == nil || own == vault else {
                return .refused(VaultStoreError(.personHasVault, "this person keeps another vault already"))
            }
            let new: NewVault
            do throws(VaultStoreError) {
                new = try given.renamed(to: vault, naming)
            } catch {
                return .refused(error)
            }
            var statements = try before.decode("has_person", as: Bool.self) ? [] : making(user)
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
            let rows = VaultRows(new.vault, original: new.original, named: naming)
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

    /// Makes the account, which the role that connected does.
    private func making(_ user: PostgresUUID) -> [SQLQuery] {
        pool.identity.ending + [PersonRow.insertion(user)] + pool.identity.statements
    }

    /// A turn at writing a person's vault, which ends with the transaction, and what is there then.
    ///
    /// Two that replace the same vault at once wait for its row, which only its person can lock: the second finds what the
    /// first has put there.
    private static func turn(
        of user: PostgresUUID,
        vault: PostgresUUID,
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Row {
        while true {
            let locked = try await transaction.run(
                "select v.id from public.partner_vaults v where v.user_id = \(user) for update"
            )
            let before = try await transaction.run(PersonRow.query(user: user, vault: vault)).only()
            // A row that took the place of the one that was waited for is not locked yet.
            let own = try before.decode("own", as: PostgresUUID?.self)
            if own == nil || !locked.isEmpty { return before }
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
        let words = NewHint.Source(vault: vault, source: source, request: request)
        for hint in NewHint.list(texts, from: words) { try hint.check(at: moment, of: texts.count) }
        return try await pool.change(until: deadline) { transaction throws(PostgresError) in
            let owners = try await transaction.run(
                """
                select \(fragment: PersonRow.key) as person from public.partner_vaults v
                join public.users u on u.id = v.user_id where v.id = \(vault)
                """
            )
            guard let owner = owners.first else { return .refused(.vaultNotThere) }
            let words = words.of(person: try owner.decode("person"))
            var (hints, known) = try await Self.numbered(texts, words, in: transaction)
            var newCount = 0
            // Rights keep out of sight what another vault has under an id: it only shows by what it keeps out.
            for form in [RowForm.namedWhereFree, .named] {
                let missing = hints.filter { !known.contains($0.id) }
                if missing.isEmpty { break }
                let rows = missing.map { $0.row(at: moment, of: hints.count) }
                let results = try await transaction.pipeline([
                    VaultTable.hints.insertion(rows, of: vault, form), Self.texts(of: hints, words),
                ])
                newCount += form == .named ? rows.count : results[0].count
                // What is there now was free, or came from another caller at the same moment.
                known = Set(try results[1].map { row throws(PostgresError) in try row.decode("id") })
                for place in hints.indices where !known.contains(hints[place].id) { hints[place].giveWay() }
            }
            let ids = hints.map(\.id)
            let added = AddedHints(ids: ids, newCount: newCount)
            guard newCount > 0 else { return .unwritten(.success(added)) }
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
            var hints = NewHint.list(texts, from: words, besides: edited)
            let found = try await transaction.run(Self.texts(of: hints, words)).map { row throws(PostgresError) in
                (try row.decode("id", as: PostgresUUID.self), try row.decode("hint_text", as: String.self))
            }
            let stored = Dictionary(uniqueKeysWithValues: found)
            let known = Set(stored.keys)
            for place in hints.indices where known.contains(hints[place].standIn) { hints[place].giveWay() }
            // A hint that was given another text since does not say what is said now.
            let others = hints.filter { hint in stored[hint.id].map { $0 != hint.text.withoutZeros } ?? false }
            if others.isEmpty { return (hints, known) }
            edited.formUnion(others.map(\.name))
        }
    }

    private static func texts(of hints: [NewHint], _ words: NewHint.Source) -> SQLQuery {
        """
        select h.id, h.hint_text from public.hints h
        where h.vault_id = \(words.vault) and h.id = any (\(hints.flatMap { [$0.name, $0.standIn] }))
        """
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
    private let document: JSONValue

    private static let interestCount = 5

    /// Takes a vault object, or a whole fixture and of it the vault; ids that are missing are made.
    package init(reading document: JSONValue, user: UserID? = nil) throws(VaultStoreError) {
        try self.init(reading: document, user: user, naming: .byContent)
    }

    /// Returns the vault with another id and other names for what has no ids in its document.
    func renamed(to id: PostgresUUID, _ naming: RowNaming) throws(VaultStoreError) -> NewVault {
        if naming == .byContent, id == PostgresUUID(vault.id.text) { return self }
        return try NewVault(reading: document, user: vault.userID, id: id, naming: naming)
    }

    /// An edited vault that already has `milestones`, more than the limit, may keep that number.
    init(
        reading document: JSONValue,
        user: UserID? = nil,
        id: PostgresUUID? = nil,
        naming: RowNaming,
        keeping milestones: Int = 0
    ) throws(VaultStoreError) {
        self.document = document
        let isWhole = document["vault"]?.object != nil
        var members = (isWhole ? document["vault"] : document)?.object ?? JSONObject()
        isNamedByContent = Self.isMissing(members["id"])
        if let user { members["user_id"] = .string(user.text) }
        let content = JSONValue.object(members)
        for (name, kind) in [("id", "vault"), ("user_id", "user")] where Self.isMissing(members[name]) {
            members[name] = .string(PostgresUUID(naming: [.string(kind), content]).description)
        }
        if let id { members["id"] = .string(id.description) }
        if let milestones = members["milestones"] {
            let named = Self.withIDs(milestones, "milestone", of: members["id"], naming)
            members["milestones"] = FixtureDocument.proposingTiers(milestones: named)
        }
        if let hints = members["hints"] { members["hints"] = Self.withIDs(hints, "hint", of: members["id"], naming) }
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
    private static func withIDs(
        _ list: JSONValue,
        _ kind: String,
        of vault: JSONValue?,
        _ naming: RowNaming
    ) -> JSONValue {
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
                object["id"] = .string(naming.id(PostgresUUID(naming: name)).description)
                return .object(object)
            }
        )
    }

    private static func check(count: Int, _ reader: JSONReader, _ name: String) {
        if count != interestCount { reader.note("needs exactly \(interestCount), has \(count)", at: name) }
    }
}
