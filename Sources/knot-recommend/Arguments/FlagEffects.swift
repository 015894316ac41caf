extension Flag {
    /// Whether the flag changes anything about a call of a verb on a subject.
    func counts(in verb: VerbName, on subject: Subject?) -> Bool {
        if idle.contains(verb) { return false }
        guard let fitting = fits[verb], let subject else { return true }
        return fitting.contains(subject)
    }
}

/// Sees to it that no flag is taken without effect: it is refused, or said to change nothing where what it asks for holds
/// anyway.
enum FlagEffects {
    /// These ask for something that is so already.
    private static let harmless: [FlagName] = [.dryRun]

    /// Throws for the flags that say nothing about this call; returns what is to be said of the harmless ones.
    static func check(_ arguments: TypedArguments) throws(CommandError) -> [String] {
        let verb = arguments.verb
        let subject = Subject.of(arguments)
        if let alone = Flag.of(verb).first(where: { flag in
            arguments.has(flag.name) && flag.needs.map { !arguments.has($0) } ?? false
        }), let needed = alone.needs {
            throw .usage(
                verb,
                "\(alone.name.typed) changes nothing about \(verb.rawValue) without \(needed.typed)",
                todo: "add \(Flag.named(needed).synopsis(in: verb)), or leave it out"
            )
        }
        let idle = Flag.of(verb).filter { arguments.has($0.name) && !$0.counts(in: verb, on: subject) }
        let refused = idle.filter { !harmless.contains($0.name) }
        guard refused.isEmpty else {
            let names = refused.map(\.name.typed).joined(separator: ", ")
            let place = refused.allSatisfy { $0.idle.contains(verb) } ? nil : subject?.words
            throw .usage(
                verb,
                "\(names) changes nothing about \(place ?? verb.rawValue)",
                todo: "leave \(refused.count == 1 ? "it" : "them") out"
                    + refused.compactMap { elsewhere($0, verb) }.joined()
            )
        }
        return idle.map {
            "\($0.name.typed) changes nothing here: nothing is stored for \(subject?.words ?? verb.rawValue)"
        }
    }

    /// What the flag is for, where the verb has something of the kind.
    private static func elsewhere(_ flag: Flag, _ verb: VerbName) -> String? {
        guard !flag.idle.contains(verb), let fitting = flag.fits[verb], let first = fitting.first else { return nil }
        return "; \(flag.name.typed) is for \(first.words)"
    }
}
