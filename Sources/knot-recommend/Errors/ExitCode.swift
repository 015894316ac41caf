/// How the process ends; the numbers are part of the contract.
enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case degradedUnderStrict = 10
    case short = 11
    case usage = 64
    case badInput = 65
    case notFound = 66
    case unavailable = 69
    case internalFault = 70
    case inputOutput = 74
    case tryAgain = 75
    case notPermitted = 77
    case configuration = 78
    case interrupted = 130
    case terminated = 143

    /// The stable name that `knot.error/1` carries as its `code`.
    var name: String {
        switch self {
        case .done: "done"
        case .degradedUnderStrict: "degraded"
        case .short: "short"
        case .usage: "usage"
        case .badInput: "bad_input"
        case .notFound: "not_found"
        case .unavailable: "unavailable"
        case .internalFault: "internal"
        case .inputOutput: "io"
        case .tryAgain: "try_again"
        case .notPermitted: "not_permitted"
        case .configuration: "configuration"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }

    /// What help says about it.
    var meaning: String {
        switch self {
        case .done: "done (complete or degraded)"
        case .degradedUnderStrict: "degraded, under --strict"
        case .short: "fewer than three choices"
        case .usage: "the command line is wrong"
        case .badInput: "an input file has bad contents"
        case .notFound: "no such vault, milestone or file"
        case .unavailable: "something it depends on is unavailable"
        case .internalFault: "a fault of this program"
        case .inputOutput: "reading or writing failed"
        case .tryAgain: "out of time: try again"
        case .notPermitted: "not permitted"
        case .configuration: "a pipeline or the configuration is wrong"
        case .interrupted: "interrupted (Ctrl-C)"
        case .terminated: "told to stop (SIGTERM)"
        }
    }
}
