/// What was typed, spelled correctly but not yet understood.
struct TypedArguments: Sendable, Equatable {
    let verb: VerbName
    var values: [FlagName: [String]] = [:]
    var operands: [String] = []

    func has(_ name: FlagName) -> Bool { values[name] != nil }

    /// All values of a flag in the order typed.
    func all(_ name: FlagName) -> [String] { values[name] ?? [] }

    /// The value of a flag that can be given once.
    func text(_ name: FlagName) -> String? { values[name]?.last }
}
