import KnotDomain
import Testing
import TextEncoding

/// The laws that keep the reviewed data fit for use.
@Suite struct `The reviewed lexicon` {
    private static let entries = Lexicon.shared.entries
    private let lexicon = Lexicon.shared

    private func entries(_ subject: LexiconEntry.Subject) -> [LexiconEntry] {
        Self.entries.filter { $0.subject == subject }
    }

    private func evidence(_ subject: LexiconEntry.Subject) -> [LexiconEntry] {
        entries(subject).filter { $0.role != .lookAlike }
    }

    /// What makes two entries the same: their stems, or their words when they are exact.
    private func key(_ phrase: Phrase) -> String {
        phrase.isExact ? "=" + phrase.words.joined(separator: " ") : phrase.stems.joined(separator: " ")
    }

    @Test(arguments: KnownInterest.allCases)
    func `has at least forty entries for an interest, fifteen of them strong`(interest: KnownInterest) {
        let all = evidence(.interest(interest))
        #expect(all.count >= 40)
        #expect(all.count { $0.role == .evidence(.strong) } >= 15)
    }

    @Test(arguments: Vibe.allCases) func `has at least thirty entries for a vibe`(vibe: Vibe) {
        #expect(evidence(.vibe(vibe)).count >= 30)
    }

    @Test(arguments: LoveLanguage.allCases)
    func `has at least twenty-five entries for a love language`(language: LoveLanguage) {
        #expect(evidence(.loveLanguage(language)).count >= 25)
    }

    @Test func `says nothing twice about one subject`() {
        var seen: [LexiconEntry.Subject: [String: LexiconEntry]] = [:]
        for entry in Self.entries {
            if let first = seen[entry.subject]?[key(entry.phrase)] {
                Issue.record(
                    "\(entry.subject): \(entry.phrase.text) (\(entry.role)) repeats \(first.phrase.text) (\(first.role))"
                )
            }
            seen[entry.subject, default: [:]][key(entry.phrase)] = entry
        }
        #expect(seen.count == 53)
    }

    @Test func `never silences an entry by a look-alike of its own that lies inside it`() {
        for entry in Self.entries where entry.role != .lookAlike {
            let text = TokenizedText(entry.phrase.text)
            let isSilent = entries(entry.subject).contains {
                $0.role == .lookAlike && text.positions(of: $0.phrase).contains(0..<text.words.count)
            }
            #expect(!isSilent, "\(entry.subject): \(entry.phrase.text)")
        }
    }

    @Test func `finds every entry in its own words`() {
        for entry in Self.entries {
            guard case .evidence(let strength) = entry.role else { continue }
            let best = lexicon.signs(in: entry.phrase.text).first { $0.subject == entry.subject }?.strength
            #expect(best.map { $0 >= strength } ?? false, "\(entry.subject): \(entry.phrase.text)")
        }
    }

    @Test func `knows each interest by its own name`() {
        for interest in KnownInterest.allCases {
            let found = lexicon.signs(in: interest.rawValue).first { $0.subject == .interest(interest) }
            #expect(found?.strength == .strong, "\(interest.rawValue)")
        }
    }

    @Test func `has no look-alike that nothing could be mistaken for`() {
        for entry in Self.entries where entry.role == .lookAlike {
            let text = TokenizedText(entry.phrase.text)
            let hides = evidence(entry.subject).contains { text.contains($0.phrase) }
            #expect(hides, "\(entry.subject): \(entry.phrase.text)")
        }
    }

    /// Names that share their meaning on purpose; every other name must not be taken for another interest.
    private static let kin: [KnownInterest: Set<KnownInterest>] = [
        .painting: [.art], .concerts: [.music], .yoga: [.fitness], .running: [.sports], .cycling: [.fitness, .sports],
        .camping: [.nature], .hiking: [.nature, .fitness], .karaoke: [.music], .surfing: [.beach, .sports],
    ]

    @Test func `takes no interest's name for a different one`() {
        for interest in KnownInterest.allCases {
            for sign in lexicon.signs(in: interest.rawValue) where sign.strength == .strong {
                guard case .interest(let other) = sign.subject, other != interest else { continue }
                let isKin = Self.kin[interest]?.contains(other) ?? false
                #expect(isKin, "\(interest.rawValue) is taken for \(other.rawValue)")
            }
        }
    }
}
