import KnotDomain

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
