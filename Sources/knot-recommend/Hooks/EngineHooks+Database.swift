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
    }
}
