import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import UserVerbs
@testable import Verbs
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

    /// A page of the help: that of a verb or of one of its actions.
    struct Page: Sendable, CustomTestStringConvertible {
        let verb: VerbDefinition
        let action: VerbAction?

        var testDescription: String { [verb.name.rawValue, action?.name].compactMap(\.self).joined(separator: " ") }

        func lines(width: Int = 80, isWhole: Bool = false) -> [String] {
            HelpText(.knot).page(verb, action, width: width, isWhole: isWhole)
        }

        var flags: [Flag] { CommandTable.knot.counting(in: verb.name, action) }

        static let all = Verb.all.flatMap { verb in
            [Page(verb: verb.definition, action: nil)]
                + verb.actions.map { Page(verb: verb.definition, action: $0) }
        }
    }

    @Test(arguments: Page.all)
    func `a page is the one that was reviewed`(page: Page) throws {
        // The shared options and the exit codes are those of the verb.
        let name = page.testDescription.replacing(" ", with: "-")
        try expectSnapshot(page.lines(isWhole: page.action == nil), name)
    }

    @Test(arguments: Page.all)
    func `a short page is the beginning of the whole one`(page: Page) {
        let short = page.lines()
        #expect(short.count < page.lines(isWhole: true).count)
        #expect(short.contains { $0.contains("--help-all") })
        for flag in page.flags {
            let isShown = short.contains { $0.contains("\(flag.name.typed) ") || $0.hasSuffix(flag.name.typed) }
            #expect(flag.isOfEveryVerb || isShown, "\(flag.name.typed)")
        }
    }

    @Test func `an action's page has no option of another action`() throws {
        for page in Page.all where page.action != nil {
            let options = page.lines().drop { $0 != "Options:" }.joined(separator: "\n")
            for flag in Flag.all where !page.flags.contains(flag) {
                #expect(!options.contains("\n  \(flag.name.typed) "), "\(page.testDescription) \(flag.name.typed)")
            }
        }
    }

    @Test func `the overview is the one that was reviewed`() throws {
        try expectSnapshot(HelpText(.knot).overview(width: 80), "overview")
    }

    @Test(arguments: Page.all, [60, 80, 100])
    func `a page fits the width, names every flag and has an example`(page: Page, width: Int) {
        let lines = page.lines(width: width, isWhole: true)
        for line in lines where width == 80 || !line.contains("--") {
            #expect(DisplayWidth.of(line) <= width, "\(line)")
        }
        #expect(lines.contains("Usage:") && lines.contains("Examples:"))
        #expect(lines.drop { $0 != "Examples:" }.contains { $0.contains("knot-recommend ") })
        let text = lines.joined(separator: "\n")
        for flag in page.flags { #expect(text.contains(flag.name.typed)) }
    }

    @Test func `the reference names every verb, action, option and code`() {
        let lines = MarkdownReference(.knot).lines()
        let text = lines.joined(separator: "\n")
        #expect(lines.first == "# Verbs" && lines[1].isEmpty && !lines[2].isEmpty)
        for page in Page.all { #expect(lines.contains("\(page.action == nil ? "##" : "###") \(page.testDescription)")) }
        for flag in Flag.all.map(\.name) {
            #expect(text.contains("| `\(flag.typed)") || text.contains(", \(flag.typed)"))
        }
        for code in ExitCode.allCases { #expect(text.contains("| \(code.rawValue) |")) }
    }

    @Test func `the reference leaves nothing outside of code that Markdown would take for markup`() {
        var isCode = false
        for line in MarkdownReference(.knot).lines() {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, !line.hasPrefix("```") else { continue }
            let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 0 }.map(\.element).joined().replacing("**", with: "")
            #expect(
                !prose.contains { "<>*_[]".contains($0) } && !prose.contains("--") || line == "|---|---|",
                "\(line)"
            )
        }
        #expect(!isCode)
    }

    @Test func `as JSON has an entry for each action with only its flags`() throws {
        let vault = HelpDocument(.knot).json(Verb.vault.definition)
        let actions = try #require(vault["actions"]?.array)
        #expect(actions.compactMap { $0["name"]?.string } == ["new", "list", "show", "edit"])
        let flags = actions[1]["flags"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(flags.contains("--limit") && !flags.contains("--file"))
        #expect(HelpDocument(.knot).json(Verb.run.definition)["actions"]?.array?.isEmpty == true)
    }
}
