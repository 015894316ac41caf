import Foundation
import Testing

@testable import knot_recommend

@Suite struct `Completions` {
    @Test(arguments: Shell.allCases)
    func `a script knows every verb and every flag`(shell: Shell) {
        let text = shell.completionScript.joined(separator: "\n")
        for verb in VerbName.allCases { #expect(text.contains(verb.rawValue)) }
        for flag in FlagName.allCases {
            #expect(text.contains(shell == .fish ? "-l \(flag.rawValue)" : flag.typed))
        }
        #expect(text.contains("major_milestone"))
    }

    @Test func `bash accepts its script and completes with it`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(Shell.bash.completionScript.joined(separator: "\n") + "\n", to: "c.bash")
        let checked = try BuiltCommand.run("bash -n '\(path)'")
        #expect(checked == .init(code: 0, output: "", errors: ""))
        func complete(_ words: String) throws -> [String] {
            let count = words.split(separator: " ", omittingEmptySubsequences: false).count
            let script =
                "source '\(path)'; COMP_WORDS=(\(words)\(words.hasSuffix(" ") ? "''" : "")); "
                + "COMP_CWORD=\(count - 1); _knot_recommend; printf '%s\\n' \"${COMPREPLY[@]}\""
            return try BuiltCommand.run(script).output.split(separator: "\n").map(String.init)
        }
        #expect(try complete("knot-recommend ru") == ["run"])
        #expect(try complete("knot-recommend run --fix") == ["--fixture"])
        #expect(try complete("knot-recommend run --occasion maj") == ["major_milestone"])
        #expect(try complete("knot-recommend completions f") == ["fish"])
        #expect(try complete("knot-recommend judge --fixtures").sorted() == ["--fixtures"])
        #expect(try complete("knot-recommend graph --format ") == ["mermaid", "dot"])
    }
}
