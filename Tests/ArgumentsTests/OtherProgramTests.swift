import Console
import Testing

@testable import Arguments

/// A program that has nothing to do with gifts: what is made of its table knows of no other.
@Suite struct `The command line of another program` {
    private static let brew = VerbName("brew")
    private static let leaves = FlagName("leaves")
    private static let grams = FlagName("grams")
    private static let cup = FlagName("cup")
    private static let iced = Subject("iced", "iced tea")
    private static let hot = Subject("hot", "hot tea")

    private static let table = CommandTable(
        program: ProgramDescription(
            name: "make-tea",
            version: "7",
            purpose: "makes tea of what is there",
            beginnings: ["make-tea brew --leaves green"],
            variables: ["TEA_CONFIG": "The configuration file."],
            configurationVariable: "TEA_CONFIG",
            exitCodeMeaning: { "it ended as \($0.name)" }
        ),
        verbs: [
            VerbDefinition(
                name: brew,
                summary: "brews a pot",
                operand: Operand(kind: .file, name: "POT", isRepeatable: false),
                description: "Brews a pot.",
                flags: [leaves, grams, cup]
            ),
            VerbDefinition(name: .help, summary: "explains a verb", description: "Explains.", readsSettings: false),
        ],
        flags: [
            Flag(
                name: leaves,
                kind: .choice(["green", "black"]),
                environment: "TEA_LEAVES",
                isConfigurable: true,
                defaultText: "green",
                help: "Which leaves."
            ),
            Flag(
                name: grams,
                kind: .form(
                    ValueForm(placeholder: "G", expectation: "grams, such as 3g", accepts: { $0.hasSuffix("g") })
                ),
                fits: [brew: [hot]],
                help: "How much of them."
            ),
            Flag(
                name: cup,
                kind: .text("CUP"),
                offer: ProgramOffer("cups", suffix: "/", depends: leaves, usually: "green"),
                help: "Which cup."
            ),
            Flag(name: .help, short: "h", kind: .none, isOfEveryVerb: true, help: "Prints help."),
            Flag(name: .json, kind: .none, isOfEveryVerb: true, help: "Prints JSON."),
        ]
    )

    private func failure(_ words: String...) -> CommandError? {
        #expect(throws: CommandError.self) { try ArgumentParser.parse(words, Self.table) }
    }

    @Test func `refuses what it does not know in its own words`() {
        #expect(failure("brw")?.todo == "did you mean brew?")
        #expect(failure("brew", "--leavs", "green")?.todo == "did you mean --leaves?")
        #expect(failure("brew", "--grams", "3")?.todo == "it needs grams, such as 3g")
        #expect(failure("brew", "--leaves", "red", "--cup")?.todo == "see make-tea help brew")
        #expect(failure("brew", "--quiet")?.place == "make-tea brew", "only its own table counts")
    }

    @Test func `refuses a flag that says nothing of the subject, and names a harmless one`() throws {
        let arguments = try #require(try ArgumentParser.parse(["brew", "--grams", "3g"], Self.table))
        let error = #expect(throws: CommandError.self) {
            try FlagEffects.check(arguments, on: Self.iced, harmless: [], Self.table)
        }
        #expect(error?.what == "--grams changes nothing about iced tea")
        #expect(error?.todo == "leave it out; --grams is for hot tea")
        #expect(try FlagEffects.check(arguments, on: Self.hot, harmless: [], Self.table).isEmpty)
        #expect(try FlagEffects.check(arguments, on: Self.iced, harmless: [Self.grams], Self.table).count == 1)
    }

    @Test func `lays flags over its own variables and refuses what does not fit in them`() throws {
        let arguments = try #require(try ArgumentParser.parse(["brew"], Self.table))
        let wrong = Environment(["TEA_LEAVES": "red"])
        let error = #expect(throws: CommandError.self) {
            try Settings(arguments, environment: wrong, file: nil, Self.table)
        }
        #expect(error?.code == .configuration && error?.place == "TEA_LEAVES")
        let right = Environment(["TEA_LEAVES": "black"])
        #expect(try Settings(arguments, environment: right, file: nil, Self.table).text(Self.leaves) == "black")
    }

    @Test func `is told in help, manual pages, tables and completions without a word of any other program`() throws {
        let help = HelpText(Self.table)
        let brew = Self.table.verb(Self.brew)
        let texts = [
            help.overview(width: 80), help.verb(brew, width: 80, isWhole: true), MarkdownTables(Self.table).lines(),
            ManualPage(Self.table).overview(), ManualPage(Self.table).verb(brew),
        ]
        for lines in texts + Shell.allCases.map({ $0.completionScript(Self.table) }) {
            let text = lines.joined(separator: "\n")
            #expect(text.contains("brew"), "\(text)")
            #expect(!text.lowercased().contains("knot") && !text.contains("choice-of-three"), "\(text)")
        }
        #expect(help.verb(brew, width: 80)[3] == "  make-tea brew [POT] [flags]")
        #expect(help.verb(brew, width: 80, isWhole: true).contains("  64   it ended as usage"))
    }

    @Test func `offers what it knows itself, by the flag that decides it`() {
        let bash = Shell.bash.completionScript(Self.table).joined(separator: "\n")
        #expect(bash.contains("value= leaves=green"))
        #expect(bash.contains("[[ $value == --leaves ]] && leaves=$word"))
        #expect(bash.contains("_make_tea_offer cups --leaves \"$leaves\";"))
        #expect(Shell.zsh.completionScript(Self.table).joined().contains("_make_tea_offer cups -qS/"))
        #expect(Shell.fish.completionScript(Self.table).joined().contains("make-tea completions --offer cups"))
    }
}
