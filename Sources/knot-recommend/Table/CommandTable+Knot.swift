import Arguments
import Console
import KnotDomain
import PipelineInput
import Recommendation
import StageGraph

extension FlagName {
    static let fixture = FlagName("fixture")
    static let vault = FlagName("vault")
    static let all = FlagName("all")
    static let hint = FlagName("hint")
    static let position = FlagName("position")
    static let milestone = FlagName("milestone")
    static let occasion = FlagName("occasion")
    static let from = FlagName("from")
    static let reason = FlagName("reason")
    static let reject = FlagName("reject")
    static let candidate = FlagName("candidate")
    static let run = FlagName("run")
    static let cassette = FlagName("cassette")
    static let fixtures = FlagName("fixtures")
    static let against = FlagName("against")
    static let sweep = FlagName("sweep")
    static let report = FlagName("report")
    static let format = FlagName("format")
    static let output = FlagName("output")
    static let diff = FlagName("diff")
    static let readings = FlagName("readings")
    static let rates = FlagName("rates")
    static let asOf = FlagName("as-of")
    static let record = FlagName("record")
    static let trace = FlagName("trace")
    static let traceTexts = FlagName("trace-texts")
    static let dryRun = FlagName("dry-run")
    static let explain = FlagName("explain")
    static let timings = FlagName("timings")
    static let request = FlagName("request")
    static let cards = FlagName("cards")
    static let asUser = FlagName("as-user")
    static let catalogue = FlagName("catalogue")
    static let vectors = FlagName("vectors")
    static let calibrate = FlagName("calibrate")
    static let concurrency = FlagName("concurrency")
    static let file = FlagName("file")
    static let template = FlagName("template")
    static let text = FlagName("text")
    static let limit = FlagName("limit")
    static let after = FlagName("after")
    static let source = FlagName("source")
    static let replace = FlagName("replace")
    static let to = FlagName("to")
    static let status = FlagName("status")
    static let yes = FlagName("yes")
    static let allowWeakTLS = FlagName("allow-weak-tls")
    static let markdown = FlagName("markdown")
    static let man = FlagName("man")
    static let offer = FlagName("offer")
    static let pipeline = FlagName("pipeline")
    static let experiment = FlagName("experiment")
    static let set = FlagName("set")
    static let seed = FlagName("seed")
    static let threads = FlagName("threads")
    static let deadline = FlagName("deadline")
    static let kernels = FlagName("kernels")
    static let model = FlagName("model")
    static let strict = FlagName("strict")
}

extension Flag {
    /// All flags: those of single verbs first, then those of every verb.
    static let all = ofSingleVerbs + ofEvaluation + ofTheDatabase + ofEveryVerb

    static func named(_ name: FlagName) -> Flag { CommandTable.knot.flag(name) }

    /// The flags of a verb in table order.
    static func of(_ verb: VerbName) -> [Flag] { CommandTable.knot.flags(of: verb) }
}

extension CommandTable {
    /// The verbs and flags of this program.
    static let knot = CommandTable(
        program: ProgramDescription(
            name: "knot-recommend",
            version: VersionVerb.number,
            purpose: "makes a Choice of Three from what somebody noticed about their partner",
            beginnings: ["knot-recommend run --fixture fixtures/vaults/dev-01.json", "knot-recommend help run"],
            variables: [
                "KNOT_CONFIG": "The configuration file.",
                "KNOT_CACHE": "The folder of embeddings and of the model that set-up gets.",
                "KNOT_DEV_DB": "The folder of the database that dev-db runs.",
                "DATABASE_URL": "The database, before every other way to name one.",
                "DATABASE_URL_FILE": "A file that holds the database's URL.",
            ],
            configurationVariable: "KNOT_CONFIG",
            exitCodeMeaning: { $0.meaning }
        ),
        verbs: Verb.all.map(\.definition),
        flags: Flag.all
    )
}

extension ValueKind {
    /// A shipped pipeline's name, or a file when it has a slash or ends in `.json`.
    static let pipeline = ValueKind.form(
        ValueForm(
            placeholder: "NAME|FILE",
            expectation: "a shipped pipeline's name or the path of a .json file",
            hint: .filesOrWords(ShippedPipelines.names),
            isPath: { PipelineReference($0).isFile },
            accepts: { !$0.isEmpty && !$0.utf8.contains(0) }
        )
    )
    /// `node.parameter=value`.
    static let parameter = ValueKind.form(
        ValueForm(
            placeholder: "NODE.PARAMETER=VALUE",
            expectation: "node.parameter=value, such as combine.hints=0.7",
            accepts: { CommandLineSetting($0) != nil }
        )
    )
    static let duration = ValueKind.form(
        ValueForm(
            placeholder: "DURATION",
            expectation: "a time with its unit, such as 500ms, 2s or 1m",
            accepts: { DurationText.parse($0) != nil }
        )
    )
    static let instant = ValueKind.form(
        ValueForm(
            placeholder: "INSTANT",
            expectation: "an instant, such as 2026-03-01T09:00:00Z",
            accepts: { Instant(iso8601: $0) != nil }
        )
    )
}

extension ProgramOffer {
    /// The ids of the vaults in the database.
    static let vaults = ProgramOffer(CompletionOffer.vaults.rawValue)
    /// `node.parameter=` of every parameter of the pipeline.
    static let parameters = ProgramOffer(
        CompletionOffer.parameters.rawValue,
        suffix: "=",
        depends: .pipeline,
        usually: "choice-of-three"
    )
}

extension Environment {
    /// Variables that belong to no flag.
    static let known = [
        "KNOT_CONFIG", "XDG_CONFIG_HOME", "HOME", "COLUMNS", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "TZDIR",
        "DATABASE_URL", "DATABASE_URL_FILE", "KNOT_DEV_DB", "KNOT_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "PATH", "TZ",
    ]

    /// The process's own.
    static func current() -> Environment {
        Environment(reading: known + CommandDatabase.connectionVariables + Flag.all.compactMap(\.environment))
    }
}
