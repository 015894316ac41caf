import KnotDomain
import Recommendation

/// What is asked for one vault of the database.
struct VaultRequest: Sendable {
    let occasion: OccasionRequest
    /// The caller's own id of the request; nil: a fresh one for each call.
    let request: String?
    let isDryRun: Bool

    init(occasion: OccasionRequest, request: String?, output: OutputOptions) {
        self.occasion = occasion
        self.request = request
        isDryRun = output.isDryRun
    }
}
