import Console
import JSONDocument
import Testing

@testable import ChoiceText

@Suite struct `A card view` {
    private static let gloves: JSONValue = [
        "position": 1, "candidate_id": "c07", "provider": "shopify", "type": "gift",
        "title": "Lined gloves for the garden",
        "url": "https://example.com/gloves", "price_cents": 4200, "currency": "USD", "merchant": "The Glove Shop",
        "score": 0.83, "contributions": ["hints": 0.31, "budget_fit": 0.12, "interests": 0.2, "novelty": 0],
        "reason": "You noted in March that her hands are always cold at the allotment; these arrive four days before.",
        "hint_ids": ["h1"], "availability": "available", "description": nil, "image_url": nil, "location": nil,
        "starts_at": nil, "party": 1, "total_cents": 4200, "budget_cents": 4200, "evidence": [],
    ]

    private func result(_ choices: [JSONValue], outcome: String = "complete", reasons: JSONValue = []) -> JSONValue {
        [
            "schema": "knot.choice/1", "run_id": "r", "outcome": .string(outcome), "reasons": reasons, "vault_id": "v",
            "milestone_id": nil, "occasion": "major_milestone", "occurrence": "2026-03-15",
            "pipeline": ["name": "choice-of-three", "hash": "0123456789abcdef"], "as_of": "2026-03-01T09:00:00Z",
            "choices": .array(choices), "stored": false, "counts": ["retrieved": 96, "kept": 31],
        ]
    }

    private func lines(_ result: JSONValue, verbose: Bool = false, terminal: Terminal = .plain) -> [String] {
        CardView(terminal: terminal, isVerbose: verbose).lines(ShownSet(result))
    }

    private func changed(_ changes: [String: JSONValue]) -> JSONValue {
        guard var object = Self.gloves.object else { return .null }
        for (name, value) in changes { object[name] = value }
        return .object(object)
    }

