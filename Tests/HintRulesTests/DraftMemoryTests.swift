import KnotDomain
import Testing

@testable import HintRules

/// A note that was read before is read anew wherever something else about it counts.
@Suite("Notes that were read before") struct DraftMemoryTests {
    private static let day: Int64 = 86_400_000

    private static func draft(
        _ text: String,
        of partner: String = "Marit",
        daysAgo: Int64 = 1,
        id: String = "hint-1"
    ) -> HintDraft {
        let now = ReadingCase.now
        let hint = Hint(
            id: HintID(id),
            text: text,
            source: .textInput,
            createdAt: Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch - daysAgo * day),
            isUsed: false
        )
        return DraftRule(tables: .shared, partnerNames: PartnerNames(partner), asOf: now).draft(hint)
    }

    @Test func `an old note weighs less than the same note of yesterday`() {
        let text = "she wants a stovetop kettle in enamel"
        let strength = Self.draft(text).strength
        #expect(strength > 0)
        #expect(Self.draft(text, daysAgo: 600).strength < strength)
        #expect(Self.draft(text).strength == strength)
    }

    @Test func `a day of the month is over when the note is`() {
        let text = "not free on the 20th"
        #expect(!Self.draft(text).stated.isEmpty)
        #expect(Self.draft(text, daysAgo: 90).stated.isEmpty)
    }

    @Test func `the same words about another person have that person's draft`() {
        let text = "Ilse wants a cargo bike"
        #expect(Self.draft(text, of: "Ilse").subject == .partner)
        #expect(Self.draft(text, of: "Marit").subject == .other)
    }

    @Test func `a draft is of the hint that was asked for`() {
        let text = "she wants a stovetop kettle in steel"
        let drafts = ["hint-1", "hint-2"].map { Self.draft(text, id: $0) }
        #expect(drafts.map(\.hint.id.text) == ["hint-1", "hint-2"])
        #expect(drafts[0].serves == drafts[1].serves)
    }
}
