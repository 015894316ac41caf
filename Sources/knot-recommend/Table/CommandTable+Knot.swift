import Arguments
import Composition
import Console
import Delivery
import KnotDomain
import LiveProviders
import Operations
import PipelineInput
import PostgresClient
import Recommendation
import Shipped
import StageGraph

extension Flag {
    /// All flags: those of single verbs first, then those of every verb.
    static let all = ofSingleVerbs + ofEvaluation + ofTheQueue + ofTheDatabase + ofEveryVerb

    static func named(_ name: FlagName) -> Flag { CommandTable.knot.flag(name) }

    /// The flags of a verb in table order.
    static func of(_ verb: VerbName) -> [Flag] { CommandTable.knot.flags(of: verb) }
}

extension CommandTable {
    /// The verbs and flags of this program.
    static let knot = CommandTable(
        program: ProgramDescription(
            name: "knot-recommend",
            version: ProgramVersion.number,
            purpose: "Turn what you know about your partner into three good ideas",
            beginnings: ["knot-recommend run --fixture fixtures/vaults/dev-01.json", "knot-recommend help run"],
            variables: [
                "KNOT_CONFIG": "Configuration file",
                "KNOT_CACHE": "Folder for embeddings and the embedding model",
                "KNOT_DEV_DB": "Folder of the database that `dev-db` runs",
                "DATABASE_URL": "Database to use; overrides all other ways to name one",
                "DATABASE_URL_FILE": "File that contains the database URL",
            ],
            configurationVariable: "KNOT_CONFIG",
            exitCodeMeaning: { $0.meaning }
        ),
        groups: Verb.groups.map { ($0.key, $0.value.map(\.definition)) },
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
    static let day = ValueKind.form(
        ValueForm(
            placeholder: "DAY",
            expectation: "a day, such as 2026-05-16",
            accepts: { CivilDate(iso8601: $0) != nil }
        )
    )
    static let instant = ValueKind.form(
        ValueForm(
            placeholder: "TIME",
            expectation: "an instant, such as 2026-03-01T09:00:00Z",
            accepts: { Instant(iso8601: $0) != nil }
        )
    )
    /// What the database keeps a request under.
    static let request = ValueKind.form(
        ValueForm(
            placeholder: "ID",
            expectation: "1 to 500 characters",
            accepts: { (1...500).contains($0.unicodeScalars.count) && !$0.utf8.contains(0) }
        )
    )
    /// A person's id; the name of a role is none.
    static let person = ValueKind.form(
        ValueForm(
            placeholder: "ID",
            expectation: "a person's id, which is a UUID",
            accepts: { PostgresUUID($0) != nil }
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
        Environment(
            reading: known + CommandDatabase.connectionVariables + LiveServices.variables + EmbeddingVariables.names
                + Flag.all.compactMap(\.environment) + DeliveryWays.environment + ServiceNotifier.environment
                + OperationsToken.environment + SpanExport.environment
        )
    }
}