    @Test func `shows one card as people read it`() {
        let rule = String(repeating: "-", count: 80)
        #expect(
            lines(result([Self.gloves])) == [
                "Choice of Three for a major milestone, 15 March 2026",
                "complete",
                rule,
                " 1. Lined gloves for the garden                                        USD 42.00",
                "    gift from The Glove Shop, by way of shopify",
                "    You noted in March that her hands are always cold at the allotment; these",
                "    arrive four days before.",
                "    hints 0.31 ======  interests 0.20 ====  budget fit 0.12 ==",
                "    available",
                "    https://example.com/gloves",
                rule,
                "pipeline choice-of-three (0123456789ab), as of 2026-03-01T09:00:00Z, not stored",
            ]
        )
    }

    @Test func `tells total, budget, place and time where they say more than the price`() {
        let concert = changed([
            "party": 2, "total_cents": 8400, "budget_cents": 7710, "starts_at": "2026-03-14T19:30:00-07:00",
            "location": ["city": "Vancouver", "country": "CA"], "type": "experience", "currency": "CAD",
        ])
        var whole = result([concert]).object ?? JSONObject()
        whole["budget"] = ["currency": "EUR"]
        let text = lines(.object(whole)).joined(separator: "\n")
        #expect(text.contains("CAD 42.00 a person, CAD 84.00 for two; EUR 77.10 of the budget"))
        #expect(text.contains("14 March 2026, 19:30 -07:00, Vancouver, CA"))
    }

    @Test func `tells the time of the place, and its zone only where the couple's clocks show another`() {
        let own = changed([
            "starts_at": "2026-02-15T01:30:00Z", "starts_at_local": "2026-02-14T20:30:00", "starts_at_zone": nil,
        ])
        let away = changed([
            "starts_at": "2026-02-15T01:30:00Z", "starts_at_local": "2026-02-14T19:30:00",
            "starts_at_zone": "America/Chicago",
        ])
        #expect(lines(result([own])).contains("    14 February 2026, 20:30"))
        #expect(lines(result([away])).contains("    14 February 2026, 19:30 (America/Chicago time)"))
    }

    @Test func `says where candidates come from when there are none`() {
        let reasons: JSONValue = [["code": "no_candidates", "node": "aggregate", "detail": "nothing to choose from"]]
        let shown = lines(result([], outcome: "short", reasons: reasons))
        #expect(shown[1] == "short: 0 of 3, there are no candidates to choose from")
        #expect(shown.joined(separator: " ").contains("--catalogue FILE"))
        #expect(shown.allSatisfy { $0.count <= 80 })
    }

    @Test func `knows currencies without cents and unknown prices`() {
        let yen = changed(["price_cents": 3000, "total_cents": 3000, "currency": "JPY"])
        let free = changed(["price_cents": nil, "total_cents": nil])
        let text = lines(result([yen, free])).joined(separator: "\n")
        #expect(text.contains("JPY 3000"))
        #expect(text.contains("price unknown"))
    }

    @Test func `explains short and degraded with their reasons`() {
        let short = lines(
            result(
                [Self.gloves],
                outcome: "short",
                reasons: [["code": "pool_empty", "node": "filter", "detail": "nothing left"]]
            )
        )
        #expect(short[1] == "short: 1 of 3, nothing else in the pool may be shown")
        #expect(short[2] == "  - pool_empty in filter: nothing left")
        #expect(lines(result([], outcome: "short"))[1].hasPrefix("short: 0 of 3"))
    }

    /// Some of them are too long to be anybody's label.
    private static let hostile = [
        "\u{1B}[2J\u{1B}]0;owned\u{7}", "手編みの手袋と毛糸の帽子と長い名前の贈り物のセットでございますので長い",
        String(repeating: "x", count: 1 << 20), String(repeating: "\u{301}", count: 100_000), "\u{202E}txt.exe", "",
        String(repeating: "👩‍👩‍👧", count: 5_000), "a\nb\r\nc", String(repeating: "<b>&amp;", count: 30),
    ]

    @Test(arguments: hostile.indices)
    func `fits 80 columns and stays harmless with any text`(number: Int) {
        let title = Self.hostile[number]
        let hostile = changed([
            "title": .string(title), "merchant": .string(title), "reason": .string(title), "url": .string(title),
            "provider": .string(title), "type": .string(title), "availability": .string(title),
            "location": ["city": .string(title)],
            "starts_at": .string(title), "candidate_id": .string(title), "contributions": [title: 0.5],
        ])
        let reasons: JSONValue = [["code": .string(title), "node": .string(title), "detail": .string(title)]]
        for verbose in [false, true] {
            let shown = lines(
                result([hostile, Self.gloves, hostile], outcome: title, reasons: reasons),
                verbose: verbose
            )
            for line in shown {
                #expect(DisplayWidth.of(line) <= 80, "\(line)")
                let isClean = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
                #expect(isClean)
            }
            #expect(shown.count < 120)
            #expect(shown.contains { $0.contains("Lined gloves") })
        }
    }

    @Test func `shows something for anything`() {
        for value: JSONValue in [nil, [], [:], "x", ["choices": [nil, 3, [:]]], ["choices": 5, "reasons": [1]]] {
            #expect(!lines(value, verbose: true).isEmpty)
        }
    }

    @Test func `draws and colours on a terminal that can, and only there`() {
        let rich = Terminal(isTerminal: true, width: 60, hasColour: true, hasDrawing: true)
        let text = lines(result([Self.gloves]), terminal: rich).joined(separator: "\n")
        #expect(text.contains("\u{1B}[1m"))
        #expect(text.contains("\u{2500}"))
        let plain = lines(result([Self.gloves])).joined(separator: "\n")
        #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        let bare = Terminal(isTerminal: true, width: 60, hasColour: false, hasDrawing: false)
        #expect(lines(result([Self.gloves]), terminal: bare).allSatisfy { DisplayWidth.of($0) <= 60 })
    }
}
