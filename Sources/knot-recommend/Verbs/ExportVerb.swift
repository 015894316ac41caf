/// `export`: JSON in any case, since it is made to be read in again.
enum ExportVerb {
    static func perform(
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let export = context.engine.export else { throw .notBuilt(.export) }
        try context.print(try await export(options, context))
        return .done
    }
}
