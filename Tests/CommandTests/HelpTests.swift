import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import knot_recommend

@Suite struct `The help of verbs` {
    /// Compares with the kept file, or keeps a new one when `KNOT_RECORD_SNAPSHOTS` is set.
    private func expectSnapshot(
        _ lines: [String],
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = Repository.root.appendingPathComponent("fixtures/snapshots/help/\(name).txt")
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let reviewed = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            reviewed == text,
            "\(name).txt \(reviewed == nil ? "is missing" : "differs"): make transcripts records it; review its diff",
            sourceLocation: sourceLocation
        )
    }

    @Test(arguments: VerbName.allCases)
    func `a verb's help is the one that was reviewed`(verb: VerbName) throws {
        try expectSnapshot(HelpText(.knot).verb(Verb.named(verb).definition, width: 80, isWhole: true), verb.rawValue)
    }

    @Test(arguments: VerbName.allCases)
    func `a verb's short help is the beginning of the whole one`(verb: VerbName) {
        let short = HelpText(.knot).verb(Verb.named(verb).definition, width: 80)
        let whole = HelpText(.knot).verb(Verb.named(verb).definition, width: 80, isWhole: true)
        #expect(short.count < whole.count)
        #expect(short.contains { $0.contains("--help-all") })
        for flag in CommandTable.knot.counting(in: verb) {
            let isShown = short.contains { $0.contains("\(flag.name.typed) ") || $0.hasSuffix(flag.name.typed) }
            #expect(flag.isOfEveryVerb || isShown, "\(flag.name.typed)")
        }
    }

    @Test func `the overview is the one that was reviewed`() throws {
        try expectSnapshot(HelpText(.knot).overview(width: 80), "overview")
    }

    @Test(arguments: VerbName.allCases, [60, 80, 100])
    func `help fits the page and names every flag`(verb: VerbName, width: Int) {
        let lines = HelpText(.knot).verb(Verb.named(verb).definition, width: width, isWhole: true)
        for line in lines where !line.contains("--") {
            #expect(DisplayWidth.of(line) <= width)
        }
        if width == 80 { #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 }) }
        let text = lines.joined(separator: "\n")
        for flag in CommandTable.knot.counting(in: verb) { #expect(text.contains(flag.name.typed)) }
    }

    @Test func `the tables name every verb, flag and code`() {
        let text = MarkdownTables(.knot).lines().joined(separator: "\n")
        for verb in VerbName.allCases { #expect(text.contains("| `\(verb.rawValue)` |")) }
        for flag in Flag.all.map(\.name) { #expect(text.contains(flag.typed)) }
        for code in ExitCode.allCases { #expect(text.contains("| \(code.rawValue) |")) }
    }
}
