package import JSONDocument
import KnotDomain

/// A vault to fill in: every field, with the words that may stand in it.
package enum VaultTemplate {
    package static var json: JSONValue {
        func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> String where Word.RawValue == String {
            type.allCases.map(\.rawValue).joined(separator: ", ")
        }
        func budget(_ low: Int, _ high: Int) -> JSONValue {
            ["min_cents": .integer(low), "max_cents": .integer(high), "currency": "USD"]
        }
        return [
            "schema": "knot.fixture/1",
            "how_to": [
                "Fill in what is empty, then: knot-recommend vault new --file THIS_FILE",
                .string("likes and dislikes: five each; these are known best: \(words(KnownInterest.self))"),
                .string("vibes: one to eight of \(words(Vibe.self))"),
                .string("love_languages: two of \(words(LoveLanguage.self))"),
                .string("cohabitation_status: null or one of \(words(Cohabitation.self))"),
                "budgets: whole cents, whatever the currency calls them",
                "milestones: type birthday, anniversary, holiday or custom; a yearly date has the year 2000",
                "hints: what you noticed, in your own words; created_at is when",
            ],
            "vault": [
                "partner_name": "", "relationship_tenure_months": .null, "cohabitation_status": .null,
                "location": ["city": "", "state": .null, "country": "US"], "timezone": "America/New_York",
                "likes": ["", "", "", "", ""], "dislikes": ["", "", "", "", ""], "vibes": [""],
                "budgets": [
                    "just_because": budget(1_500, 4_000), "minor_occasion": budget(4_000, 9_000),
                    "major_milestone": budget(12_000, 30_000),
                ],
                "love_languages": ["primary": "quality_time", "secondary": "receiving_gifts"],
                "milestones": [
                    ["type": "birthday", "name": "Birthday", "date": "2000-01-31", "recurrence": "yearly"]
                ],
                "hints": [["text": "", "source": "text_input", "created_at": "2026-01-01T12:00:00Z"]],
                "history": [],
            ],
        ]
    }
}
