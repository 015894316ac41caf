import FileInput
import JSONDocument

/// Reads whole files that the person named, with errors that say which and why.
enum InputFile {
    /// What a person reads in the place of a path.
    static func name(of path: String) -> String {
        FileContents.isStandardInput(path) ? "standard input" : path
    }

    /// All bytes of a file, of a pipe or, under the name `-`, of standard input; a missing one is 66, a closed one 77.
    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do throws(FileFault) {
            return try FileContents.read(path)
        } catch {
            throw failure(error, name(of: path))
        }
    }

    /// A file as JSON; broken JSON is `code` with the line and column.
    static func readJSON(_ path: String, broken code: ExitCode = .badInput) throws(CommandError) -> JSONValue {
        let bytes = try read(path)
        let path = name(of: path)
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            let problem = CommandProblem(file: path, path: "line \(error.line), column \(error.column)", error.message)
            throw CommandError(
                code,
                "not valid JSON: \(error.description)",
                at: path,
                todo: "repair the file",
                problems: [problem]
            )
        }
    }

    /// Says what is the matter with an input that is read later, without opening it.
    static func look(at path: String, takesFolders: Bool) throws(CommandError) {
        do throws(FileFault) {
            try FileContents.look(at: path, takesFolders: takesFolders)
        } catch {
            throw failure(error, name(of: path))
        }
    }

    private static func failure(_ fault: FileFault, _ path: String) -> CommandError {
        switch fault.code {
        case .missing: CommandError(.notFound, "no such file", at: path, todo: "check the path")
        case .folder: CommandError(.notFound, "a folder has this name", at: path, todo: "name a file in it")
        case .notPermitted:
            CommandError(.notPermitted, "the file may not be read", at: path, todo: "check its permissions")
        case .tooLarge: CommandError(.badInput, fault.message, at: path, todo: "name a smaller file")
        case .failed: CommandError(.inputOutput, fault.message, at: path, todo: "check the disk")
        }
    }
}
