package import JSONDocument
package import KnotDomain

/// What a person does with their own vault: makes it, adds hints, looks at it.
package struct VaultKeeper: Sendable {
    private let pool: ConnectionPool

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
    ) async throws(MovingError) -> PostgresUUID {
        guard let vault = PostgresUUID(new.vault.id.text), let user = PostgresUUID(new.vault.userID.text) else {
            throw MovingError(.invalid, "an id of the vault is no UUID")
        }
        return try await pool.move(until: deadline) { transaction throws(PostgresError) in
            let before = try await transaction.run(PersonRow.query(user: user, vault: vault)).only()
            let isThere = try before.decode("has_vault", as: Bool.self)
            guard !isThere || replaces else {
                return .failure(MovingError(.vaultThere, "a vault with this id is there already"))
            }
            guard try !before.decode("has_other", as: Bool.self) else {
                return .failure(MovingError(.personHasVault, "this person keeps another vault already"))
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
                    return .failure(MovingError(.invalid, "the vault with this id is another person's"))
                }
            }
            let rows = VaultRows(new.vault, original: new.original)
            statements += rows.insertions(vault: vault, user: user)
            if let learned = new.vault.learned { statements.append(learned.insertion(for: vault)) }
            _ = try await transaction.pipeline(statements)
            return .success(vault)
        }
    }

    /// Adds one hint and returns its id; the text is checked by the domain's rules.
    package func addHint(
        _ text: String,
        source: Hint.Source = .textInput,
        to vault: PostgresUUID,
        at moment: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> PostgresUUID {
        let id = PostgresUUID.random()
        let reader = JSONReader(
            [
                "id": .string(id.description), "text": .string(text), "source": .string(source.rawValue),
                "created_at": .string(moment.iso8601),
            ]
        )
        guard Hint(reading: reader) != nil else {
            throw MovingError(.invalid, "the hint cannot be kept", problems: reader.problems.list)
        }
        let row = JSONObject([
            .init(name: "id", value: .string(id.description)),
            .init(name: "hint_text", value: .string(text.withoutZeros)),
            .init(name: "source", value: .string(source.rawValue)),
            .init(name: "created_at", value: .string(moment.iso8601)), .init(name: "is_used", value: false),
        ])
        return try await pool.move(until: deadline) { transaction throws(PostgresError) in
            let found = try await transaction.run("select 1 from public.partner_vaults v where v.id = \(vault)")
            guard !found.isEmpty else { return .failure(.noVault) }
            _ = try await transaction.run(VaultRows.insertion(of: [row], vault: vault))
            return .success(id)
        }
    }

    /// The vault as a fixture's `vault` has it.
    package func show(
        _ vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> JSONValue {
        let fixture = try await VaultExporter(pool).fixture(vault, until: deadline)
        return fixture["vault"] ?? .null
    }
}
