import JSONDocument
import PostgresClient
import Recommendation
import StageGraph

/// The engine as the command sees it: one closure for each verb that needs it, nil where this build has none.
///
/// The command parses, validates, prints and writes files; a hook only computes. A hook throws `CommandError` with the code
/// that the process is to end with.
struct EngineHooks: Sendable {
    typealias Hook<Options, Report> = @Sendable (Options, CommandContext) async throws(CommandError) -> Report

    var run: Hook<RunVerbOptions, ChoiceReport>?
    /// `run --all`: every vault, one report.
    var runAll: Hook<RunVerbOptions, TextReport>?
    var refresh: Hook<RefreshVerbOptions, ChoiceReport>?
    var replay: Hook<ReplayVerbOptions, ChoiceReport>?
    var explain: Hook<ExplainVerbOptions, TextReport>?
    /// One report for each pipeline, in the order asked for; problems in a pipeline are values here and not thrown.
    var check: Hook<PipelineVerbOptions, [PipelineReport]>?
    /// The merged definition of the one pipeline asked for.
    var expand: Hook<PipelineVerbOptions, JSONValue>?
    /// The drawing of the one pipeline asked for.
    var graph: Hook<PipelineVerbOptions, String>?
    var judge: Hook<JudgeVerbOptions, TextReport>?
    var evaluate: Hook<EvaluateVerbOptions, EvaluationReport>?
    var migrate: Hook<MigrateVerbOptions, TextReport>?
    var devDatabase: Hook<DevDatabaseVerbOptions, TextReport>?
    var importVaults: Hook<ImportVerbOptions, TextReport>?
    var export: Hook<StoredVaultOptions, JSONValue>?
    var history: Hook<HistoryVerbOptions, TextReport>?
    var forget: Hook<StoredVaultOptions, TextReport>?
    var learn: Hook<StoredVaultOptions, TextReport>?
    var embed: Hook<StoredVaultOptions, TextReport>?
    var showVault: Hook<StoredVaultOptions, TextReport>?
    /// A vault to store, and what to call it in errors.
    var newVault: Hook<(document: JSONValue, source: String, options: VaultVerbOptions), TextReport>?
    var addHints: Hook<(options: StoredVaultOptions, texts: [String]), TextReport>?
    var listVaults: Hook<VaultVerbOptions, TextReport>?
    /// What to change of a vault, and what to call it in errors.
    var editVault: Hook<(options: StoredVaultOptions, change: JSONValue, source: String), TextReport>?
    var listHints: Hook<StoredVaultOptions, TextReport>?
    /// A hint's new text; nil removes it.
    var changeHint: Hook<(options: StoredVaultOptions, hint: PostgresUUID, text: String?), TextReport>?
    var giveFeedback: Hook<FeedbackVerbOptions, TextReport>?
    /// What a shell may offer.
    var offers: Hook<(offer: CompletionOffer, shared: SharedOptions), [String]>?
    /// Checks that need the engine: pipelines, model, cache, rates, database.
    var doctor: Hook<SharedOptions, [DoctorCheck]>?

    /// None at all: what a build without the engine can do.
    static let none = EngineHooks()
}

extension EngineHooks {
    /// The hooks of this build; a verb whose hook is missing says that it cannot do it yet and exits 69.
    static let live: EngineHooks = {
        let desk = PipelineDesk(shipped: ShippedPipelines(), catalog: StageCatalog.knot)
        var hooks = EngineHooks(pipelines: desk)
        hooks.addChoosing(desk)
        hooks.addExplaining(desk)
        hooks.addJudging(desk)
        hooks.addEvaluating(desk)
        hooks.addDatabase()
        hooks.offers = { (asked, context) async throws(CommandError) in
            switch asked.offer {
            case .vaults: try await StoredVaultDesk.ids(context)
            case .parameters:
                try desk.plan(asked.shared.pipeline, asked.shared).nodes.flatMap { node in
                    node.stage.parameters.map { "\(node.id).\($0.name)=" }
                }
            }
        }
        hooks.doctor = { (options, context) in
            EngineChecks.all(options, desk, context) + [await DatabaseChecks.check(context)]
        }
        return hooks
    }()
}

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
