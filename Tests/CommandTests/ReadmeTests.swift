import Foundation
import Testing

@testable import knot_recommend

@Suite struct `The README` {
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
        // By words alone, since a model's last digits differ from one kind of CPU to another.
        let outcome = try BuiltCommand.run(
            "cd '\(Repository.root.path)' && \(script) 2>&1",
            environment: ["KNOT_MODEL": "none"]
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
                #expect(
                    printed == transcript.shown.trimmingCharacters(in: .newlines),
                    "run again: \(transcript.command)"
                )
            }
        }
        if isRecording { try text.write(to: Self.readme, atomically: true, encoding: .utf8) }
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
        let text = try String(contentsOf: Self.readme, encoding: .utf8)
        for line in MarkdownTables.verbs() { #expect(text.contains(line), "missing: \(line)") }
    }
}
