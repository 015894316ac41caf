import Testing

@Suite("The rooms of the house")
struct RoomTests {
    /// What each room may import besides the system's modules; `JSONDocument`, `Digest` and `FileInput` are leaves any room may use.
    private static let allowed: [String: Set<String>] = [
        "Digest": ["CCrypto"],
        "JSONDocument": [],
        "FileInput": [],
        "StageGraph": ["Digest", "JSONDocument"],
        "KnotDomain": ["JSONDocument"],
        "VectorSearch": ["CVectorKernels"],
        "TextEncoding": ["KnotDomain", "VectorSearch", "CVectorKernels", "Digest", "JSONDocument"],
        "TextReading": ["CGazetteer", "KnotDomain", "TextEncoding"],
        "Recommendation": [
            "TextReading", "StageGraph", "KnotDomain", "VectorSearch", "TextEncoding", "Digest", "JSONDocument",
        ],
        "HintRules": ["Recommendation", "TextReading", "StageGraph", "KnotDomain", "TextEncoding", "JSONDocument"],
        "Explanation": ["Recommendation", "StageGraph", "KnotDomain", "JSONDocument"],
        "VaultStore": [
            "CPostgres", "Recommendation", "TextReading", "StageGraph", "KnotDomain", "VectorSearch", "TextEncoding",
            "Digest",
            "JSONDocument", "FileInput",
        ],
        "Evaluation": [
            "Explanation", "HintRules", "Recommendation", "StageGraph", "KnotDomain", "VectorSearch", "TextEncoding",
            "Digest",
            "JSONDocument", "FileInput",
        ],
        "knot-recommend": [
            "VaultStore", "Evaluation", "Explanation", "HintRules", "Recommendation", "StageGraph", "KnotDomain",
            "VectorSearch",
            "TextEncoding", "Digest", "JSONDocument", "FileInput",
        ],
    ]

    private static let system: Set<String> = [
        "FoundationEssentials", "Foundation", "Glibc", "Synchronization", "Dispatch", "Swift",
    ]

    /// Rooms that know nothing of the machine: no clock, no network, no C.
    private static let pure: Set<String> = [
        "JSONDocument", "Digest", "StageGraph", "VectorSearch", "TextEncoding", "KnotDomain", "Recommendation",
        "TextReading", "HintRules", "Explanation",
    ]

    @Test(arguments: allowed.keys.sorted())
    func `import only what lies below them`(room: String) throws {
        let allowed = try #require(Self.allowed[room])
        let files = House.files(in: "Sources/\(room)", endings: [".swift"])
        #expect(!files.isEmpty)
        for file in files {
            for module in try House.imports(of: file) {
                #expect(allowed.contains(module) || Self.system.contains(module), "\(file) imports \(module)")
                if Self.pure.contains(room) {
                    #expect(module != "Foundation" && module != "FoundationNetworking", "\(file) imports \(module)")
                }
            }
        }
    }

    @Test func `are all known here`() {
        let rooms = Set(
            House.files(in: "Sources", endings: [".swift", ".c", ".h"]).map { String($0.split(separator: "/")[1]) }
        )
        #expect(rooms.subtracting(Self.allowed.keys) == ["CCrypto", "CGazetteer", "CPostgres", "CVectorKernels"])
    }

    @Test func `never read the clock or sleep in stages`() throws {
        for room in [
            "Explanation", "HintRules", "Recommendation", "TextReading", "KnotDomain", "TextEncoding", "VectorSearch",
        ] {
            for file in House.files(in: "Sources/\(room)", endings: [".swift"]) {
                let text = try House.text(file)
                #expect(text.firstMatch(of: /\bDate\(\)/) == nil, "\(file) reads the clock")
                #expect(!text.contains("Task.sleep"), "\(file) sleeps")
            }
        }
    }

    @Test func `hold nothing unfinished or vaguely named`() throws {
        let vague = ["Utils.swift", "Helpers.swift", "Common.swift", "Manager.swift", "Types.swift", "Shared.swift"]
        let unfinished = ["TO" + "DO", "FIX" + "ME"]
        for file in House.files(in: "Sources", endings: [".swift", ".c", ".h"]) {
            #expect(!vague.contains { file.hasSuffix("/\($0)") }, "\(file) is not named after one thing")
            let text = try House.text(file)
            #expect(!unfinished.contains { text.contains($0) }, "\(file) is unfinished")
            #expect(!text.contains("try!") && !text.contains("as!"), "\(file) forces something")
        }
    }
}
