package import ChoiceService
import Console
import StageGraph
package import Worker

/// What an error of the service means for the job that asked: try again, leave it, or stop the worker.
package enum ReminderVerdict {
    package static func of(_ error: ChoiceError) -> TrioMaker.Verdict {
        switch error {
        case .overtaken(.byAnotherSet, _): return .again
        case .overtaken(.byAnotherWorker, _): return .lost
        case .failed(let failure, _, _):
            return of(CommandError(error), code: failure.code, failureClass: failure.failureClass.rawValue)
        default: return of(CommandError(error), code: nil, failureClass: nil)
        }
    }

    private static func of(_ error: CommandError, code: String?, failureClass: String?) -> TrioMaker.Verdict {
        let code = code ?? error.code.name
        let known = failureClass.flatMap(JobFailure.Class.init(rawValue:))
        // Where in the rows it is, and no word of what stands there.
        let place = error.problems.first?.path.map { " at \($0)" } ?? ""
        let detail = "\(error.what)\(place), \(error.todo)"
        switch error.code {
        case .configuration: return .stops(WorkerStop(.configuration, code: code, detail))
        case .notPermitted: return .stops(WorkerStop(.notPermitted, code: code, detail))
        // The vault's rows are wrong, or it is gone: another attempt reads the same.
        case .badInput, .notFound, .usage:
            return .fails(JobFailure(known ?? .data, code: code, detail, isPermanent: true))
        case .unavailable: return .fails(JobFailure(known ?? .provider, code: code, detail))
        default: return .fails(JobFailure(known ?? .platform, code: code, detail))
        }
    }
}
