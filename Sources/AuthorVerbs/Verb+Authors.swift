package import Verbs

extension Verb {
    /// Offers and their embeddings, and pipelines and what they are worth.
    package static let ofAuthors: [Verb] = [
        .catalogue, .embed,
        .check, .expand, .graph, .replay, .judge, .evaluate, .impact,
    ]
}
