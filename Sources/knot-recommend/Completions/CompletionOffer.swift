/// What a shell cannot know and asks the program itself for.
enum CompletionOffer: String, Sendable, CaseIterable {
    /// The ids of the vaults in the database.
    case vaults
    /// `node.parameter=` of every parameter of the pipeline.
    case parameters
}
