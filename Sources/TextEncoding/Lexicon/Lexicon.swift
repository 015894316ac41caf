import EmbeddedFiles
package import JSONDocument
package import KnotDomain

/// The words that stand for the forty interests, the eight vibes and the five love languages.
///
/// Phrases match whole words by their stems. Within one subject a look-alike ("gift card" for Board Games) silences the
/// entries that lie inside it. A phrase may belong to several subjects.
package struct Lexicon: Sendable {
    private let matcher: PhraseMatcher
    private let slots: [Slot]
    private let texts: [String]

    /// What is asked of an entry for every hit, in two bytes.
    struct Slot: Sendable {
        enum Worth: UInt8 {
            case lookAlike
            case weak
            case strong
        }

        /// In the one numbering of all subjects, so that a match is kept in a flat list.
        let subject: UInt8
        let worth: Worth

        init(_ subject: LexiconEntry.Subject, _ role: LexiconEntry.Role) {
            self.subject = Lexicon.numbers[subject] ?? 0
            switch role {
            case .lookAlike: worth = .lookAlike
            case .evidence(.weak): worth = .weak
            case .evidence(.strong): worth = .strong
            }
        }

        var role: LexiconEntry.Role {
            switch worth {
            case .lookAlike: .lookAlike
            case .weak: .evidence(.weak)
            case .strong: .evidence(.strong)
            }
        }
    }

    init(_ lines: LexiconLines) {
        matcher = PhraseMatcher(lines.phrases)
        slots = lines.slots
        texts = lines.texts
    }

    /// All lines, worked out anew from what matching needs of them: hardly anybody asks.
    package var entries: [LexiconEntry] {
        texts.indices.map { index in
            LexiconEntry(
                subject: Self.subjects[Int(slots[index].subject)],
                role: slots[index].role,
                phrase: Phrase(texts[index], isExact: matcher.isExact(index))
            )
        }
    }

    /// Reads many texts one after another, without setting out anew for each.
    package struct SignReader {
        private let lexicon: Lexicon
        private let subjects = Lexicon.subjects
        private var tallies = LexiconTallies()

        package init(_ lexicon: Lexicon) {
            self.lexicon = lexicon
        }

        /// Tells what a text says about each subject, in no particular order: the least a whole pool need be asked for.
        package mutating func read(_ text: TokenizedText, _ tell: (LexiconSign) -> Void) {
            tallies.read(text, lexicon.matcher, lexicon.slots)
            for tally in tallies.list {
                tell(
                    LexiconSign(
                        number: tally.subject,
                        subject: subjects[tally.subject],
                        strength: tally.isStrong ? .strong : .weak,
                        phrase: lexicon.texts[tally.entry]
                    )
                )
            }
        }
    }

    private static let subjects: [LexiconEntry.Subject] =
        KnownInterest.allCases.map { .interest($0) } + Vibe.allCases.map { .vibe($0) }
        + LoveLanguage.allCases.map { .loveLanguage($0) }

    private static let numbers: [LexiconEntry.Subject: UInt8] = Dictionary(
        uniqueKeysWithValues: subjects.enumerated().map { ($1, UInt8($0)) }
    )
}

extension Lexicon {
    /// The name of the file format that this code reads.
    package static let format = "knot.lexicon/1"

    /// The reviewed lexicon that is part of the program.
    package static let shared: Lexicon = {
        do throws(LexiconError) {
            return try Lexicon(json: EmbeddedFile.bytes(named: "lexicon.json"))
        } catch {
            preconditionFailure("The embedded lexicon is broken: \(error)")
        }
    }()

    /// Reads a lexicon; a phrase that starts with "=" is exact, compared as written and not by its stems.
    package init(json bytes: [UInt8]) throws(LexiconError) {
        self.init(try LexiconReader.read(VocabularyFile(bytes, format: Self.format)))
    }
}

/// One reviewed line of the lexicon: a phrase, what it is about and what it is worth.
package struct LexiconEntry: Hashable, Sendable {
    /// What an entry is about.
    package enum Subject: Hashable, Sendable {
        case interest(KnownInterest)
        case vibe(Vibe)
        case loveLanguage(LoveLanguage)
    }

    /// A strength, or a look-alike: words inside it count for nothing.
    package enum Role: Hashable, Sendable {
        case evidence(MatchStrength)
        case lookAlike
    }

    package let subject: Subject
    package let role: Role
    package let phrase: Phrase
}

/// A lexicon that cannot be used, with everything that is wrong with it.
package struct LexiconError: Error, Sendable, CustomStringConvertible {
    package let problems: [JSONProblem]

    package var description: String {
        "The lexicon has \(problems.count) problems: "
            + problems.map { "\($0.path) \($0.message)" }.joined(separator: "; ")
    }
}

/// What a text says about one subject: the phrase that says it best and how strongly.
package struct LexiconSign: Sendable {
    /// The subject's place among all there are: two signs are about the same when this is the same.
    package let number: Int
    package let subject: LexiconEntry.Subject
    package let strength: MatchStrength
    /// The lexicon's phrase, as it is written there.
    package let phrase: String
}

/// How much a word of the lexicon says about its subject.
package enum MatchStrength: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Related: supports a liked subject, never rejects for a disliked one.
    case weak
    /// The phrase alone means the subject, enough to reject for a disliked one.
    case strong

    package static func < (left: Self, right: Self) -> Bool { left == .weak && right == .strong }
}
