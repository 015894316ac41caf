import JSONDocument

/// A verb's entry for programs.
enum HelpDocument {
    static func json(_ verb: Verb) -> JSONValue {
        [
            "name": .string(verb.name.rawValue), "summary": .string(verb.summary), "usage": .string(verb.usage),
            "description": .string(verb.description),
            "flags": .array(Flag.counting(in: verb.name).map { json($0, verb.name) }),
            "examples": JSONValue(verb.examples.map(\.command)),
            "exit_codes": .array(verb.allExitCodes.map { .integer(Int($0.rawValue)) }),
        ]
    }

    private static func json(_ flag: Flag, _ verb: VerbName) -> JSONValue {
        [
            "name": .string(flag.name.typed), "value": JSONValue(flag.kind(in: verb).placeholder),
            "default": JSONValue(flag.usual(in: verb)), "environment": JSONValue(flag.environment),
            "help": .string(flag.help),
        ]
    }
}
