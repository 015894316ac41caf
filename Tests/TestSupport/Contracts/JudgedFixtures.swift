package import Fixtures
import Foundation

/// The judged vaults of this repository, as the file adapter reads them.
package enum JudgedFixtures {
    private static var folder: String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "fixtures/vaults").path
    }

    package static func files() throws -> [String] { try FixtureLoader.files(in: folder) }

    package static func all() throws -> [FixtureCase] {
        let loader = FixtureLoader()
        return try files().map { try loader.load($0) }
    }
}
