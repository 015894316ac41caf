import Foundation

/// A folder of its own for each test, gone with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("vectors-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A folder that cannot be removed is the system's to clear; the test has said what it had to say.
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: file(name)))) }

    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: file(name))) }
}
