import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite(.onOwnThreads) struct `A manual page` {
    @Test(arguments: VerbName.allCases)
    func `says everything about its verb in a form that man takes without a warning`(verb: VerbName) throws {
        let page = ManualPage(.knot).verb(Verb.named(verb).definition).joined(separator: "\n") + "\n"
        for flag in CommandTable.knot.counting(in: verb) {
            #expect(page.contains(flag.name.typed.replacing("-", with: "\\-")))
        }
        for code in Verb.named(verb).allExitCodes { #expect(page.contains(".B \(code.rawValue)\n")) }
        try Self.expectClean(page)
    }

    @Test func `of the program names every verb and every variable`() throws {
        let page = ManualPage(.knot).overview().joined(separator: "\n") + "\n"
        for verb in Verb.all { #expect(page.contains(verb.name.rawValue.replacing("-", with: "\\-"))) }
        for variable in Flag.all.compactMap(\.environment) + ["KNOT_DEV_DB"] {
            #expect(page.contains(".B \(variable)\n"))
        }
        try Self.expectClean(page)
    }

    private static func expectClean(_ page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(page, to: "page.1")
        let outcome = try BuiltCommand.run(
            "command -v groff >/dev/null || exit 0; groff -k -man -Tutf8 -rLL=300n -ww '\(path)' >/dev/null"
        )
        #expect(outcome == .init(code: 0, output: "", errors: ""), sourceLocation: sourceLocation)
    }

    @Test(.enabled(if: Repository.binary != nil, "the command is not built"))
    func `is installed beside the command and its completions`() throws {
        let folder = try ScratchFolder()
        let outcome = try BuiltCommand.run(
            "make -s -C '\(Repository.root.path)' -o build install BINARY=\"$KNOT\" DESTDIR='\(folder.path)' PREFIX=/usr"
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let root = folder.file("usr")
        for name in VerbName.allCases.map({ "share/man/man1/knot-recommend-\($0.rawValue).1" }) + [
            "bin/knot-recommend", "share/man/man1/knot-recommend.1", "share/bash-completion/completions/knot-recommend",
            "share/zsh/site-functions/_knot-recommend", "share/fish/vendor_completions.d/knot-recommend.fish",
        ] {
            let size = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")[.size] as? Int
            #expect((size ?? 0) > 0, "\(name)")
        }
    }
}
