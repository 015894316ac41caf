import Arguments
import AuthorVerbs
import Composition
import Console
import Verbs

extension CallFiles {
    /// Every file that a call of this program reads or writes.
    init(_ arguments: TypedArguments, _ settings: Settings, _ environment: Environment) {
        let verb = arguments.verb
        let table = CommandTable.knot
        self.init(printsResult: arguments.text(.output).map { $0 == "-" } ?? true, beside: Self.besideFixture)
        if let operand = table.verb(verb).operand {
            for word in Self.named(arguments) where operand.kind.isPath(word) {
                addRead(word, operand.name)
                // Of several vaults a missing one stops only itself.
                if verb != .importVaults { addInput(word, operand.kind) }
            }
        }
        for flag in table.flags(of: verb) {
            if flag.written.contains(verb) {
                // The result itself may well go to standard output, and spans to a collector.
                for path in arguments.all(flag.name)
                where flag.name != .output || path != "-" {
                    if flag.name != .spans || !SpanExport.isAddress(path) { addWritten(path, flag.name.typed) }
                }
                continue
            }
            var paths = arguments.all(flag.name).filter(flag.kind(in: verb).isPath)
            for path in paths { addRead(path, flag.name.typed) }
            if !arguments.has(flag.name), let setting = settings.all.first(where: { $0.name == flag.name }),
                let path = setting.value, flag.kind(in: verb).isPath(path)
            {
                addRead(path, setting.source)
                paths = [path]
            }
            guard Self.isRead(flag, arguments) else { continue }
            for path in paths { addInput(path, flag.kind(in: verb)) }
        }
        if table.takes(table.flag(.fixtures), verb), !arguments.has(.fixtures) {
            addFolder(FixtureOptions.usualFolder, "the judged vaults")
        }
        if let file = settings.file { addRead(file, "the configuration file") }
        if let path = environment["DATABASE_URL_FILE"], !path.isEmpty { addRead(path, "DATABASE_URL_FILE") }
    }

    /// The operands that may be files: some actions take ids or phrases.
    private static func named(_ arguments: TypedArguments) -> [String] {
        guard arguments.verb == .catalogue, let action = arguments.operands.first else { return arguments.operands }
        return SnapshotActions.Action(rawValue: action)?.takesFiles ?? true ? arguments.operands : []
    }

    /// Whether the call reads the flag's file before all else, and does not only look at what it is set to.
    private static func isRead(_ flag: Flag, _ arguments: TypedArguments) -> Bool {
        // A model is a folder of several files, and whoever opens it says which of them is missing.
        guard ![.config, .doctor].contains(arguments.verb), flag.name != .model else { return false }
        return CommandTable.knot.counts(flag, for: arguments)
    }

    /// A fixture's rates and readings.
    @Sendable private static func besideFixture(_ path: String) -> [String] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return [folder + "rates.json", folder + "readings/" + name]
    }
}
