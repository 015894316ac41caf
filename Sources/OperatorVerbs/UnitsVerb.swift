import Arguments
import Composition
import Console
import JSONDocument
import Operations
import Verbs

extension Verb {
    static let units = Verb(
        name: .units,
        summary: "Print systemd units or a crontab that run `work` and `plan`",
        uses: ["[FILE] [options]"],
        operand: Operand(kind: .choice(ServiceUnits.names), name: "FILE", isRepeatable: false),
        description: """
            FILE is `work.service`, `plan.service`, `plan.timer`, `environment` (settings for both services) or \
            `crontab` (without systemd). Without it, prints all of them, each with the path it belongs to. They run \
            the program you called.
            """,
        examples: [
            "knot-recommend units",
            "knot-recommend units crontab > /etc/cron.d/knot-recommend",
        ],
        readsSettings: false,
        perform: UnitsVerb.perform
    )
}

/// `units`: files for service managers.
enum UnitsVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let program = try program()
        guard let units = ServiceUnits(program: program) else {
            throw CommandError(
                .usage,
                "a unit cannot hold the path of this program",
                at: program,
                todo: "install it where the path has letters, digits and ._-+ only: make install"
            )
        }
        let named = arguments.operands.first
        let files = units.files.filter { named == nil || $0.name == named }
        let lines = files.flatMap { file in
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            return named == nil ? ["# \(file.path)"] + lines + [""] : lines
        }
        let json: JSONValue = [
            "schema": "knot.units/1",
            "files": .array(
                files.map { ["name": .string($0.name), "path": .string($0.path), "text": .string($0.text)] }
            ),
        ]
        return try TextReport(json: json, lines: lines).finish(context)
    }

    /// The file that runs now.
    private static func program() throws(CommandError) -> String {
        guard let path = ProgramFile.path else {
            throw CommandError(
                .unavailable,
                "the path of this program cannot be read",
                at: "/proc/self/exe",
                todo: "run it where /proc is mounted"
            )
        }
        return path
    }
}
