// swift-tools-version: 6.2
import PackageDescription

/// One settings constant for every Swift target: Swift 6 mode, the upcoming features, strict memory safety, no warnings.
let swiftSettings: [SwiftSetting] =
    [.swiftLanguageMode(.v6)]
    + [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances", "ImmutableWeakCaptures",
    ].map { .enableUpcomingFeature($0) }
    + [.strictMemorySafety(), .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]

/// The rooms in dependency order: each may import only what it lists here, and a test holds them to it.
let allTargets: [Target] = [
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Digest", dependencies: ["CCrypto"]),
    .target(name: "JSONDocument"),
    .target(name: "FileInput"),
    .target(name: "CEmbeddedFiles", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "EmbeddedFiles", dependencies: ["CEmbeddedFiles"]),
    .target(name: "Console", dependencies: ["Digest", "JSONDocument", "FileInput"]),
    .target(name: "Arguments", dependencies: ["Console", "JSONDocument", "FileInput"]),
    .target(name: "Threads"),
    .target(name: "StageGraph", dependencies: ["Threads", "Digest", "JSONDocument"]),
    .target(name: "KnotDomain", dependencies: ["JSONDocument"]),
    .target(name: "Scheduling", dependencies: ["KnotDomain", "Digest", "JSONDocument"]),
    .target(name: "CVectorKernels", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "VectorSearch", dependencies: ["CVectorKernels", "Threads"]),
    .target(
        name: "TextEncoding",
        dependencies: [
            "KnotDomain", "VectorSearch", "CVectorKernels", "Threads", "Digest", "JSONDocument", "FileInput",
            "EmbeddedFiles",
        ],
        exclude: ["Lexicon/lexicon.json", "Prototypes/prototypes.json", "Ranking/weights.json"]
    ),
    .target(name: "CGazetteer", exclude: ["cities.csv"], cSettings: [.treatAllWarnings(as: .error)]),
    .target(
        name: "CHintTables",
        exclude: ["cues.txt", "patterns.txt", "words.txt", "conditions.json", "remedies.json", "tastes.json"],
        cSettings: [.treatAllWarnings(as: .error)]
    ),
    .target(
        name: "TextReading",
        dependencies: ["CGazetteer", "CHintTables", "EmbeddedFiles", "KnotDomain", "TextEncoding", "Threads"],
        exclude: ["Notes/public-words.txt"]
    ),
    .target(
        name: "Recommendation",
        dependencies: [
            "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "Threads", "Digest",
            "JSONDocument",
        ]
    ),
    .target(
        name: "Classic",
        dependencies: ["Recommendation", "TextReading", "StageGraph", "KnotDomain", "VectorSearch", "JSONDocument"]
    ),
    .target(
        name: "Shipped",
        dependencies: ["Classic", "Recommendation", "StageGraph", "KnotDomain", "EmbeddedFiles"],
        exclude: ["choice-of-three.json", "classic.json"]
    ),
    .target(
        name: "HintRules",
        dependencies: [
            "CHintTables", "Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "JSONDocument",
        ]
    ),
    .target(
        name: "Fixtures",
        dependencies: [
            "Shipped", "HintRules", "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch",
            "Threads", "Digest", "JSONDocument", "FileInput", "Console",
        ]
    ),
    .target(
        name: "Explanation",
        dependencies: ["Recommendation", "StageGraph", "KnotDomain", "Threads", "JSONDocument"]
    ),
    .target(
        name: "Evaluation",
        dependencies: [
            "Explanation", "Fixtures", "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "Digest",
            "JSONDocument", "Console",
        ],
        exclude: ["Metrics/CONVENTIONS.md"]
    ),
    .target(name: "ChoiceText", dependencies: ["StageGraph", "KnotDomain", "JSONDocument", "Console"]),
    .target(name: "VaultForm", dependencies: ["ChoiceText", "KnotDomain", "JSONDocument", "FileInput", "Console"]),
    .target(
        name: "ChoiceService",
        dependencies: ["Shipped", "Recommendation", "StageGraph", "KnotDomain", "Threads", "Digest", "JSONDocument"]
    ),
    .target(name: "LocalPostgres", dependencies: ["Threads", "Digest", "FileInput"]),
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .target(name: "CLatePostgres", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
        name: "PostgresClient",
        dependencies: ["CPostgres", "CLatePostgres", "Threads", "Digest", "JSONDocument", "FileInput"]
    ),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CLateCurl", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "HTTPClient", dependencies: ["CCurl", "CLateCurl", "Threads", "FileInput"]),
    .systemLibrary(name: "CSigning", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Signing", dependencies: ["CSigning"]),
    .target(
        name: "Delivery",
        dependencies: ["HTTPClient", "Signing", "KnotDomain", "Threads", "Digest", "JSONDocument", "FileInput"]
    ),
    .target(
        name: "Catalogue",
        dependencies: [
            "Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "JSONDocument",
            "Threads", "FileInput",
        ]
    ),
    .target(
        name: "KnotRecommendation",
        dependencies: [
            "Catalogue", "Shipped", "HintRules", "Recommendation", "StageGraph", "KnotDomain", "VectorSearch",
            "JSONDocument",
        ]
    ),
    .target(
        name: "ItemPages",
        dependencies: ["HTTPClient", "Recommendation", "TextReading", "KnotDomain", "JSONDocument"]
    ),
    .target(
        name: "LiveProviders",
        dependencies: [
            "ItemPages", "HTTPClient", "Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding",
            "VectorSearch", "Threads", "Digest", "JSONDocument", "FileInput",
        ]
    ),
    .target(
        name: "VaultStore",
        dependencies: [
            "Catalogue", "PostgresClient", "Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding",
            "VectorSearch", "Threads", "Digest", "JSONDocument",
        ]
    ),
    .target(
        name: "Migrations",
        dependencies: ["PostgresClient", "Digest", "JSONDocument", "FileInput", "EmbeddedFiles"],
        exclude: ["SQL"]
    ),
    .target(
        name: "Worker",
        dependencies: ["ChoiceService", "Scheduling", "Delivery", "Recommendation", "KnotDomain", "Threads", "Digest"]
    ),
    .target(name: "Learning", dependencies: ["VaultStore", "PostgresClient", "KnotDomain", "Digest", "JSONDocument"]),
    .target(
        name: "Operations",
        dependencies: ["Worker", "KnotDomain", "Threads", "Digest", "JSONDocument", "EmbeddedFiles"],
        exclude: ["Page/page.html"]
    ),
    .target(
        name: "ReminderStore",
        dependencies: [
            "Worker", "Operations", "ChoiceService", "Delivery", "Scheduling", "VaultStore", "Migrations",
            "PostgresClient", "Recommendation", "StageGraph", "KnotDomain", "JSONDocument",
        ]
    ),
    .target(
        name: "Tracing",
        dependencies: [
            "Worker", "ChoiceService", "HTTPClient", "Recommendation", "StageGraph", "KnotDomain", "Digest",
            "JSONDocument",
        ]
    ),
    .target(name: "PipelineInput", dependencies: ["StageGraph", "JSONDocument", "Console"]),
    .target(
        name: "Composition",
        dependencies: [
            "LiveProviders", "HTTPClient", "PipelineInput", "ChoiceText", "ChoiceService", "ReminderStore", "Worker",
            "Tracing", "VaultStore", "Migrations", "Catalogue", "PostgresClient", "LocalPostgres", "Evaluation",
            "Explanation", "Shipped", "Fixtures", "HintRules", "Recommendation", "TextReading", "StageGraph",
            "KnotDomain", "TextEncoding", "VectorSearch", "Threads", "Digest", "JSONDocument", "FileInput", "Arguments",
            "Console",
        ]
    ),
    .target(
        name: "Verbs",
        dependencies: [
            "ReminderStore", "Composition", "PipelineInput", "PostgresClient", "Fixtures", "Shipped",
            "Recommendation", "StageGraph", "KnotDomain", "JSONDocument", "Arguments", "Console",
        ]
    ),
    .target(
        name: "UserVerbs",
        dependencies: [
            "Verbs", "Learning", "ReminderStore", "Delivery", "Scheduling", "LiveProviders", "Composition", "VaultForm",
            "PipelineInput", "ChoiceText", "ChoiceService", "VaultStore", "PostgresClient", "Explanation", "Fixtures",
            "Recommendation", "StageGraph", "KnotDomain", "JSONDocument", "FileInput", "Arguments", "Console",
        ]
    ),
    .target(
        name: "OperatorVerbs",
        dependencies: [
            "Verbs", "ReminderStore", "Worker", "Tracing", "Delivery", "Operations", "Scheduling", "LiveProviders",
            "HTTPClient", "Composition", "PipelineInput", "ChoiceService", "VaultStore", "Migrations", "PostgresClient",
            "LocalPostgres", "Evaluation", "Shipped", "Fixtures", "Recommendation", "StageGraph", "KnotDomain",
            "TextEncoding", "VectorSearch", "JSONDocument", "FileInput", "Arguments", "Console",
        ]
    ),
    .target(
        name: "AuthorVerbs",
        dependencies: [
            "Verbs", "Composition", "PipelineInput", "ChoiceText", "VaultStore", "Catalogue", "PostgresClient",
            "Evaluation", "Fixtures", "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch",
            "JSONDocument", "FileInput", "Arguments", "Console",
        ]
    ),
    .executableTarget(
        name: "knot-recommend",
        dependencies: [
            "UserVerbs", "OperatorVerbs", "AuthorVerbs", "Verbs", "Delivery", "Operations", "LiveProviders",
            "Composition", "PipelineInput", "PostgresClient", "Recommendation", "StageGraph", "KnotDomain",
            "VectorSearch", "JSONDocument", "Arguments", "Console",
        ],
        // Nobody looks up names in a command; where they are in its table, every library's names are looked for there first.
        linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux]))]
    ),
    .target(name: "CMachineLimits", path: "bench/machine-limits", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "knot-candidate", dependencies: ["VectorSearch"], path: "bench/knot-candidate"),
    .target(name: "Exactness", dependencies: ["VectorSearch"], path: "bench/exactness"),
    .target(
        name: "Retrieval",
        dependencies: [
            "Catalogue", "Evaluation", "KnotDomain", "StageGraph", "TextEncoding", "VectorSearch", "JSONDocument",
        ],
        path: "bench/retrieval",
        resources: [.embedInCode("samples.json")]
    ),
    .executableTarget(
        name: "knot-bench",
        dependencies: [
            "Exactness", "Retrieval", "CMachineLimits", "InventedSets", "VaultStore", "PostgresClient", "Evaluation",
            "Fixtures", "Shipped", "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch",
            "JSONDocument",
        ],
        path: "bench/knot-bench"
    ),
    .executableTarget(
        name: "knot-catalogue-bench",
        dependencies: [
            "Composition", "Fixtures", "Shipped", "Catalogue", "Recommendation", "StageGraph", "KnotDomain",
            "TextEncoding", "VectorSearch", "Threads", "JSONDocument", "FileInput",
        ],
        path: "bench/catalogue/candidate"
    ),
    .executableTarget(
        name: "knot-calendar-bench",
        dependencies: ["Scheduling", "KnotDomain", "FileInput"],
        path: "bench/calendar/candidate"
    ),
    .executableTarget(
        name: "knot-http-bench",
        dependencies: ["LoopbackServer", "HTTPClient", "VectorSearch"],
        path: "bench/http/candidate"
    ),
    .executableTarget(
        name: "knot-encoder-bench",
        dependencies: ["TextEncoding", "VectorSearch", "JSONDocument"],
        path: "bench/encoder/candidate"
    ),
    .testTarget(name: "RetrievalTests", dependencies: ["Retrieval", "Evaluation", "TextEncoding", "VectorSearch"]),
    .testTarget(name: "HouseTests"),
    .testTarget(name: "DigestTests", dependencies: ["Digest"]),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
    .testTarget(name: "StageGraphTests", dependencies: ["TestSupport", "StageGraph", "Threads", "JSONDocument"]),
    .testTarget(name: "VectorSearchTests", dependencies: ["Exactness", "VectorSearch", "CVectorKernels", "Threads"]),
    .testTarget(
        name: "TextEncodingTests",
        dependencies: ["TestSupport", "KnotDomain", "TextEncoding", "VectorSearch", "JSONDocument"]
    ),
    .testTarget(name: "KnotDomainTests", dependencies: ["KnotDomain", "JSONDocument"]),
    .target(
        name: "TestSupport",
        dependencies: [
            "VaultStore", "LocalPostgres", "CPostgres", "Fixtures", "Shipped", "HintRules", "Recommendation",
            "StageGraph", "KnotDomain", "VectorSearch", "Threads", "JSONDocument",
        ]
    ),
    .target(name: "LoopbackServer", dependencies: ["Threads"]),
    .testTarget(
        name: "HTTPClientTests",
        dependencies: ["TestSupport", "LoopbackServer", "HTTPClient", "Threads", "FileInput"]
    ),
    .testTarget(name: "SigningTests", dependencies: ["TestSupport", "Signing"]),
    .testTarget(
        name: "DeliveryTests",
        dependencies: [
            "TestSupport", "LoopbackServer", "Delivery", "HTTPClient", "Signing", "KnotDomain", "Threads",
            "JSONDocument", "FileInput",
        ]
    ),
    .testTarget(
        name: "OperationsTests",
        dependencies: ["TestSupport", "Operations", "Worker", "HTTPClient", "KnotDomain", "JSONDocument"]
    ),
    .testTarget(
        name: "TracingTests",
        dependencies: ["TestSupport", "LoopbackServer", "Tracing", "HTTPClient", "JSONDocument", "FileInput"],
        exclude: ["read_spans.py", "requirements.txt"]
    ),
    .testTarget(
        name: "SchedulingTests",
        dependencies: ["TestSupport", "Scheduling", "KnotDomain", "JSONDocument", "FileInput"]
    ),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments", "Console"]),
    .testTarget(name: "ChoiceTextTests", dependencies: ["ChoiceText", "Console", "JSONDocument"]),
    .testTarget(
        name: "VaultFormTests",
        dependencies: ["TestSupport", "VaultForm", "ChoiceText", "VaultStore", "Console", "KnotDomain", "JSONDocument"]
    ),
    .testTarget(name: "ConsoleTests", dependencies: ["TestSupport", "FileInput", "Console"]),
    .testTarget(name: "LocalPostgresTests", dependencies: ["TestSupport", "LocalPostgres", "Threads", "FileInput"]),
    .testTarget(
        name: "PostgresClientTests",
        dependencies: ["TestSupport", "PostgresClient", "LocalPostgres", "JSONDocument"]
    ),
    .testTarget(
        name: "RecommendationTests",
        dependencies: [
            "TestSupport", "Composition", "Evaluation", "Explanation", "Shipped", "Fixtures", "Classic", "HintRules",
            "Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "Threads",
            "JSONDocument",
        ]
    ),
    .testTarget(name: "KnotRecommendationTests", dependencies: ["KnotRecommendation"]),
    .testTarget(
        name: "ChoiceServiceTests",
        dependencies: ["TestSupport", "ChoiceService", "Recommendation", "StageGraph", "KnotDomain", "JSONDocument"]
    ),
    .testTarget(name: "HintRulesTests", dependencies: ["HintRules", "TextReading", "KnotDomain", "TextEncoding"]),
    .testTarget(
        name: "TextReadingTests",
        dependencies: ["TestSupport", "TextReading", "StageGraph", "KnotDomain", "TextEncoding"]
    ),
    .testTarget(
        name: "ExplanationTests",
        dependencies: [
            "TestSupport", "Explanation", "Shipped", "Fixtures", "Recommendation", "StageGraph", "KnotDomain",
            "JSONDocument",
        ]
    ),
    .target(
        name: "InventedSets",
        dependencies: ["VaultStore", "PostgresClient", "Recommendation", "StageGraph", "KnotDomain", "JSONDocument"]
    ),
    .executableTarget(
        name: "knot-write-probe",
        dependencies: ["InventedSets", "VaultStore", "PostgresClient", "Recommendation", "KnotDomain", "JSONDocument"]
    ),
    .target(name: "InventedOffers", dependencies: ["Catalogue", "KnotDomain", "VectorSearch"]),
    .executableTarget(name: "knot-catalogue-probe", dependencies: ["InventedOffers", "Catalogue"]),
    .testTarget(
        name: "CatalogueTests",
        dependencies: [
            "knot-catalogue-probe", "InventedOffers", "TestSupport", "Catalogue", "Fixtures", "Recommendation",
            "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "JSONDocument",
        ]
    ),
    .target(name: "ProviderSimulator", dependencies: ["LoopbackServer", "Fixtures", "KnotDomain", "JSONDocument"]),
    .executableTarget(
        name: "knot-provider-simulator",
        dependencies: ["ProviderSimulator", "LoopbackServer", "Fixtures"]
    ),
    .target(
        name: "FuzzTargets",
        dependencies: ["ItemPages", "LiveProviders", "HTTPClient", "Recommendation", "KnotDomain"],
        exclude: ["run"]
    ),
    .testTarget(
        name: "ItemPagesTests",
        dependencies: ["TestSupport", "ItemPages", "HTTPClient", "Recommendation", "KnotDomain"]
    ),
    .testTarget(
        name: "LiveProvidersTests",
        dependencies: [
            "FuzzTargets", "TestSupport", "VectorSearch", "Threads", "LoopbackServer", "LiveProviders", "ItemPages",
            "HTTPClient", "Recommendation", "StageGraph", "KnotDomain", "JSONDocument", "FileInput",
            "ProviderSimulator", "Fixtures", "Shipped",
        ]
    ),
    .testTarget(
        name: "VaultStoreTests",
        dependencies: [
            "knot-write-probe", "InventedSets", "TestSupport", "Learning", "VaultStore", "Catalogue", "PostgresClient",
            "Migrations", "LocalPostgres", "CPostgres", "Fixtures", "HintRules", "Recommendation", "StageGraph",
            "KnotDomain", "TextEncoding", "VectorSearch", "Digest", "JSONDocument",
        ]
    ),
    .target(
        name: "WorkerScene",
        dependencies: [
            "Composition", "ReminderStore", "Worker", "Delivery", "ChoiceService", "Scheduling", "VaultStore",
            "PostgresClient", "Shipped", "HintRules", "Recommendation", "StageGraph", "KnotDomain", "JSONDocument",
            "FileInput",
        ]
    ),
    .executableTarget(
        name: "knot-worker-probe",
        dependencies: ["WorkerScene", "Worker", "Delivery", "PostgresClient"]
    ),
    .testTarget(
        name: "WorkerTests",
        dependencies: [
            "knot-worker-probe", "WorkerScene", "TestSupport", "LocalPostgres", "Worker", "Operations", "ReminderStore",
            "Delivery", "Scheduling", "VaultStore", "Migrations", "PostgresClient", "ChoiceService", "Recommendation",
            "KnotDomain", "JSONDocument",
        ]
    ),
    .testTarget(
        name: "ReminderStoreTests",
        dependencies: [
            "WorkerScene", "TestSupport", "ReminderStore", "Worker", "Scheduling", "Delivery", "VaultStore",
            "Migrations", "PostgresClient", "LocalPostgres", "Recommendation", "KnotDomain",
        ]
    ),
    .testTarget(
        name: "EvaluationTests",
        dependencies: [
            "TestSupport", "Evaluation", "Explanation", "Shipped", "Fixtures", "HintRules", "Recommendation",
            "StageGraph", "KnotDomain", "Digest", "JSONDocument", "Console",
        ]
    ),
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "ProviderSimulator", "LoopbackServer", "TestSupport", "knot-recommend", "UserVerbs", "OperatorVerbs",
            "AuthorVerbs", "Verbs", "Composition", "PipelineInput", "Arguments", "Console", "ChoiceText", "Evaluation",
            "Fixtures", "ChoiceService", "VaultStore", "Migrations", "PostgresClient", "LocalPostgres",
            "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "JSONDocument", "FileInput",
        ]
    ),
]

