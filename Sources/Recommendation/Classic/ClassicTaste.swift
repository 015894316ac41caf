import KnotDomain

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
