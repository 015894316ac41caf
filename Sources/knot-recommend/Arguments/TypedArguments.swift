/// What was typed, spelled correctly but not yet understood.
struct TypedArguments: Sendable, Equatable {
    let verb: VerbName
    var values: [FlagName: [String]] = [:]
    var operands: [String] = []

    func has(_ name: FlagName) -> Bool { values[name] != nil }

    /// All values of a flag in the order typed.
    func all(_ name: FlagName) -> [String] { values[name] ?? [] }

    /// The call as it can be typed again: flags in the table's order, then operands.
    func commandLine(leavingOut left: Set<FlagName>) -> String {
        var words = ["knot-recommend", verb.rawValue]
        for flag in Flag.of(verb) where !left.contains(flag.name) {
            for value in all(flag.name) { words += flag.kind == .none ? [flag.name.typed] : [flag.name.typed, value] }
        }
        return (words + operands).map(Self.quoted).joined(separator: " ")
    }

    /// In single quotes where a shell would not take it as it is.
    private static func quoted(_ word: String) -> String {
        let plain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_./=:,+@%".utf8.contains(byte)
                }
            }
        return plain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// The value of a flag that can be given once.
    func text(_ name: FlagName) -> String? { values[name]?.last }
}
