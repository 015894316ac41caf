package import Arguments
package import Composition
package import Console

/// One verb with what it does.
@dynamicMemberLookup
package struct Verb: Sendable {
    /// A verb's work with the words of a call.
    package typealias Performing = @Sendable (TypedArguments, CommandContext) async throws(CommandError) -> ExitCode

    package let definition: VerbDefinition
    package var perform: Performing

    package init(
        name: VerbName,
        summary: String,
        uses: [VerbUse] = ["[options]"],
        actions: [VerbAction] = [],
        operand: Operand? = nil,
        description: String = "",
        examples: [Example],
        flags: [FlagName] = [],
        texts: [FlagName: String] = [:],
        exitCodes: [ExitCode] = [],
        readsSettings: Bool = true,
        perform: @escaping Performing
    ) {
        definition = VerbDefinition(
            name: name,
            summary: summary,
            uses: uses,
            actions: actions,
            operand: operand,
            description: description,
            examples: examples,
            flags: flags,
            texts: texts,
            exitCodes: exitCodes,
            readsSettings: readsSettings
        )
        self.perform = perform
    }

    package subscript<Value>(dynamicMember path: KeyPath<VerbDefinition, Value>) -> Value { definition[keyPath: path] }
}

extension Verb {
    // MARK: Flags that several uses have

    /// A run for one vault.
    package static let ofOneVault: [FlagName] = [
        .milestone, .record, .trace, .explain, .cards, .recordTraffic, .playTraffic, .planOnly,
    ]
    /// A run for vaults in the database.
    package static let ofStoredVaults: [FlagName] = [.dryRun, .request, .asUser, .catalogue, .allowWeakTLS]

    // MARK: Exit codes that several verbs have

    /// Codes of verbs that ask a database.
    package static let reaching: [ExitCode] = [.unavailable, .tryAgain, .internalFault]
    /// Codes of verbs that also read what a person wrote.
    package static let keeping = reaching + [.badInput]
    /// Codes of verbs that make choices or explain them.
    package static let running: [ExitCode] = [
        .degradedUnderStrict, .short, .badInput, .notFound, .unavailable, .internalFault, .tryAgain, .notPermitted,
    ]
}

extension CommandError {
    /// A flag of a verb that is needed and not there.
    package static func missing(_ flag: FlagName, _ verb: VerbName) -> CommandError {
        usage(verb, "\(flag.typed) is missing", todo: "add \(Flag.named(flag).synopsis(in: verb))")
    }
}
