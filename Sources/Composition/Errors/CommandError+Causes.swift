package import Arguments
package import Catalogue
package import ChoiceService
package import Console
package import Fixtures
import HTTPClient
import JSONDocument
import KnotDomain
package import LocalPostgres
package import Migrations
package import PostgresClient
import Recommendation
package import StageGraph
package import TextEncoding
package import VaultStore

extension CommandError {
    /// The command line of a verb makes no sense.
    package static func usage(_ verb: VerbName, _ what: String, todo: String) -> CommandError {
        CommandError(.usage, what, at: "knot-recommend \(verb.rawValue)", todo: todo)
    }

    /// The vault asked for is not in the database, or is another person's.
    package static func noVault(_ id: String) -> CommandError {
        CommandError(
            .notFound,
            "there is no vault \(id)",
            at: "--vault",
            todo: "check the id, and --as-user where it is given"
        )
    }

    /// The run asked for is not in the database, or is another person's.
    package static func noRun(_ id: String, at flag: String = "--run") -> CommandError {
        CommandError(.notFound, "there is no stored run \(id)", at: flag, todo: "knot-recommend history names them")
    }
}

extension CommandError {
    /// The database gave no answer, or refused.
    package init(_ error: PostgresError) {
        var place = error.place
        if place.isEmpty { place = "the database" }
        // What follows a state of class 42 are the server's own words, for who debugs.
        let detail = error.sqlState?.hasPrefix("42") == true ? nil : error.detail
        let what = [error.what, detail].compactMap(\.self).joined(separator: ": ")
        self.init(error.code.exitCode, what, at: place, todo: error.todo)
    }

    /// The same in the middle of the work: a server that was there a moment ago is most likely restarting.
    package init(amidWork error: PostgresError) {
        self.init(error)
        guard error.code == .connectionRefused || error.code == .unreachable else { return }
        self.init(.tryAgain, what, at: place, todo: "try again when the server is back")
    }

    /// The schema cannot be changed or used as it is.
    package init(_ error: MigrationError, in database: String) {
        self.init(
            error.exitCode,
            error.what,
            at: database,
            todo: error.todo,
            problems: error.differences.map { CommandProblem(path: $0.place, $0.description) }
        )
    }

    /// The server of our own cannot be found, started, stopped or looked at.
    package init(_ error: LocalServerError) {
        self.init(error.code.exitCode, error.what, at: "dev-db", todo: error.todo)
    }
}

extension CommandError {
    /// A vault or its sets could not be read or kept.
    package init(_ error: VaultStoreError, input: String = "the database") {
        let rows = error.problems.map { CommandProblem(path: $0.path, $0.message) }
        switch error.code {
        case .noVault(let id): self = .noVault(id.text)
        case .database(let error): self.init(amidWork: error)
        case .unusable(let id):
            let what = "the vault's rows cannot be used"
            self.init(.badInput, what, at: "vault \(id)", todo: "repair the rows", problems: rows)
        case .unreadable: self.init(.badInput, error.detail, at: input, todo: "repair the rows", problems: rows)
        case .invalid:
            let problems = error.problems.map { CommandProblem(file: input, $0) }
            self.init(.badInput, error.detail, at: input, todo: "correct it", problems: problems)
        case .vaultThere:
            self.init(.badInput, error.detail, at: input, todo: "use --replace, which deletes its stored sets, too")
        case .personHasVault: self.init(.badInput, error.detail, at: input, todo: "a person keeps one vault")
        case .notThere: self.init(.notFound, error.detail, at: input, todo: "check the id")
        case .requestKnown:
            let todo = "say the same as the first time, or give another --request"
            self.init(.usage, error.detail, at: input, todo: todo)
        case .requestAnswered: self.init(ChoiceError.requestKnown(place: input))
        case .vaultGone, .milestoneGone: self.init(.notFound, error.detail, at: input, todo: "nothing is left to do")
        case .leaseLost, .overtaken, .unknown: self.init(.tryAgain, error.detail, at: input, todo: "try again")
        case .unrepresentable: self.init(.badInput, error.detail, at: input, todo: "correct the vault or candidate")
        case .identityTaken:
            self.init(.badInput, error.detail, at: input, todo: "delete that row of recommendation_runs")
        case .notASet: self.init(.internalFault, error.detail, at: input, todo: "report it")
        }
    }

