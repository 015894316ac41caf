import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import VaultStore

/// Many vaults at once: a few here, as many as `KNOT_VAULTS` says where that is asked for.
@Suite("Importing very many vaults", .tags(.database)) struct ManyVaultsTests {
    private static let count = ProcessInfo.processInfo.environment["KNOT_VAULTS"].flatMap { Int($0) } ?? 200

    @Test func `memory does not grow with their number`() async throws {
        try await ImportedWorld.with(limit: 4) { world in
            let texts = try ImportedWorld.stems.map { String(decoding: try ImportedWorld.bytes($0), as: UTF8.self) }
            var number = 0
            var early = 0
            let begin = ContinuousClock.now
            let summary = await world.importer.addAll(
                lanes: 4,
                next: {
                    guard number < Self.count else { return nil }
                    number += 1
                    if number == min(100, Self.count) { early = Self.residentPages() }
                    let text = Self.renamed(texts[number % texts.count], number / texts.count)
                    return ImportSource(name: "\(number)", bytes: Array(text.utf8))
                }
            )
            let time = ContinuousClock.now - begin
            #expect(summary.failures.isEmpty, "\(summary.failures.first.map { "\($0.error.problems)" } ?? "")")
            #expect(summary.progress.added == Self.count)
            let grown = (Self.residentPages() - early) * 4
            print("import: \(Self.count) vaults in \(time), memory grew by \(grown) KiB")
            #expect(grown < 100 * 1_024)
        }
    }

    /// The same fixture of other people: every id begins with a number of its own.
    private static func renamed(_ text: String, _ copy: Int) -> String {
        let digits = String(copy + 0x1000, radix: 16)
        return text.replacing(/"[0-9a-f]{4}(?<rest>[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"/) {
            "\"\(digits)\($0.output.rest)\""
        }
    }

    private static func residentPages() -> Int {
        guard let text = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
