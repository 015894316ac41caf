import KnotDomain

/// Several vaults that were prepared together.
struct PreparedGroup: Sendable {
    /// What is to be done for one of them.
    enum Member: Sendable {
        case job(ChoiceJob)
        /// The request was answered before, and so it ended.
        case answered(outcome: String)
        case failed(CommandError)
    }

    var members: [(id: VaultID, member: Member)] = []
    /// How much the server has sent.
    var byteCount = 0
}
