/// The flags of this build; the raw value is what is typed after the two dashes.
enum FlagName: String, Sendable, CaseIterable {
    case fixture
    case vault
    case all
    case hint
    case position
    case milestone
    case occasion
    case from
    case reason
    case reject
    case candidate
    case run
    case cassette
    case fixtures
    case against
    case sweep
    case report
    case format
    case output
    case diff
    case readings
    case rates
    case asOf = "as-of"
    case record
    case trace
    case traceTexts = "trace-texts"
    case dryRun = "dry-run"
    case explain
    case timings
    case request
    case cards
    case asUser = "as-user"
    case catalogue
    case calibrate
    case concurrency
    case file
    case template
    case text
    case limit
    case after
    case replace
    case to
    case status
    case yes
    case allowWeakTLS = "allow-weak-tls"
    case markdown
    case man
    case offer
    case pipeline
    case experiment
    case set
    case seed
    case threads
    case deadline
    case kernels
    case model
    case strict
    case quiet
    case verbose
    case json
    case color
    case help
    case helpAll = "help-all"

    /// As typed.
    var typed: String { "--\(rawValue)" }
}
