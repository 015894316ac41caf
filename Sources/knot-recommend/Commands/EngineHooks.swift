import JSONDocument
import VaultStore

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
