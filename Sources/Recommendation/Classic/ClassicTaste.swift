import KnotDomain
import TextReading

/// One category of the vault, made ready for the original's match: the tag itself, or the name anywhere inside title or
/// description.
///
/// One reference, since it is held against every offer by several stages.
final class ClassicCategory: Sendable {
    let name: String
    private let word: ClassicWord

    init(_ interest: Interest) {
        name = interest.name
        word = ClassicWord(interest.name)
    }

    func matches(_ offer: Offer) -> Bool { isTagged(offer) || stands(in: offer.study.classic.text) }

    func isTagged(_ offer: Offer) -> Bool { offer.candidate.tags.contains(name) }

    func stands(in text: ClassicText) -> Bool { text.contains(word) }
}

/// What the original's stages ask of a vault, made ready once for a run.
struct ClassicTaste: Sendable {
    let likes: [ClassicCategory]
    let dislikes: [ClassicCategory]
    let weights: ClassicWeights

    init(_ vault: Vault) {
        likes = vault.likes.map(ClassicCategory.init)
        dislikes = vault.dislikes.map(ClassicCategory.init)
        weights = ClassicWeights(vault, likes: likes)
    }
}
