import Foundation
import Testing

@Suite("The top level")
struct TopLevelTests {
    @Test func `holds what the architecture names and nothing else`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: House.root.path)
        let known: Set = [
            "Package.swift", "Sources", "Tests", "pipelines", "fixtures", "bench", "README.md", "Makefile", "LICENSE",
        ]
        for name in names where !name.hasPrefix(".") { #expect(known.contains(name), "\(name) has no place there") }
    }
}
