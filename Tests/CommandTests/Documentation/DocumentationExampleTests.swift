import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite(.tags(.database), .needs(.eighteen)) struct `The documentation` {
    private static let isRecording = ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil

    @Test(arguments: DocumentationPage.all)
    func `shows what its commands print`(page: DocumentationPage) async throws {
        try #require(Repository.binary != nil, "the command must be built beside the tests")
        let steps = try page.steps()
        let outcomes = try await DocumentationSession.outcomes(of: steps)
        try #require(
            outcomes.count == steps.count,
            "the shell of \(page.path) ended early: \(outcomes.last?.output ?? "")"
        )
        var text = try page.text()
        for (step, outcome) in zip(steps, outcomes) {
            switch step {
            case .commands(let lines):
                #expect(outcome.code == 0, "\(page.path): \(lines.joined(separator: "\n"))\n\(outcome.output)")
            case .transcript(let command, let shown):
                let isSame = ShownText(shown).isSame(as: ShownText(outcome.output))
                if !isSame, Self.isRecording, !shown.contains("…") {
                    let before = shown.isEmpty ? "$ \(command)\n" : "$ \(command)\n\(shown)\n"
                    text = text.replacing(before, with: "$ \(command)\n\(outcome.output)\n", maxReplacements: 1)
                } else {
                    #expect(isSame, "\(page.path): make transcripts records \(command)\n\(outcome.output)")
                }
            case .json(let json, _):
                #expect(throws: Never.self, "\(page.path): \(json)") { try JSONParser.parse(Array(json.utf8)) }
            case .swift: break
            }
        }
        if Self.isRecording, text != (try page.text()) { try page.replace(with: text) }
    }

    @Test func `shows at least the outputs that a newcomer meets first`() throws {
        let shown = try DocumentationPage.all.flatMap { try $0.steps() }.count {
            if case .transcript = $0 { true } else { false }
        }
        #expect(shown >= 20)
    }

    @Test(arguments: DocumentationPage.all)
    func `names only verbs and make targets that exist`(page: DocumentationPage) throws {
        let text = try page.text()
        let verbs = Set(VerbName.allCases.map(\.rawValue))
        for match in text.matches(of: /knot-recommend ([a-z][a-z-]+)/) {
            #expect(verbs.contains(String(match.output.1)), "\(page.path) shows the verb \(match.output.1)")
        }
        let makefile = try String(contentsOf: Repository.root.appendingPathComponent("Makefile"), encoding: .utf8)
        for match in text.matches(of: /(?m)(?:`|^)make ([a-z-]+)/) {
            #expect(makefile.contains("\n\(match.output.1):"), "\(page.path) shows make \(match.output.1)")
        }
    }

    @Test func `has the page of verbs that help prints`() throws {
        let url = Repository.root.appendingPathComponent("\(DocumentationPage.catalog)/Reference/Verbs.md")
        let page = MarkdownReference(.knot).lines().joined(separator: "\n") + "\n"
        if Self.isRecording { try page.write(to: url, atomically: true, encoding: .utf8) }
        let isSame = try String(contentsOf: url, encoding: .utf8) == page
        #expect(isSame, "the verbs or their flags have changed: make transcripts records Reference/Verbs.md again")
    }

    @Test(arguments: [
        ("mean 2.35 ok", "mean 2.36  ok", true), ("mean 2.35", "mean 2.37", false), ("3/84", "4/84", false),
        ("hints 0.54 ======", "hints 0.54 =====", true), ("hints 0.54", "themes 0.54", false),
        ("p 0.016", "p 0.15", false), ("a … d", "a b c d", true), ("a … d", "a b c", false), ("vault …", "vault", true),
        ("id 12…9 ok", "id 12345679 ok", true), ("id 12…9", "id 12345678", false), ("… b", "a b c", false),
        ("a …\n…\nb c b", "a x y b c b", true),
    ])
    func `is compared to the last digit of a number, and as far as its ellipses`(
        shown: String,
        printed: String,
        isSame: Bool
    ) {
        #expect(ShownText(shown).isSame(as: ShownText(printed)) == isSame)
    }
}
