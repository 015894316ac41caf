package import StageGraph

/// The tables of a run: what would serve, and what must be avoided.
package struct Relatedness: Sendable {
    /// How near an offer is in meaning to what it may offend and to what it serves.
    package struct Cosines: Sendable {
        package let serves: PhraseTable
        package let avoids: PhraseTable
    }

    /// What an offer offends most, and by how much more than it serves anything.
    package struct Offence: Sendable {
        package let phrase: HintDigest.Phrase
        package let cosine: Double
        /// Cosine with what is ruled out, less the cosine with what is served best.
        package let lead: Double
    }

    package let serves: PhraseTable
    package let avoids: PhraseTable
    /// False when there were only words to go by.
    package let usesVectors: Bool
    /// Nil when there were only words to go by.
    package var cosines: Cosines?

    /// What an offer offends most by meaning; nil without vectors, and where nothing is ruled out.
    package func offence(of item: ItemID) -> Offence? {
        guard let cosines, let worst = cosines.avoids.strongest(for: item) else { return nil }
        let service = cosines.serves.strongest(for: item, among: .serving)?.nearness ?? 0
        return Offence(phrase: worst.phrase, cosine: worst.nearness, lead: worst.nearness - service)
    }
}
