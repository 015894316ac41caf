import Testing

@testable import knot_recommend

@Suite struct `The tables of verbs and flags` {
    @Test func `every flag name has exactly one entry`() {
        #expect(Set(Flag.all.map(\.name)) == Set(FlagName.allCases))
        #expect(Flag.all.count == FlagName.allCases.count)
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

    @Test(arguments: FlagName.allCases)
    func `a flag's help is one sentence`(name: FlagName) {
        let flag = Flag.named(name)
        #expect(flag.help.hasSuffix("."))
        #expect(flag.help.first?.isUppercase == true)
        #expect(!flag.help.contains("\n"))
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
        let arguments = try #require(try ArgumentParser.parse(words))
        _ = try Settings(arguments, environment: Environment([:]), file: nil)
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
