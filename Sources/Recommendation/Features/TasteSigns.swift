package import KnotDomain
import TextEncoding

/// What of the vocabulary an offer's words show, each at its strongest place.
package struct TasteSigns: Sendable {
    /// How clearly something shows: in the title or a tag it is what the thing is, in the description it may be an aside.
    package enum Clarity: Int, Sendable, Comparable {
        /// A related word only.
        case faint = 1
        /// A telling word somewhere in the description.
        case mentioned = 2
        /// A telling word in the title or a tag.
        case evident = 3

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// One sign with the words that show it.
    package struct Sign: Sendable, Hashable {
        package let clarity: Clarity
        package let words: String
    }

    private struct Finding: Sendable {
        /// The subject's place among all there are.
        let number: Int
        let subject: LexiconEntry.Subject
        var sign: Sign
    }

    /// One for each subject that shows; an offer shows a handful of them, so the list is searched and not indexed.
    private var findings: [Finding] = []

    package init() {}

    init(of offer: Offer, by reader: inout Lexicon.SignReader) {
        findings.reserveCapacity(6)
        reader.read(offer.words.title) { note($0, strong: .evident) }
        reader.read(offer.words.tags) { note($0, strong: .evident) }
        reader.read(offer.words.body) { note($0, strong: .mentioned) }
    }

    /// Notes one thing that the words of one place show; `strong` is what a telling word means there.
    private mutating func note(_ found: LexiconSign, strong: Clarity) {
        let clarity = found.strength == .strong ? strong : .faint
        for place in findings.indices where findings[place].number == found.number {
            if findings[place].sign.clarity < clarity {
                findings[place].sign = Sign(clarity: clarity, words: found.phrase)
            }
            return
        }
        let sign = Sign(clarity: clarity, words: found.phrase)
        findings.append(Finding(number: found.number, subject: found.subject, sign: sign))
    }

    // Each kind is compared as what it is, and in place: this is asked for every offer and every like.
    package func sign(of interest: KnownInterest) -> Sign? {
        for place in findings.indices {
            if case .interest(let found) = findings[place].subject, found == interest { return findings[place].sign }
        }
        return nil
    }

    package func sign(of vibe: Vibe) -> Sign? {
        for place in findings.indices {
            if case .vibe(let found) = findings[place].subject, found == vibe { return findings[place].sign }
        }
        return nil
    }

    package func sign(of language: LoveLanguage) -> Sign? {
        for place in findings.indices {
            if case .loveLanguage(let found) = findings[place].subject, found == language {
                return findings[place].sign
            }
        }
        return nil
    }

    /// The vibes that show at least so clearly.
    package func vibes(from least: Clarity) -> [Vibe] {
        findings.compactMap { finding in
            if case .vibe(let vibe) = finding.subject, finding.sign.clarity >= least { vibe } else { nil }
        }
    }
}
