package import JSONDocument
import KnotDomain
package import PostgresClient
package import Recommendation

/// What a stored set is for, beyond what its run says itself.
package struct WriteRequest: Sendable {
    package let kind: RunIdentity.Kind
    /// `m:{milestone}:{occurrence}:{days_before}`, the caller's own id, or `r:{run}:{round}`.
    package let request: String
    /// SHA-256 of everything that the run read, as hexadecimal text.
    package let inputDigest: String
    package let engineVersion: String
    /// The run this set takes the place of; it stays where it is.
    package let supersedes: PostgresUUID?
    /// Measured, and beside the result, never in it.
    package let timings: JSONValue?
    package let job: ClaimedJob?
    /// How the result is printed, for these are the bytes that a repeat returns.
    package let style: JSONWriter.Style

    package init(
        kind: RunIdentity.Kind,
        request: String,
        inputDigest: String,
        engineVersion: String,
        supersedes: PostgresUUID? = nil,
        timings: JSONValue? = nil,
        job: ClaimedJob? = nil,
        style: JSONWriter.Style = .pretty
    ) {
        self.kind = kind
        self.request = request
        self.inputDigest = inputDigest
        self.engineVersion = engineVersion
        self.supersedes = supersedes
        self.timings = timings
        self.job = job
        self.style = style
    }

    /// The identity of this request for what a brief says.
    package func identity(of brief: Brief) -> RunIdentity {
        RunIdentity.Name(kind: kind, request: request).identity(of: brief)
    }
}
