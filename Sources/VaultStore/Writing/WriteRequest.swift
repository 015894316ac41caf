package import JSONDocument
import KnotDomain
package import PostgresClient
package import Recommendation
package import StageGraph

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
        RunIdentity(
            kind: kind,
            vault: brief.vault.id,
            milestone: brief.milestone?.id,
            occurrence: brief.occurrence,
            tier: brief.tier,
            request: request
        )
    }
}

/// Why a set is not stored; nothing of it is.
package struct ChoiceStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The vault was deleted meanwhile, or is another person's.
        case vaultGone
        /// The milestone of a scheduled set was deleted meanwhile: there is nothing left to tell anybody of.
        case milestoneGone
        /// The caller's own request has a set already, for another occasion.
        case requestKnown
        /// Another worker has the job now.
        case leaseLost
        /// Another vault's row bears the identity of this request: somebody put it there.
        case identityTaken
        /// Something in the set has no place in the database, such as a price beyond its integers.
        case unrepresentable
        /// A set that is no result, or a short one where only whole ones are kept.
        case notASet
        /// The connection broke in the COMMIT and nobody can be asked how it ended.
        case unknown
        case database(PostgresError)
    }

    package let code: Code
    /// One sentence without any value of the vault.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    init(_ error: PostgresError) {
        switch error.code {
        case .invalidValue, .invalidText, .checkViolation, .notNullViolation:
            self.init(.unrepresentable, error.what)
        case .unknownCommit: self.init(.unknown, error.description)
        default: self.init(.database(error), error.description)
        }
    }

    package var description: String { detail }

    /// True when the same call may succeed a little later.
    package var isTransient: Bool {
        if case .database(let error) = code { error.isTransient } else { false }
    }

    /// The same as a stage tells it.
    package var failure: StageFailure {
        switch code {
        case .vaultGone: StageFailure(.data, code: "no_vault", detail)
        case .milestoneGone: StageFailure(.request, code: "no_milestone", detail)
        case .requestKnown: StageFailure(.request, code: "request_known", detail)
        case .leaseLost: StageFailure(.cancelled, code: "lease_lost", detail)
        case .identityTaken: StageFailure(.data, code: "identity_taken", detail)
        case .unrepresentable: StageFailure(.data, code: "unrepresentable", detail)
        case .notASet: StageFailure(.request, code: "not_a_set", detail)
        case .unknown: StageFailure(.platform, code: "unknown_commit", detail)
        case .database(let error): error.stageFailure
        }
    }
}
