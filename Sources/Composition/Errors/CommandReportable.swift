package import Catalogue
package import ChoiceService
package import Console
package import Fixtures
package import JSONDocument
package import LocalPostgres
package import Migrations
import PipelineInput
package import PostgresClient
package import StageGraph
package import TextEncoding
package import VaultStore
package import VectorSearch

/// An error of a room, which the command turns into its own in one place.
package protocol CommandReportable: Error {
    /// What it means for who called the command; `input` is what the call was about, for errors that know no place.
    func reported(about input: String?) -> CommandError
}

extension CatalogueFileError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self) }
}

extension CatalogueError: CommandReportable {
    package func reported(about input: String?) -> CommandError {
        let (exit, todo): (ExitCode, String) =
            switch code {
            case .missing: (.notFound, "name a folder that catalogue build made")
            case .notPermitted: (.notPermitted, "check the permissions of the folder")
            case .unreadable: (.inputOutput, "check the folder and its disk")
            case .unwritable: (.inputOutput, "check the disk; what was there before is as it was")
            case .occupied: (.badInput, "name a new folder, or an empty one")
            case .inUse: (.tryAgain, "wait until the other is done")
            case .newer: (.badInput, "use the version that wrote it, or build it again")
            case .damaged: (.badInput, "build it again: knot-recommend catalogue build FILE --catalogue FOLDER")
            case .otherModel: (.badInput, "build it again with vectors of one model")
            case .outOfMemory: (.tryAgain, "free some memory")
            case .noVectors: (.notFound, "name a file that is there")
            case .badVectors: (.badInput, "name a file of embeddings, whose ids are the offers'")
            case .nowhere: (.notFound, "make the folder that it is to be in, or that its link leads to")
            }
        let thing = code == .noVectors || code == .badVectors ? "the vectors" : "the catalogue"
        return CommandError(exit, "\(thing) cannot be used: \(detail)", at: path, todo: todo)
    }
}

extension VectorSearchError: CommandReportable {
    package func reported(about input: String?) -> CommandError {
        CommandError(
            .badInput,
            "the vectors cannot be used: \(self)",
            at: input ?? "the vectors",
            todo: "make them again"
        )
    }
}

extension ChoiceError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self) }
}

extension EncoderError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self) }
}

extension FixtureError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self) }
}

extension LocalServerError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self) }
}

extension MigrationError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self, in: input ?? "the database") }
}

extension PipelineError: CommandReportable {
    package func reported(about input: String?) -> CommandError { Pipelines.failure(self, in: input) }
}

extension PostgresError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self) }
}

extension VaultStoreError: CommandReportable {
    package func reported(about input: String?) -> CommandError { CommandError(self, input: input ?? "the database") }
}

extension CommandError {
    /// Any error on its way to the person who called.
    package init(_ error: any Error, about input: String?) {
        switch error {
        case let error as CommandError: self = error
        case let error as any CommandReportable: self = error.reported(about: input)
        default: self.init(.internalFault, "\(error)", at: input ?? "the command", todo: "report it")
        }
    }
}

/// Does what a room does; what the room throws becomes the command's own error.
package func reporting<Value>(about input: String? = nil, _ body: () throws -> Value) throws(CommandError) -> Value {
    do {
        return try body()
    } catch {
        throw CommandError(error, about: input)
    }
}

/// The same for what has to be waited for.
package func reporting<Value>(
    about input: String? = nil,
    _ body: () async throws -> Value
) async throws(CommandError) -> Value {
    do {
        return try await body()
    } catch {
        throw CommandError(error, about: input)
    }
}

/// The same for a port of the service, which throws it on to the verb.
package func porting<Value>(about input: String, _ body: () async throws -> Value) async throws(ChoiceError) -> Value {
    do {
        return try await body()
    } catch {
        throw .port(CommandError(error, about: input))
    }
}

/// An error as the one JSON object that `--json` promises.
package enum ErrorDocument {
    package static func bytes(_ error: CommandError) -> [UInt8] {
        JSONWriter.bytes(error.json, style: .pretty) + [0x0A]
    }
}

extension CommandError {
    /// `knot.error/1`.
    package var json: JSONValue {
        [
            "schema": "knot.error/1",
            "code": .string(code.name),
            "where": .string(place),
            "what": .string(what),
            "todo": .string(todo),
            "problems": .array(problems.map(\.json)),
        ]
    }
}

extension CommandProblem {
    package var json: JSONValue {
        ["file": JSONValue(file), "path": JSONValue(path), "message": .string(message)]
    }
}

extension ExitCode {
    /// What help says about it.
    package var meaning: String {
        switch self {
        case .done: "Done (the result can be degraded)"
        case .degradedUnderStrict: "Finished, but the result fails `--strict`"
        case .short: "Fewer than three choices"
        case .usage: "The command line is wrong"
        case .badInput: "The input is invalid"
        case .notFound: "A vault, run, file or other item wasn't found"
        case .unavailable: "A database, service or other dependency is unavailable"
        case .internalFault: "Internal error"
        case .inputOutput: "Reading or writing failed"
        case .tryAgain: "Out of time or busy; try again"
        case .notPermitted: "Permission denied"
        case .configuration: "A pipeline or the configuration is wrong"
        case .interrupted: "Interrupted (Ctrl-C)"
        case .terminated: "Terminated (SIGTERM)"
        }
    }
}
