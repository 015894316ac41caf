import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

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

    @Test func `every verb has exactly one entry, in order`() {
        #expect(Verb.all.map(\.name) == VerbName.allCases)
    }

    @Test func `letters and variables belong to one flag each`() {
        let letters = Flag.all.compactMap(\.short)
        let variables = Flag.all.compactMap(\.environment)
        #expect(Set(letters).count == letters.count)
        #expect(Set(variables).count == variables.count)
    }

    @Test(arguments: Flag.all.map(\.name))
    func `a flag's help is one sentence`(name: FlagName) {
        let flag = Flag.named(name)
        for help in [nil] + VerbName.allCases {
            let help = flag.help(in: help)
            #expect(help.hasSuffix(".") && help.first?.isUppercase == true && !help.contains("\n"), "\(help)")
        }
    }

    @Test(arguments: VerbName.allCases)
    func `a verb's summary and examples are complete`(name: VerbName) {
        let verb = Verb.named(name)
        #expect(!verb.summary.hasSuffix(".") && verb.summary.first?.isLowercase == true)
        #expect((2...4).contains(verb.examples.count))
        #expect(verb.allExitCodes.contains(.done) && verb.allExitCodes.contains(.usage))
    }

    @Test(arguments: Verb.all.flatMap(\.examples).map(\.command))
    func `an example is a command that parses`(command: String) throws {
        let start = try #require(command.firstRange(of: "knot-recommend "))
        let words = command[start.upperBound...].prefix { $0 != ">" && $0 != ")" }.split(separator: " ").map(
            String.init
        )
        let arguments = try #require(try ArgumentParser.parse(words, .knot))
        _ = try Settings(arguments, environment: Environment([:]), file: nil, .knot)
    }

    @Test func `the flags that the contract gives to every verb are there`() {
        let shared: [FlagName] = [
            .pipeline, .experiment, .set, .seed, .threads, .deadline, .strict, .quiet, .verbose, .json, .kernels,
        ]
        for verb in VerbName.allCases {
            #expect(Set(shared).isSubset(of: Flag.of(verb).map(\.name)))
        }
    }
}
