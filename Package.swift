// swift-tools-version: 6.2
import PackageDescription

/// One settings constant for every Swift target: Swift 6 mode, the upcoming features, strict memory safety, no warnings.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// The rooms in dependency order: each may import only what it lists here, and a test holds them to it.
let targets: [Target] = [
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Digest", dependencies: ["CCrypto"]),
    .target(name: "JSONDocument"),
    .target(name: "FileInput"),
    .target(name: "Threads"),
    .target(name: "StageGraph", dependencies: ["Threads", "Digest", "JSONDocument"]),
    .target(name: "KnotDomain", dependencies: ["JSONDocument"]),
    .target(name: "CVectorKernels", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "VectorSearch", dependencies: ["CVectorKernels", "Threads"]),
    .target(
        name: "TextEncoding",
        dependencies: ["KnotDomain", "VectorSearch", "CVectorKernels", "Threads", "Digest", "JSONDocument"],
        resources: [
            .embedInCode("Lexicon/lexicon.json"), .embedInCode("Prototypes/prototypes.json"),
            .embedInCode("Ranking/weights.json"),
        ]
    ),
    .target(name: "CGazetteer", exclude: ["cities.csv"], cSettings: [.treatAllWarnings(as: .error)]),
    .target(
        name: "TextReading",
        dependencies: ["CGazetteer", "KnotDomain", "TextEncoding"],
        resources: [.embedInCode("Notes/public-words.txt")]
    ),
    .target(
        name: "Recommendation",
        dependencies: [
            "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "Threads", "Digest",
            "JSONDocument",
        ],
        resources: [
            .embedInCode("Shipped/classic.json"), .embedInCode("Shipped/choice-of-three.json"),
        ]
    ),
    .target(
        name: "HintRules",
        dependencies: ["Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "JSONDocument"],
        resources: [
            .embedInCode("conditions.json"), .embedInCode("remedies.json"), .embedInCode("tastes.json"),
        ]
    ),
    .target(
        name: "Explanation",
        dependencies: ["Recommendation", "StageGraph", "KnotDomain", "Threads", "JSONDocument"]
    ),
    .target(
        name: "Evaluation",
        dependencies: [
            "Explanation", "HintRules", "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch",
            "Digest", "JSONDocument", "FileInput",
        ],
        exclude: ["Metrics/CONVENTIONS.md"]
    ),
    .target(name: "LocalPostgres", dependencies: ["Threads", "Digest"]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "PostgresClient", dependencies: ["CPostgres", "Threads", "Digest", "JSONDocument"]),
    .target(
        name: "VaultStore",
        dependencies: [
            "PostgresClient", "Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding",
            "VectorSearch", "Digest", "JSONDocument", "FileInput",
        ],
        resources: [.embedInCode("Migrations/SQL")]
    ),
    .executableTarget(
        name: "knot-recommend",
        dependencies: [
            "VaultStore", "PostgresClient", "LocalPostgres", "Evaluation", "Explanation", "HintRules",
            "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "Threads", "Digest",
            "JSONDocument", "FileInput",
        ]
    ),
    .target(
        name: "CMachineLimits",
        path: "bench/machine-limits",
        cSettings: [.treatAllWarnings(as: .error)]
    ),
    .target(name: "knot-candidate", dependencies: ["VectorSearch"], path: "bench/knot-candidate"),
    .target(name: "Exactness", dependencies: ["VectorSearch"], path: "bench/exactness"),
    .target(
        name: "Retrieval",
        dependencies: ["Evaluation", "StageGraph", "TextEncoding", "VectorSearch", "JSONDocument"],
        path: "bench/retrieval",
        resources: [.embedInCode("samples.json")]
    ),
    .executableTarget(
        name: "knot-bench",
        dependencies: [
            "Exactness", "Retrieval", "CMachineLimits", "InventedSets", "VaultStore", "PostgresClient", "Evaluation",
            "Recommendation", "StageGraph", "KnotDomain", "TextEncoding", "VectorSearch", "JSONDocument",
        ],
        path: "bench/knot-bench"
    ),
    .executableTarget(
        name: "knot-encoder-bench",
        dependencies: ["TextEncoding", "VectorSearch", "JSONDocument"],
        path: "bench/encoder/candidate"
    ),
    .testTarget(
        name: "RetrievalTests",
        dependencies: ["Retrieval", "Evaluation", "TextEncoding", "VectorSearch", "JSONDocument"]
    ),
    .testTarget(name: "HouseTests"),
    .testTarget(name: "DigestTests", dependencies: ["Digest"]),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
    .testTarget(
        name: "StageGraphTests",
        dependencies: ["TestSupport", "StageGraph", "Threads", "Digest", "JSONDocument"]
    ),
    .testTarget(name: "VectorSearchTests", dependencies: ["Exactness", "VectorSearch", "CVectorKernels", "Threads"]),
    .testTarget(
        name: "TextEncodingTests",
        dependencies: ["KnotDomain", "TextEncoding", "VectorSearch", "JSONDocument"]
    ),
    .testTarget(name: "KnotDomainTests", dependencies: ["KnotDomain", "JSONDocument"]),
    .target(
        name: "TestSupport",
        dependencies: [
            "VaultStore", "LocalPostgres", "CPostgres", "Evaluation", "HintRules", "Recommendation", "StageGraph",
            "KnotDomain", "VectorSearch", "Threads", "JSONDocument",
        ],
        path: "Tests/TestSupport"
    ),
    .testTarget(
        name: "LocalPostgresTests",
        dependencies: ["TestSupport", "LocalPostgres", "Threads"]
    ),
    .testTarget(
        name: "PostgresClientTests",
        dependencies: ["TestSupport", "PostgresClient", "LocalPostgres", "JSONDocument"]
    ),
    .testTarget(
        name: "RecommendationTests",
        dependencies: [
            "TestSupport", "Evaluation", "Explanation", "HintRules", "Recommendation", "TextReading", "StageGraph",
            "KnotDomain", "TextEncoding", "VectorSearch", "Threads", "JSONDocument",
        ]
    ),
    .testTarget(
        name: "HintRulesTests",
        dependencies: ["HintRules", "TextReading", "KnotDomain", "TextEncoding"]
    ),
    .testTarget(
        name: "TextReadingTests",
        dependencies: ["TestSupport", "TextReading", "StageGraph", "KnotDomain", "TextEncoding"]
    ),
    .testTarget(
        name: "ExplanationTests",
        dependencies: [
            "TestSupport", "Evaluation", "Explanation", "Recommendation", "StageGraph", "KnotDomain", "JSONDocument",
        ]
    ),
    .target(
        name: "InventedSets",
        dependencies: ["VaultStore", "Recommendation", "KnotDomain", "JSONDocument"],
        path: "Tests/InventedSets"
    ),
    .executableTarget(
        name: "knot-write-probe",
        dependencies: ["InventedSets", "VaultStore", "PostgresClient", "Recommendation", "KnotDomain", "JSONDocument"],
        path: "Tests/WriteProbe"
    ),
    .testTarget(
        name: "VaultStoreTests",
        dependencies: [
            "knot-write-probe", "InventedSets", "TestSupport", "VaultStore", "PostgresClient", "LocalPostgres",
            "CPostgres", "Evaluation", "HintRules", "Recommendation", "StageGraph", "KnotDomain", "TextEncoding",
            "VectorSearch", "Digest", "JSONDocument",
        ]
    ),
    .testTarget(
        name: "EvaluationTests",
        dependencies: [
            "TestSupport", "Evaluation", "Explanation", "HintRules", "Recommendation", "StageGraph", "KnotDomain",
            "Digest", "JSONDocument",
        ]
    ),
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "TestSupport", "knot-recommend", "VaultStore", "PostgresClient", "LocalPostgres", "StageGraph",
            "KnotDomain", "JSONDocument", "FileInput",
        ]
    ),
]

for target in targets
where target.type != .system && !["CVectorKernels", "CGazetteer", "CMachineLimits"].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
}

/// The vector core behind the calls of the peers' harness, as one library that is measured beside the peers.
let products: [Product] = targets.filter { $0.name == "knot-candidate" }
    .map { .library(name: $0.name, type: .dynamic, targets: [$0.name]) }

let package = Package(name: "knot-recommend", products: products, targets: targets)
