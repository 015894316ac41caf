import KnotDomain
import StageGraph
import TextEncoding

/// The offers whose meaning is looked at first: those whose words come nearest to what would serve.
///
/// It depends on the offers, the phrases and the likes alone: neither on the order of the offers nor on any clock.
enum MeaningShortlist {
    /// What names a thing that is ruled out as surely as this, by words, is looked at last.
    private static let offence = 0.65
    /// A like without a hint is a guess.
    private static let likeWeight = 0.25

    /// The places of offers, those that are worth most first; ties by id.
    static func order(_ offers: [Offer], _ digest: HintDigest, likes: [Interest]) -> [Int] {
        let index = LexicalIndex(offers)
        let serves = index.coverage(of: digest.serves.map(\.stems))
        let liked = index.coverage(of: likes.map { TokenizedText($0.name).contentPrints })
        let avoids = AvoidMatcher(index).table(for: digest.avoids.map(\.text))
        let ranks = offers.indices.map { place -> (isOffending: Bool, worth: Double) in
            let served = digest.serves.indices.reduce(0.0) { best, column in
                max(best, digest.serves[column].weight * serves[place * digest.serves.count + column])
            }
            let wished = likes.indices.reduce(0.0) { max($0, liked[place * likes.count + $1]) }
            let offence = digest.avoids.indices.reduce(0.0) { max($0, avoids[place * digest.avoids.count + $1]) }
            return (offence >= Self.offence, served + Self.likeWeight * wished)
        }
        return offers.indices.sorted { left, right in
            if ranks[left].isOffending != ranks[right].isOffending { return ranks[right].isOffending }
            if ranks[left].worth != ranks[right].worth { return ranks[left].worth > ranks[right].worth }
            return offers[left].itemID < offers[right].itemID
        }
    }
}