/// What tests share, and the commands that they start, lie beside them.
let foldersInTests = [
    "TestSupport": "TestSupport", "LoopbackServer": "LoopbackServer", "InventedSets": "InventedSets",
    "InventedOffers": "InventedOffers", "ProviderSimulator": "ProviderSimulator", "FuzzTargets": "FuzzTargets",
    "WorkerScene": "WorkerScene", "knot-write-probe": "WriteProbe", "knot-catalogue-probe": "CatalogueProbe",
    "knot-provider-simulator": "ProviderSimulatorCommand", "knot-worker-probe": "WorkerProbe",
]
for target in allTargets {
    if let folder = foldersInTests[target.name] { target.path = "Tests/\(folder)" }
}

/// Rooms whose speed doesn't matter: without its optimizer, the compiler spends a quarter of the time on them.
let unhurried: Set = [
    "Arguments", "VaultForm", "Operations", "LocalPostgres", "Learning", "Migrations", "Tracing", "ChoiceText",
    "PipelineInput", "Worker", "ReminderStore", "Composition", "Verbs", "UserVerbs", "OperatorVerbs", "AuthorVerbs",
    "knot-recommend",
]

// The default linker warns of a function in Foundation's own archive, and takes three times as long.
for target in allTargets where target.type == .executable || target.type == .test {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
}

