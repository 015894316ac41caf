import Foundation

/// A folder of its own for one test, gone afterwards; what a command left there shows no secret that was planted.
package final class ScratchFolder {
    package let path: String
    /// What the test itself wrote.
    private var own: Set<String> = []

    package init() throws {
        path = NSTemporaryDirectory() + "knot-command-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        PlantedSecret.expectAbsent(fromFolder: path, but: own)
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // Left for the system to clean: the test has its verdict already.
        }
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func write(_ text: String, to name: String) throws -> String {
        own.insert(name)
        try text.write(toFile: file(name), atomically: false, encoding: .utf8)
        return file(name)
    }

    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
