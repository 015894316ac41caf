import KnotDomain
import TestSupport
import Testing

@testable import Delivery

@Suite("The words of a notice")
struct NoticeTextTests {
    private static let today = CivilDate(daysSinceEpoch: 20_780)

    private func occasion(_ name: String, in days: Int) -> Notice.Occasion {
        Notice.Occasion(
            milestone: MilestoneID("m"),
            name: name,
            day: Self.today.adding(days: days),
            daysBefore: 7,
            run: "r"
        )
    }

    private func text(_ partner: String?, _ occasions: [Notice.Occasion], _ choices: [String]) -> NoticeText {
        NoticeText(partner: partner, today: Self.today, occasions: occasions, choices: choices)
    }

    @Test func `one day is told by whose it is and how many days are left, not how many were planned`() {
        let text = text("Ana", [occasion("Wedding anniversary", in: 5)], ["Pottery class", "Night train", "A lamp"])
        #expect(text.title == "Ana: Wedding anniversary in 5 days")
        #expect(text.body == "Ideas: Pottery class · Night train · A lamp")
    }

    @Test(arguments: [(0, "today"), (1, "tomorrow"), (2, "in 2 days"), (-1, "has passed")])
    func `the day is told as people tell it`(days: Int, words: String) {
        #expect(text(nil, [occasion("Diwali", in: days)], ["A lamp"]).title == "Diwali \(words)")
    }

    @Test func `a name that the day has already is not said twice`() {
        #expect(text("Ana", [occasion("ana's birthday", in: 3)], []).title == "ana's birthday in 3 days")
        #expect(text("Al", [occasion("Valentine's Day", in: 3)], []).title == "Al: Valentine's Day in 3 days")
    }

    @Test func `several days make one notice, with ideas for the nearest`() {
        let days = [occasion("Birthday", in: 3), occasion("Wedding anniversary", in: 7), occasion("Diwali", in: 14)]
        let text = text("Ana", days, ["Pottery class", "Night train", "A lamp"])
        #expect(text.title == "Ana: 3 days are coming")
        #expect(
            text.body == "Birthday in 3 days, Wedding anniv… in 7 days and 1 more. Ideas: Pottery class · Night train"
        )
    }

    @Test func `without ideas it says that it is time to look for some`() {
        #expect(text(nil, [occasion("", in: 3)], ["", "\u{202E}"]).title == "A special day in 3 days")
        #expect(text(nil, [occasion("", in: 3)], ["", "\u{202E}"]).body == "It is time to look for something.")
    }

    @Test func `a long title leaves room for the others, and is cut with an ellipsis`() {
        let long = "A weekend for two in a lighthouse on the coast with breakfast and boats and much more to see there"
        let body = text("Ana", [occasion("Birthday", in: 3)], [long, "Lamp", "Night train"]).body
        #expect(
            body
                == "Ideas: A weekend for two in a lighthouse on the coast with breakfast and boats… · Lamp · Night train"
        )
        #expect(body.count <= 100)
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "‹script›alert(1)‹/script›"),
        ("one\r\ntwo\u{2028}three", "one two three"),
        ("gpj.\u{202E}exe\u{2066}x\u{200F}", "gpj.exex"),
        ("a\u{200B}b\u{FEFF}c\u{0}d\u{1B}[31m", "abcd[31m"),
        ("\u{0301}\u{0301} accents first", "accents first"),
        ("<\u{0338}b>\u{0301}", "‹\u{0338}b›\u{0301}"),
        ("z" + String(repeating: "\u{0335}", count: 300) + "algo", "zalgo"),
        ("👩‍👩‍👧 together", "👩‍👩‍👧 together"),
    ])
    func `a hostile title becomes harmless`(title: String, shown: String) {
        #expect(NoticeText.visible(title) == shown)
        #expect(text(nil, [occasion("Day", in: 1)], [title]).body == "Ideas: \(shown)")
    }

    @Test func `whatever strangers write, both lines are short, visible, and of whole characters`() {
        let seed: UInt64 = 20_261_123
        var random = SeededRandom(seed: seed)
        let own = Set(
            "Ideas: · … , . and more days are coming in today tomorrow has passed It is time to look for something."
                + "A special day is 0123456789"
        )
        for round in 0..<4_000 {
            let partner = hostile(&random)
            let days = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                occasion(hostile(&random), in: Int.random(in: -2...400, using: &random))
            }
            let titles = (0..<Int.random(in: 0...4, using: &random)).map { _ in hostile(&random) }
            let text = text(partner, days, titles)
            let context = "round \(round) of seed \(seed): \(text)"
            #expect(!text.title.isEmpty && text.title.count <= NoticeText.longestTitle, "\(context)")
            #expect(!text.body.isEmpty && text.body.count <= Notice.longestBody, "\(context)")
            // Every character is one of a name, of a title, or of our own: none was cut apart or put together.
            let given = Set(([partner] + days.map(\.name) + titles).flatMap { NoticeText.visible($0) })
            for line in [text.title, text.body] {
                #expect(line.allSatisfy { own.contains($0) || given.contains($0) }, "\(context)")
                #expect(line.utf8.count <= 100 * NoticeText.longestCharacter, "\(context)")
                for scalar in line.unicodeScalars {
                    let isFormat = scalar.properties.generalCategory == .format && scalar != "\u{200D}"
                    #expect(
                        scalar.properties.generalCategory != .control && !isFormat && scalar != "<" && scalar != ">",
                        "\(context)"
                    )
                }
            }
        }
    }

    @Test func `a shortened text is the text, or whole characters of its beginning and an ellipsis`() {
        let seed: UInt64 = 7
        var random = SeededRandom(seed: seed)
        for _ in 0..<4_000 {
            let text = NoticeText.visible(hostile(&random))
            let limit = Int.random(in: 1...30, using: &random)
            let short = NoticeText.shortened(text, to: limit)
            #expect(short.count <= limit, "\(text) to \(limit), seed \(seed)")
            if short != text {
                #expect(text.count > limit && short.last == "…", "\(text) to \(limit), seed \(seed)")
                #expect(Array(text).starts(with: Array(short.dropLast())), "\(text) to \(limit), seed \(seed)")
            }
        }
    }

    /// Texts of what breaks careless programs: marks, joiners, flags, directions, controls, markup, and plain words.
    private func hostile(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "word ", "B", "é", "e\u{0301}", "\u{0301}", "日本", "👩‍👩‍👧", "👍🏽", "🇦🇹", "🇦", "\u{200D}", "\u{200B}",
            "\u{202E}",
            "\u{2066}", "\u{0}", "\n", "\r\n", "\t", "<b>", "&lt;", "\"", "\\", "{", "한", "ᄒ", "ᅡ", "नि", "ि",
            "\u{FE0F}",
            "❤️", "·", "…", " ", "\u{A0}", "\u{2028}", "\u{E0001}", "\u{FFFE}",
        ]
        return (0..<Int.random(in: 0...24, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
