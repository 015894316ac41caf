package import JSONDocument

extension Vault {
    /// Members that may stand for those of a stored vault which nothing is done with, and which could not be read.
    package static let standIn: JSONValue = [
        "partner_name": "Nobody", "timezone": .null,
        "likes": .array((1...5).map { .string("not written: like \($0)") }),
        "dislikes": .array((1...5).map { .string("not written: dislike \($0)") }),
        "vibes": ["vintage"],
        "budgets": .object(
            JSONObject(
                OccasionTier.allCases.map {
                    .init(name: $0.rawValue, value: ["min_cents": 0, "max_cents": 1, "currency": "USD"])
                }
            )
        ),
        "love_languages": ["primary": "quality_time", "secondary": "acts_of_service"],
    ]
}
