import Foundation
import Testing

/// The page for newcomers stays true: its picture is Package.swift's, and every name in it is there.
@Suite("The page of the architecture") struct ArchitectureTests {
    private static let page = "Sources/KnotRecommendation/Documentation.docc/Development/Architecture.md"

    /// The rooms as a Mermaid graph: an arrow to each room that is not reached by way of another.
    static func picture() throws -> String {
        let rooms = try House.rooms().filter { House.isInSources($0.name) }
        let imports = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0.imports) })
        func reached(from room: String) -> Set<String> {
            (imports[room] ?? []).reduce(into: []) { $0.formUnion([$1] + reached(from: $1)) }
        }
        var lines = ["```mermaid", "graph TD"]
        for room in rooms.reversed() {
            let direct = room.imports.filter { House.isInSources($0) }
            let further = direct.reduce(into: Set<String>()) { $0.formUnion(reached(from: $1)) }
            let shown = direct.filter { !further.contains($0) }
            lines += shown.map { "    \(room.name) --> \($0)" }
            if shown.isEmpty { lines.append("    \(room.name)") }
        }
        return (lines + ["```"]).joined(separator: "\n")
    }

    @Test func `shows the rooms and arrows of Package.swift`() throws {
        let text = try House.text(Self.page)
        let (start, end) = ("<!-- rooms -->\n", "\n<!-- /rooms -->")
        let from = try #require(text.range(of: start)).upperBound
        let to = try #require(text.range(of: end)).lowerBound
        let picture = try Self.picture()
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil {
            let made = text[..<from] + picture + text[to...]
            try Data(made.utf8).write(to: House.root.appending(path: Self.page))
        } else {
            let isSame = text[from..<to] == picture
            #expect(isSame, "Package.swift has changed: make rooms draws the picture again")
        }
    }

    /// The names that a file declares or extends as types, and those of its functions, properties and cases.
    private struct Declarations {
        var types: Set<String> = []
        var members: Set<String> = []

        init(_ text: String) {
            var before = ""
            for word in text.utf8.split(whereSeparator: { !Self.isOfWord($0) }) {
                let name = String(Substring(word))
                switch before {
                case "struct", "class", "enum", "protocol", "actor", "extension": types.insert(name)
                case "func", "var", "let", "case": members.insert(name)
                default: break
                }
                before = name
            }
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
        }
    }

    @Test func `names only types, functions and files that are there`() throws {
        let paths = House.files(in: "Sources", endings: [".swift"])
        let homes = try (paths + House.files(in: "Tests/TestSupport", endings: [".swift"])).map {
            Declarations(try House.text($0))
        }
        let rooms = Set(paths.map { String($0.split(separator: "/")[1]) })
        let files = Set(
            paths.flatMap { [String($0.dropFirst("Sources/".count)), String($0.split(separator: "/").last ?? "")] }
        )
        for match in try House.text(Self.page).matches(of: /`([^`\n]+)`/) {
            let name = String(match.output.1)
            if name.hasSuffix(".swift") {
                #expect(name == "Package.swift" || files.contains(name), "there is no file \(name)")
            } else if let parts = name.wholeMatch(of: /([A-Z][A-Za-z]+)(?:\.([a-z][A-Za-z]+))?/)?.output {
                let found = homes.filter { $0.types.contains(String(parts.1)) }
                #expect(!found.isEmpty || rooms.contains(String(parts.1)), "there is no type \(parts.1)")
                guard let member = parts.2.map(String.init) else { continue }
                let isThere = found.contains { $0.members.contains(member) }
                #expect(isThere, "\(parts.1) has no \(member)")
            }
        }
    }

    /// A kind, its node and its type say the same word.
    @Test func `tells stages by their kinds`() throws {
        let rooms = ["Recommendation", "Classic"]
        for file in rooms.flatMap({ House.files(in: "Sources/\($0)", endings: [".swift"]) }) {
            var type = ""
            for line in try House.text(file).split(separator: "\n") {
                if let found = line.firstMatch(of: /struct ([A-Za-z]+): [A-Za-z]+Stage\b/) {
                    type = String(found.output.1)
                }
                guard let kind = line.firstMatch(of: /static let kind = "([a-z._]+)"/)?.output.1 else { continue }
                let words = kind.split { $0 == "." || $0 == "_" }
                let expected = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
                #expect(type == expected, "\(file): the kind \(kind) is a \(expected)")
            }
        }
    }
}
