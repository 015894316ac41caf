import KnotDomain
import TextEncoding

/// What is made of an offer's texts, each part once, however many nodes and runs ask for it.
///
/// The price is none of its business: an offer keeps its study when its price moves.
final class OfferStudy: Sendable {
    /// True when the words were found at the beginning; otherwise they are when first asked for.
    let isRead: Bool
    private let candidate: Candidate
    private let early: OfferWords
    private let late = FirstAnswer<OfferWords>()
    private let vocabularySigns = FirstAnswer<TasteSigns>()
    private let letters = FirstAnswer<ClassicListing>()

    init(_ candidate: Candidate, isRead: Bool) {
        self.candidate = candidate
        self.isRead = isRead
        early = isRead ? OfferWords(candidate) : .none
    }

    /// Lent and not copied where they were found early.
    var words: OfferWords {
        _read {
            if isRead {
                yield early
            } else {
                yield late[{ OfferWords(candidate) }]
            }
        }
    }

    /// The signs of the shipped vocabulary, read by whoever asks first.
    func signs(_ read: () -> TasteSigns) -> TasteSigns { vocabularySigns[read] }

    /// The texts as the original pipeline looks at them.
    var classic: ClassicListing { _read { yield letters[{ ClassicListing(candidate) }] } }
}
