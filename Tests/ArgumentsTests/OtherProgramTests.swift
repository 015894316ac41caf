import Console
import Testing

@testable import Arguments

/// A program that has nothing to do with gifts: what is made of its table knows of no other.
@Suite struct `The command line of another program` {
    private static let brew = VerbName("brew")
    private static let leaves = FlagName("leaves")
    private static let grams = FlagName("grams")
    private static let cup = FlagName("cup")
    private static let iced = FlagName("iced")
    private static let pot = VerbName("pot")

    private static let table = CommandTable(
        program: ProgramDescription(
            name: "make-tea",
            version: "7",
            purpose: "Make tea",
            beginnings: ["make-tea brew --leaves green"],
            variables: ["TEA_CONFIG": "Configuration file"],
            configurationVariable: "TEA_CONFIG",
            exitCodeMeaning: { "it ended as \($0.name)" }
        ),
        groups: [
            (
                "Tea",
                [
                    VerbDefinition(
                        name: brew,
                        summary: "Brew a pot",
                        uses: [
                            VerbUse("[POT] [options]", flags: [grams]),
                            VerbUse("--iced [POT] [options]", by: iced, harmless: [cup]),
                        ],
                        operand: Operand(kind: .file, name: "POT", isRepeatable: false),
                        description: "The tea is hot.",
                        examples: ["make-tea brew kettle # for two"],
                        flags: [leaves],
                        texts: [leaves: "Leaves to brew"]
                    ),
                    VerbDefinition(
                        name: pot,
                        summary: "Fill or empty a pot",
                        actions: [
                            VerbAction(
                                "fill",
                                "Fill it",
                                "--cup CUP",
                                examples: ["make-tea pot fill --cup blue"],
                                flags: [cup]
                            ),
                            VerbAction("empty", "Empty it", examples: ["make-tea pot empty"], isUsual: true),
                        ]
                    ),
                ]
            ),
            (
                "Help",
                [
                    VerbDefinition(
                        name: .help,
                        summary: "Explain a verb",
                        operand: Operand(kind: .choice(["brew", "pot"]), name: "VERB", isRepeatable: false),
                        examples: ["make-tea help brew"],
                        readsSettings: false
                    )
                ]
            ),
        ],
        flags: [
            Flag(
                name: leaves,
                kind: .choice(["green", "black"]),
                environment: "TEA_LEAVES",
                isConfigurable: true,
                defaultText: "green",
                help: "Leaves"
            ),
            Flag(
                name: grams,
                kind: .form(
                    ValueForm(placeholder: "G", expectation: "grams, such as 3g", accepts: { $0.hasSuffix("g") })
                ),
                help: "Weight of the leaves"
            ),
            Flag(
                name: cup,
                kind: .text("CUP"),
                offer: ProgramOffer("cups", suffix: "/", depends: leaves, usually: "green"),
                help: "Cup"
            ),
            Flag(name: .help, short: "h", kind: .none, isOfEveryVerb: true, help: "Show help"),
            Flag(name: iced, kind: .none, help: "Cool it"),
            Flag(name: .json, kind: .none, isOfEveryVerb: true, help: "Print JSON"),
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

    @Test func `refuses a flag that changes nothing about a use or an action, and names those that it is for`() throws {
        func refusal(_ words: String...) throws -> CommandError? {
            let arguments = try #require(try ArgumentParser.parse(words, Self.table))
            return #expect(throws: CommandError.self) { try FlagEffects.check(arguments, Self.table) }
        }
        let iced = try refusal("brew", "--grams", "3g", "--iced")
        #expect(iced?.what == "--grams changes nothing about brew --iced")
        #expect(iced?.todo == "leave it out; --grams is for brew without --iced")
        let empty = try refusal("pot", "--cup", "blue")
        #expect(empty?.what == "--cup changes nothing about pot empty")
        #expect(empty?.todo == "leave it out; --cup is for pot fill")
        for words in [["brew", "--grams", "3g"], ["pot", "fill", "--cup", "blue"], ["brew", "--iced"]] {
            let arguments = try #require(try ArgumentParser.parse(words, Self.table))
            #expect(try FlagEffects.check(arguments, Self.table).isEmpty)
        }
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

    @Test func `is explained in pages, a reference, manual pages and completions without a word of other programs`() {
        let help = HelpText(Self.table)
        let (brew, pot) = (Self.table.verb(Self.brew), Self.table.verb(Self.pot))
        let texts = [
            help.overview(width: 80), help.page(brew, width: 80, isWhole: true), MarkdownReference(Self.table).lines(),
            ManualPage(Self.table).overview(), ManualPage(Self.table).verb(brew), ManualPage(Self.table).verb(pot),
        ]
        for lines in texts + Shell.allCases.map({ $0.completionScript(Self.table) }) {
            let text = lines.joined(separator: "\n")
            #expect(text.contains("make-tea") || text.contains("make\\-tea"), "\(text)")
            #expect(!text.lowercased().contains("knot") && !text.contains("choice-of-three"), "\(text)")
        }
        #expect(help.page(brew, width: 80, isWhole: true).contains("  64   it ended as usage"))
    }

    @Test func `shows a page of a verb, and one of an action with only its flags`() {
        let help = HelpText(Self.table)
        let brew = help.page(Self.table.verb(Self.brew), width: 80)
        #expect(
            brew == [
                "Brew a pot.", "", "Usage:", "  make-tea brew [POT] [options]",
                "  make-tea brew --iced [POT] [options]",
                "", "Examples:", "  make-tea brew kettle  # for two", "", "The tea is hot.", "", "Options:",
                "  --iced                Cool it",
                "  --leaves green|black  Leaves to brew (default: green; env: TEA_LEAVES)",
                "  --grams G             Weight of the leaves", "",
                "Shared options and exit codes: make-tea help brew --help-all",
            ]
        )
        let pot = Self.table.verb(Self.pot)
        #expect(help.page(pot, width: 80).contains("  make-tea pot fill --cup CUP"))
        #expect(help.page(pot, pot.action("empty"), width: 80).contains("  make-tea pot empty [options]"))
        #expect(!help.page(pot, pot.action("empty"), width: 80).contains("Options:"))
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
