package import Foundation

/// Where the repository's own files are, seen from a test.
package enum Repository {
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The built command beside the test bundle; nil where it is not built.
    package static let binary: URL? = {
        let folders = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent(),
            root.appendingPathComponent(".build/debug"),
        ]
        let paths = folders.map { $0.appendingPathComponent("knot-recommend") }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()
}
