import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import knot_recommend

@Suite(.onOwnThreads) struct `The README` {
    /// One command of a console block with the output shown below it.
    private struct Transcript: Sendable, CustomTestStringConvertible {
        let command: String
        let shown: String
        var testDescription: String { command }
    }

    private static let readme = Repository.root.appendingPathComponent("README.md")

    private static func transcripts() throws -> [Transcript] {
        var found: [Transcript] = []
        var isInside = false
        var command: String?
        var lines: [Substring] = []
        func close() {
            if let command { found.append(Transcript(command: command, shown: lines.joined(separator: "\n"))) }
            command = nil
            lines = []
        }
        for line in try String(contentsOf: readme, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            if line.hasPrefix("```") {
                if isInside { close() }
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                close()
                command = String(line.dropFirst(2))
            } else if isInside {
                lines.append(line)
            }
        }
        return found
    }

    private static func output(of command: String) throws -> String {
        let script = command.replacing("knot-recommend", with: "\"$KNOT\"", maxReplacements: 1)
        // With the model that set-up gets, as a newcomer has it, and with nobody's settings.
        var environment = ["XDG_CONFIG_HOME": "/nonexistent"]
        for name in ["HOME", "KNOT_CACHE", "XDG_CACHE_HOME"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        let outcome = try BuiltCommand.run(
            "cd '\(Repository.root.path)' && \(script) 2>&1",
            environment: environment
        )
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    @Test func `shows what its commands print`() throws {
        try #require(Repository.binary != nil, "the command must be built beside the tests")
        var text = try String(contentsOf: Self.readme, encoding: .utf8)
        let isRecording = ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil
        let transcripts = try Self.transcripts()
        #expect(transcripts.count >= 3)
        for transcript in transcripts where transcript.command.hasPrefix("knot-recommend ") {
            let printed = try Self.output(of: transcript.command)
            if isRecording {
                let before = transcript.shown.isEmpty ? "" : transcript.shown + "\n"
                text = text.replacing(
                    "$ \(transcript.command)\n\(before)```",
                    with: "$ \(transcript.command)\n\(printed)\n```",
                    maxReplacements: 1
                )
            } else {
                let shown = ShownText(transcript.shown)
                #expect(ShownText(printed).isSame(as: shown), "run again: \(transcript.command)\n\(printed)")
            }
        }
        if isRecording { try text.write(to: Self.readme, atomically: true, encoding: .utf8) }
    }

    @Test(arguments: [
        ("mean 2.35 ok", "mean 2.36  ok", true), ("mean 2.35", "mean 2.37", false), ("3/84", "4/84", false),
        ("hints 0.54 ======", "hints 0.54 =====", true), ("hints 0.54", "themes 0.54", false),
        ("p 0.016", "p 0.15", false),
    ])
    func `holds numbers to their last digit, the rest to the letter`(one: String, other: String, isSame: Bool) {
        #expect(ShownText(one).isSame(as: ShownText(other)) == isSame)
    }

    @Test func `names only verbs and targets that exist`() throws {
        let text = try String(contentsOf: Self.readme, encoding: .utf8)
        let verbs = Set(VerbName.allCases.map(\.rawValue))
        for match in text.matches(of: /knot-recommend ([a-z][a-z-]+)/) {
            #expect(verbs.contains(String(match.output.1)), "README shows the verb \(match.output.1)")
        }
        let makefile = try String(contentsOf: Repository.root.appendingPathComponent("Makefile"), encoding: .utf8)
        for match in text.matches(of: /make ([a-z-]+)/) {
            #expect(makefile.contains("\n\(match.output.1):"), "README shows make \(match.output.1)")
        }
    }

    @Test func `carries the tables that the definitions of verbs and flags make`() throws {
        var text = try String(contentsOf: Self.readme, encoding: .utf8)
        let table = MarkdownTables(.knot).verbs().joined(separator: "\n") + "\n\n"
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil, !text.contains(table) {
            let start = try #require(text.range(of: "| verb | does |")).lowerBound
            let end = try #require(text[start...].range(of: "\n\n")).upperBound
            text.replaceSubrange(start..<end, with: table)
            try text.write(to: Self.readme, atomically: true, encoding: .utf8)
        }
        let isCarried = text.contains(table)
        #expect(isCarried, "the README's table of verbs differs: make transcripts writes it again")
    }
}

/// What a command printed, compared as a reader would: the last digit of a measured number and the length of a bar may
/// differ, since sums of floats differ from one kind of CPU to another.
private struct ShownText {
    private let words: [Substring]

    init(_ text: String) {
        words = text.split { $0.isWhitespace || "=[]()".contains($0) }
    }

    func isSame(as other: ShownText) -> Bool {
        words.count == other.words.count && zip(words, other.words).allSatisfy(Self.isSame)
    }

    private static func isSame(_ one: Substring, _ other: Substring) -> Bool {
        if one == other { return true }
        guard let point = one.firstIndex(of: "."), let end = other.firstIndex(of: "."),
            let first = Double(one), let second = Double(other)
        else { return false }
        let digits = one[point...].count - 1
        guard digits >= 2, digits == other[end...].count - 1 else { return false }
        let unit = (0..<digits).reduce(1.0) { unit, _ in unit / 10 }
        return abs(first - second) < unit * 1.5
    }
}
