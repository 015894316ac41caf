/// Whose failure it is; only provider and platform failures are ever retried.
package enum FailureClass: String, CaseIterable, Sendable {
    /// The caller asked for something impossible.
    case request
    /// The vault or another input is not what it must be.
    case data
    /// An outside service failed or answered nonsense.
    case provider
    /// A broken law or a programming error; never tolerated.
    case stage
    /// The machine: no thread, no memory, no disk, no time.
    case platform
    /// The caller gave up.
    case cancelled

    package var isRetryable: Bool { self == .provider || self == .platform }
}