// What has settings of C is C.
for target in allTargets where target.type != .system && target.cSettings == nil {
    // Tests run the engine hundreds of times, so a debug build optimizes it too. Of the tests themselves, only one room
    // works on millions of numbers.
    let isHurried = (target.type != .test || target.name == "TextEncodingTests") && !unhurried.contains(target.name)
    let optimization = isHurried ? "-O" : "-Onone"
    // A module compiled as a whole, at once, takes less processor time than its interface and batches of its files.
    let once = "-no-emit-module-separately-wmo"
    let whole = ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode", once]
    target.swiftSettings =
        swiftSettings + [
            .unsafeFlags(whole + [optimization], .when(configuration: .debug)),
            .unsafeFlags([once, optimization], .when(configuration: .release)),
        ]
}

/// All of them, or those that KNOT_TARGETS names: a sanitizer's build of everything takes half an hour.
let named = Context.environment["KNOT_TARGETS"].map { $0.split(separator: " ").map(String.init) }
let targets = allTargets.filter { named?.contains($0.name) ?? true }

/// What a Swift server imports, and the vector core as the library that is measured beside the peers.
let products: [Product] =
    targets.filter { $0.name == "KnotRecommendation" }.map { .library(name: $0.name, targets: [$0.name]) }
    + targets.filter { $0.name == "knot-candidate" }.map { .library(name: $0.name, type: .dynamic, targets: [$0.name]) }

let package = Package(name: "knot-recommend", products: products, targets: targets)