    /// A file of candidates cannot be used.
    package init(_ error: CatalogueFileError) {
        let code: ExitCode =
            switch error.code {
            case .missing: .notFound
            case .notPermitted: .notPermitted
            case .unreadable: .inputOutput
            case .malformed, .tooLarge: .badInput
            case .unsearchable: .internalFault
            }
        let problems = error.problems.map { CommandProblem(file: error.file, $0) }
        let isUnread = error.code == .missing || error.code == .notPermitted || error.code == .unreadable
        self.init(
            code,
            isUnread ? "the catalogue cannot be used: \(error.message)" : "the catalogue \(error.message)",
            at: error.file,
            todo: isUnread
                ? "check the path and its permissions"
                : error.code == .tooLarge
                    ? "name a folder in its place: knot-recommend catalogue build FILE --catalogue FOLDER makes it"
                    : "correct the file",
            problems: problems
        )
    }
}

extension CommandError: PortError {
    /// There is no set.
    package init(_ error: ChoiceError) {
        switch error {
        case .failed(let failure, let node, let place): self.init(failure, at: node, input: place)
        case .port(let error):
            self = error as? CommandError ?? Self.fault("a port failed: \(error)", at: "the run")
        case .noResult(let place): self = Self.fault("a finished run has no result", at: place)
        case .noMilestone(let id, let isKept):
            let todo =
                isKept
                ? "knot-recommend vault show lists them" : "the milestones are in the fixture's vault.milestones"
            self.init(.notFound, "the vault has no milestone \(id)", at: "--milestone", todo: todo)
        case .milestoneGone(let run, let vault):
            let todo = "choose anew: knot-recommend run --vault \(vault)"
            self.init(.notFound, "the milestone that the set is for is gone", at: "run \(run)", todo: todo)
        case .requestKnown(let place):
            self.init(
                .usage,
                "this --request is known with other contents, for another occasion or milestone",
                at: place,
                todo: "ask as the first time, or give another --request"
            )
        case .refreshKnown(let first, let run):
            let reason = first.rejections.last.map { " --reason \($0.reason.rawValue)" } ?? ""
            let kept = first.kept.map(\.position)
            let rejected = kept.isEmpty ? [] : (1...3).filter { !kept.contains($0) }.map { " --reject \($0)" }
            self.init(
                .usage,
                "this set was refreshed before, with\(reason)\(rejected.joined())",
                at: FlagName.reason.typed,
                todo: "refresh what came of it (--run \(run)), or ask as the first time"
            )
        case .unreadable(let run, let problems):
            self.init(
                .badInput,
                "the stored result of this run cannot be read",
                at: "run \(run)",
                todo: "restore or delete its row of recommendation_runs",
                problems: problems.map { CommandProblem(path: $0.path, $0.message) }
            )
        case .overtaken(.byAnotherSet, let place):
            self.init(.tryAgain, "other sets of the vault were faster, time and again", at: place, todo: "try again")
        case .overtaken(.byAnotherWorker, let place):
            self.init(.tryAgain, "the job is not held any more", at: place, todo: "leave it to whoever has it")
        case .cancelled: self.init(.interrupted, "the batch was cancelled", at: "the batch", todo: "run it again")
        }
    }

    private static func fault(_ what: String, at place: String) -> CommandError {
        CommandError(.internalFault, what, at: place, todo: "report it")
    }

    /// True for what would meet every other vault as well.
    package var isOfEveryRequest: Bool {
        switch code {
        case .unavailable, .notPermitted, .configuration, .inputOutput: true
        // A run that was out of time says nothing of the next vault's.
        case .tryAgain: place.hasPrefix("database ")
        default: false
        }
    }
}

extension PostgresError.Code {
    /// How the process ends when this is what kept it from its work.
    package var exitCode: ExitCode {
        switch self {
        case .authenticationFailed, .notPermitted: .notPermitted
        case .configuration, .missingExtension, .undefinedObject, .duplicateObject, .invalidStatement: .configuration
        case .connectionRefused, .unreachable, .unknownDatabase, .tlsRequired, .tlsFailed, .readOnly: .unavailable
        case .diskFull: .inputOutput
        case .tooManyConnections, .connectionLost, .serverRestarting, .outOfMemory, .statementTimeout, .lockTimeout,
            .serializationFailure, .deadlock, .rolledBack, .unknownCommit:
            .tryAgain
        case .uniqueViolation, .foreignKeyViolation, .checkViolation, .notNullViolation, .exclusionViolation,
            .invalidValue, .invalidText:
            .badInput
        case .cancelled: .interrupted
        case .unexpectedValue, .misuse, .poolClosed, .protocolViolation, .server: .internalFault
        }
    }
}

