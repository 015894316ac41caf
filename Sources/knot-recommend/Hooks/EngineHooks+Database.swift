extension EngineHooks {
    /// Adds the verbs that need a database.
    mutating func addDatabase() {
        migrate = { (options, context) async throws(CommandError) in
            try await MigrationDesk.report(options, context)
        }
        devDatabase = { (options, context) async throws(CommandError) in
            try await DevDatabaseDesk.report(options, context)
        }
        importVaults = { (options, context) async throws(CommandError) in
            try await ImportDesk.report(options, context)
        }
        export = { (options, context) async throws(CommandError) in
            try await StoredVaultDesk(options, context).export()
        }
        history = { (options, context) async throws(CommandError) in
            try await StoredSets(options, context).report()
        }
        forget = { (options, context) async throws(CommandError) in
            try await StoredVaultDesk(options, context).forget()
        }
        learn = { (options, context) async throws(CommandError) in
            try await StoredVaultDesk(options, context).learn()
        }
        embed = { (options, context) async throws(CommandError) in
            try await EmbedDesk(options, context).report()
        }
        showVault = { (options, context) async throws(CommandError) in
            try await StoredVaultDesk(options, context).show()
        }
        newVault = { (asked, context) async throws(CommandError) in
            try await VaultMaking.report(asked.document, from: asked.source, asked.options, context)
        }
        addHints = { (asked, context) async throws(CommandError) in
            try await StoredVaultDesk(asked.options, context).add(asked.texts)
        }
        addOwnVaults()
    }

    /// Adds what people do with vaults of their own.
    private mutating func addOwnVaults() {
        listVaults = { (options, context) async throws(CommandError) in
            guard case .list(let limit, let after) = options.action else { throw .notBuilt(.vault) }
            return try await OwnVaultDesk(asUser: options.asUser, options.shared, context).vaults(
                limit: limit,
                after: after
            )
        }
        editVault = { (asked, context) async throws(CommandError) in
            guard let vault = asked.options.vault else { throw .missing(.vault, .vault) }
            let desk = try await OwnVaultDesk(asUser: asked.options.asUser, asked.options.shared, context)
            return try await desk.edit(vault, by: asked.change, from: asked.source)
        }
        listHints = { (options, context) async throws(CommandError) in
            guard let vault = options.vault else { throw .missing(.vault, .hint) }
            return try await OwnVaultDesk(asUser: options.asUser, options.shared, context).hints(of: vault)
        }
        changeHint = { (asked, context) async throws(CommandError) in
            guard let vault = asked.options.vault else { throw .missing(.vault, .hint) }
            let desk = try await OwnVaultDesk(asUser: asked.options.asUser, asked.options.shared, context)
            return try await desk.change(hint: asked.hint, of: vault, to: asked.text)
        }
        giveFeedback = { (options, context) async throws(CommandError) in
            try await OwnVaultDesk(asUser: options.asUser, options.shared, context).note(options)
        }
    }
}
