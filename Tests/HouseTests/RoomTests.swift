import Testing

@Suite("The rooms of the house")
struct RoomTests {
    private static let system: Set<String> = [
        "FoundationEssentials", "Foundation", "Glibc", "Synchronization", "Dispatch", "Swift",
    ]

    /// Rooms that know nothing of the machine: no clock, no network, no C.
    private static let pure: Set<String> = [
        "JSONDocument", "Digest", "StageGraph", "VectorSearch", "TextEncoding", "TextReading", "KnotDomain",
        "Recommendation", "Classic", "Shipped", "HintRules", "Explanation", "Scheduling",
    ]

    /// Package.swift says once what a room may import; the compiler would let a room see what its rooms see.
    @Test func `import only what Package.swift lists for them`() throws {
        let rooms = try House.rooms()
        #expect(rooms.contains { $0.name == "Recommendation" && $0.imports.contains("StageGraph") })
        for (room, imports) in rooms {
            for file in House.files(in: "Sources/\(room)", endings: [".swift"]) {
                for module in try House.imports(of: file) {
                    #expect(imports.contains(module) || Self.system.contains(module), "\(file) imports \(module)")
                    if Self.pure.contains(room) {
                        #expect(module != "Foundation" && module != "FoundationNetworking", "\(file) imports \(module)")
                    }
                }
            }
        }
    }

    @Test func `list only rooms that stand above them in Package.swift`() throws {
        var seen: Set<String> = []
        for (room, imports) in try House.rooms() where House.isInSources(room) {
            #expect(seen.isSuperset(of: imports), "\(room) lists \(Set(imports).subtracting(seen))")
            seen.insert(room)
        }
    }

    @Test func `are all in Package.swift`() throws {
        let folders = Set(
            House.files(in: "Sources", endings: [".swift", ".c", ".h"]).map { String($0.split(separator: "/")[1]) }
        )
        #expect(folders == Set(try House.rooms().map(\.name).filter(House.isInSources)))
    }

    @Test func `never read the clock or sleep in stages`() throws {
        for room in [
            "Explanation", "HintRules", "Classic", "Recommendation", "TextReading", "KnotDomain", "TextEncoding",
            "VectorSearch", "Scheduling",
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
