import Arguments
import AuthorVerbs
import Composition
import Console
import Delivery
import LiveProviders
import Operations
import OperatorVerbs
import UserVerbs
import Verbs

extension Verb {
    /// The verbs of this build: a new one is a file in a room of verbs, its name there and in `VerbName.groups`.
    static let all = ofUsers + ofOperators + ofAuthors

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    static func named(_ name: VerbName) -> Verb {
        guard let verb = byName[name] else { preconditionFailure("the verb \(name.rawValue) has no entry") }
        return verb
    }
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
        groups: VerbName.groups.map { ($0.key, $0.value.map { Verb.named($0).definition }) },
        flags: Flag.all
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
