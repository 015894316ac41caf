package import Console

/// The use that a call's words ask for: one of its verb's uses or one of its actions.
package struct VerbCall: Sendable {
    package let verb: VerbDefinition
    package let action: VerbAction?
    package let use: VerbUse

    /// Whether a flag changes anything about such a call.
    package func counts(_ flag: Flag) -> Bool {
        if flag.idle.contains(verb.name) { return false }
        if flag.isOfEveryVerb { return !use.without.contains(flag.name) }
        return (verb.commonFlags + (action?.flags ?? []) + use.flags).contains(flag.name)
    }

    /// The call as an error names it: `vault new --template`, `refresh without --run`.
    fileprivate var name: String {
        let others = (action?.uses ?? verb.uses).compactMap(\.flag)
        let flag =
            use.flag?.typed ?? (others.isEmpty ? nil : "without " + others.map(\.typed).joined(separator: " or "))
        return [verb.name.rawValue, action?.name, flag].compactMap(\.self).joined(separator: " ")
    }
}

extension CommandTable {
    /// Returns what a call asks for; `nil` if its words mean nothing yet or several things, which the verb refuses itself.
    package func call(_ arguments: TypedArguments) -> VerbCall? {
        let verb = verb(arguments.verb)
        let word = arguments.operands.first
        let action = verb.action(word) ?? (word == nil ? verb.actions.first(where: \.isUsual) : nil)
        if !verb.actions.isEmpty, action == nil { return nil }
        let uses = action?.uses ?? verb.uses
        let selected = uses.filter { $0.flag.map(arguments.has) ?? false }
        guard selected.count < 2, let use = selected.first ?? uses.first(where: { $0.flag == nil }) else { return nil }
        return VerbCall(verb: verb, action: action, use: use)
    }

    /// Whether a flag changes anything about a call.
    package func counts(_ flag: Flag, for arguments: TypedArguments) -> Bool {
        call(arguments)?.counts(flag) ?? !flag.idle.contains(arguments.verb)
    }
}

/// Makes sure that no flag is accepted without effect.
package enum FlagEffects {
    /// Throws for flags that change nothing about this call; returns notes about harmless ones.
    package static func check(_ arguments: TypedArguments, _ table: CommandTable) throws(CommandError) -> [String] {
        let verb = arguments.verb
        if let alone = table.flags(of: verb).first(where: { flag in
            arguments.has(flag.name) && flag.needs.map { !arguments.has($0) } ?? false
        }), let needed = alone.needs {
            throw table.usageError(
                verb,
                "\(alone.name.typed) changes nothing about \(verb.rawValue) without \(needed.typed)",
                todo: "add \(table.flag(needed).synopsis(in: verb)), or leave it out"
            )
        }
        let call = table.call(arguments)
        let idle = table.flags(of: verb).filter { arguments.has($0.name) && !table.counts($0, for: arguments) }
        let refused = idle.filter { !(call?.use.harmless.contains($0.name) ?? false) }
        guard refused.isEmpty else {
            let names = refused.map(\.name.typed).joined(separator: ", ")
            let place = refused.allSatisfy { $0.idle.contains(verb) } ? nil : call?.name
            throw table.usageError(
                verb,
                "\(names) changes nothing about \(place ?? verb.rawValue)",
                todo: "leave \(refused.count == 1 ? "it" : "them") out"
                    + refused.compactMap { elsewhere($0, verb, table) }.joined()
            )
        }
        return idle.map { "\($0.name.typed) changes nothing here: \(call?.name ?? verb.rawValue) stores nothing" }
    }

    /// Says which uses of the verb the flag is for.
    private static func elsewhere(_ flag: Flag, _ verb: VerbName, _ table: CommandTable) -> String? {
        let calls = table.calls(of: table.verb(verb)).filter { $0.counts(flag) }
        guard !calls.isEmpty else { return nil }
        let names = calls.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return "; \(flag.name.typed) is for \(names.joined(separator: " or "))"
    }
}
