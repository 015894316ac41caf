import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite struct `The tables of verbs and flags` {
    @Test func `every flag name that is declared has exactly one entry`() throws {
        let files = ["Sources/Arguments/Flag.swift", "Sources/Composition/Settings/FlagName+Knot.swift"]
        let declared = try files.flatMap { file in
            try String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
                .matches(of: /= FlagName\("([a-z-]+)"\)/).map { String($0.output.1) }
        }
        #expect(declared.count > 60)
        #expect(declared.sorted() == Flag.all.map(\.name.rawValue).sorted())
    }

    @Test func `every verb has exactly one entry`() {
        #expect(Set(Verb.all.map(\.name)) == Set(VerbName.allCases) && Verb.all.count == VerbName.allCases.count)
    }

    @Test func `letters and variables belong to one flag each`() {
        let letters = Flag.all.compactMap(\.short)
        let variables = Flag.all.compactMap(\.environment)
        #expect(Set(letters).count == letters.count)
        #expect(Set(variables).count == variables.count)
    }

    @Test(arguments: Flag.all.map(\.name))
    func `a flag's text is a sentence without a full stop`(name: FlagName) {
        let flag = Flag.named(name)
        for verb in Verb.all {
            let texts = [nil] + verb.actions.map(Optional.some)
            for text in texts.map({ CommandTable.knot.help(flag, verb.definition, $0) }) {
                #expect(!text.hasSuffix(".") && text.first?.isUppercase == true && !text.contains("\n"), "\(text)")
            }
        }
    }

    @Test(arguments: VerbName.allCases)
    func `a verb's and an action's summary and examples are complete`(name: VerbName) {
        let verb = Verb.named(name)
        for summary in [verb.summary] + verb.actions.map(\.summary) {
            #expect(!summary.hasSuffix(".") && summary.first?.isUppercase == true)
        }
        #expect(verb.summary.count <= 65, "it fits beside its verb in the overview")
        for examples in [verb.examples] + verb.actions.map(\.examples) { #expect((1...4).contains(examples.count)) }
        #expect(verb.allExitCodes.contains(.done) && verb.allExitCodes.contains(.usage))
        // A text for a flag that the verb or the action lacks would never be shown.
        let taken = Set(CommandTable.knot.flags(of: name).map(\.name))
        #expect(taken.isSuperset(of: verb.texts.keys))
        for action in verb.actions {
            let own = CommandTable.knot.counting(in: name, action).map(\.name)
            #expect(Set(own).isSuperset(of: action.texts.keys), "\(name.rawValue) \(action.name)")
        }
    }

    /// The words of a command as a shell would pass them, up to a redirection or a pipe.
    private static func words(_ command: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in command {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character == " " {
                if let word { words.append(word) }
                word = nil
            } else if quote == nil, "|<>)".contains(character) {
                break
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    @Test(arguments: Verb.all.flatMap { [$0.examples] + $0.actions.map(\.examples) })
    func `an example is a command that parses, and none of its flags is idle`(examples: [Example]) throws {
        let commands = examples.map(\.command)
        #expect(commands.contains { $0.contains("knot-recommend ") })
        for command in commands {
            guard let start = command.firstRange(of: "knot-recommend ") else { continue }
            let arguments = try #require(try ArgumentParser.parse(Self.words(command[start.upperBound...]), .knot))
            _ = try Settings(arguments, environment: Environment([:]), file: nil, .knot)
            #expect(try FlagEffects.check(arguments, .knot).isEmpty, "\(command)")
        }
    }

    @Test func `the flags that the contract gives to every verb are there`() {
        let shared: [FlagName] = [
            .pipeline, .experiment, .set, .seed, .threads, .deadline, .strict, .quiet, .verbose, .json, .kernels,
        ]
        for verb in VerbName.allCases {
            #expect(Set(shared).isSubset(of: CommandTable.knot.flags(of: verb).map(\.name)))
        }
    }
}