extension MigrationError {
    /// How the process ends when this is what kept it from its work.
    package var exitCode: ExitCode {
        switch code {
        case .serverTooOld, .extensionMissing, .extensionTooOld, .checksumChanged, .historyGap, .databaseNewer,
            .databaseOlder, .foreignSchema:
            return .configuration
        case .unknownNumber, .goesBack: return .usage
        case .notPermitted: return .notPermitted
        case .readOnly: return .unavailable
        case .unavailable: return .tryAgain
        case .failed:
            switch sqlState?.prefix(2) {
            case "53": return sqlState == "53100" ? .inputOutput : .tryAgain
            case "40", "55", "57": return .tryAgain
            default: return .internalFault
            }
        }
    }
}

extension LocalServerError.Code {
    /// How the process ends when this is what kept it from its work.
    package var exitCode: ExitCode {
        switch self {
        case .noServer, .notRunning, .startFailed: .unavailable
        case .foreignFolder, .otherVersion, .pathTooLong: .configuration
        case .busy: .tryAgain
        case .notPermitted: .notPermitted
        case .diskFull, .stopFailed, .inputOutput: .inputOutput
        }
    }
}

extension CommandError {
    /// A model that cannot be used.
    package init(_ error: EncoderError) {
        let code: ExitCode =
            switch error.code {
            case .noModel, .unreadable: .notFound
            case .damaged, .incomplete, .unsupported: .badInput
            case .outOfMemory: .unavailable
            }
        self.init(
            code,
            String(error.description.dropLast()),
            at: "--model",
            todo: "make setup gets the default model; --model none goes by words only"
        )
    }
}

extension CommandError {
    /// A fixture, its readings or its rates cannot be used: missing is 66, unreadable 74, malformed 65.
    package init(_ error: FixtureError) {
        let others = error.others.flatMap {
            $0.problems.isEmpty ? [CommandProblem(file: $0.file, $0.message)] : Self.problems(of: $0)
        }
        let problems = Self.problems(of: error) + others
        let count = error.others.count
        let more = count == 0 ? "" : ", and \(count) \(count == 1 ? "other file" : "other files") cannot be used"
        let (code, todo): (ExitCode, String) =
            switch error.code {
            case .missing: (.notFound, "check the path")
            case .notPermitted: (.notPermitted, "check its permissions")
            case .unreadable: (.inputOutput, "check its permissions")
            case .malformed: (.badInput, count == 0 ? "repair the file" : "repair the files")
            }
        let what = error.code == .malformed ? "the file \(error.message)" : error.message
        self.init(code, what + more, at: error.file, todo: todo, problems: problems)
    }

    private static func problems(of error: FixtureError) -> [CommandProblem] {
        error.problems.map { CommandProblem(file: error.file, $0) }
    }

    /// A run failed: whose failure it is decides the code.
    package init(_ failure: StageFailure, at node: NodeID?, input: String) {
        let place = node.map { "node \($0)" } ?? input
        if failure.code == StageFailure.effectMissing || failure.code == StageFailure.effectUnreadable {
            self.init(.badInput, failure.detail, at: place, todo: "record the run again with this pipeline")
            return
        }
        switch failure.failureClass {
        case .request where failure.code == "no_milestone":
            self.init(.notFound, failure.detail, at: input, todo: "ask for one that is there")
        case .request: self.init(.badInput, failure.detail, at: input, todo: "correct the request")
        case .data where failure.code == "no_vault":
            self.init(.notFound, failure.detail, at: input, todo: "ask for one that is there")
        case .data: self.init(.badInput, failure.detail, at: input, todo: "repair the input")
        case .provider where failure.isLasting:
            let todo =
                [StageFailure.inputMissing, StageFailure.sourcesFailed].contains(failure.code)
                ? "look at the keys and addresses: knot-recommend providers check tries each"
                : "look at its key and its address, or take another service or model"
            self.init(.unavailable, failure.detail, at: place, todo: todo)
        case .provider: self.init(.unavailable, failure.detail, at: place, todo: "try again when it is back")
        case .platform where failure.isDeadline:
            // A node's own time is the pipeline's to give; a longer run would not help it.
            let todo =
                node == nil
                ? "try again, or allow more with --deadline"
                : "try again, or give the node a longer life in the pipeline"
            self.init(.tryAgain, failure.detail, at: place, todo: todo)
        case .platform: self.init(.tryAgain, failure.detail, at: place, todo: "try again when the machine has room")
        case .stage:
            self.init(
                .internalFault,
                "\(failure.detail) (\(failure.code))",
                at: place,
                todo: "report it with the input"
            )
        case .cancelled: self.init(.interrupted, "the run was cancelled", at: place, todo: "run it again")
        }
    }
}

extension CommandError {
    /// Nobody can be asked by HTTP.
    static func noHTTP(_ failure: HTTPFailure) -> CommandError {
        CommandError(
            .unavailable,
            failure.detail,
            at: "HTTP",
            todo: "install libcurl where it is missing, else try again when the machine has room"
        )
    }
}
