import Foundation
import Testing

/// The repository's own files, read where the tests were compiled.
enum House {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// Paths below a folder with one of these endings, relative to the root, sorted.
    static func files(in folder: String, endings: [String]) -> [String] {
        let start = root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil) else { return [] }
        var found: [String] = []
        for case let url as URL in walk where endings.contains(where: { url.lastPathComponent.hasSuffix($0) }) {
            found.append(folder + url.path.dropFirst(start.path.count))
        }
        return found.sorted()
    }

    /// The modules a file imports, however it imports them.
    static func imports(of path: String) throws -> [String] {
        try text(path).split(separator: "\n").compactMap { line in
            // A text may show a command that imports.
            guard !line.contains("\"") else { return nil }
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place <= 1, place + 1 < words.count else { return nil }
            return String(words[place + 1])
        }
    }

    /// The rooms in the order of Package.swift, and what each of them may import.
    static func rooms() throws -> [(name: String, imports: [String])] {
        let listed = try text("Package.swift").split(separator: "\nlet products", maxSplits: 1)
        return try #require(listed.first).matches(of: /name: "([^"]+)"(?:,\s*dependencies: \[([^\]]*)\])?/).map {
            match in
            let rooms = match.output.2?.split(separator: "\"").map(String.init) ?? []
            return (String(match.output.1), rooms.filter { $0.allSatisfy { $0.isLetter || $0 == "-" } })
        }
    }

    /// Whether a target of Package.swift is a room of the house, and not a test or a benchmark.
    static func isInSources(_ room: String) -> Bool {
        !files(in: "Sources/\(room)", endings: [".swift", ".c", ".h"]).isEmpty
    }
}
