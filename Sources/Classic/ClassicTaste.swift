import KnotDomain
package import Recommendation
package import StageGraph
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

/// Facts of a vault that the original's stages ask for, made ready once for a run.
package struct ClassicTaste: Sendable {
    let vault: Vault
    let likes: [ClassicCategory]
    let dislikes: [ClassicCategory]
    let weights: ClassicWeights

    init(_ vault: Vault) {
        self.vault = vault
        likes = vault.likes.map(ClassicCategory.init)
        dislikes = vault.dislikes.map(ClassicCategory.init)
        weights = ClassicWeights(vault, likes: likes)
    }
}

extension ItemStage where Item == Offer, Facts == ClassicTaste {
    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> ClassicTaste {
        try inputs.value(InputPort<Brief>(Brief.input)).kept(ClassicTaste.init)
    }
}
