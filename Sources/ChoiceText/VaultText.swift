import Console
package import JSONDocument
import KnotDomain

/// A vault as lines for the person whose it is.
package enum VaultText {
    package static func lines(_ vault: JSONValue, width: Int) -> [String] {
        var lines: [String] = []
        func add(_ label: String, _ text: String) {
            let wrapped = TextLayout.wrapped(TerminalText.safe(text), to: max(20, width - 16))
            for (index, line) in wrapped.enumerated() {
                lines.append(TextLayout.padded(index == 0 ? label : "", to: 16) + line)
            }
        }
        let zone = ZoneDirectory().rules(named: vault["timezone"]?.string ?? "") ?? .utc
        add("vault", vault["id"]?.string ?? "")
        add("partner", vault["partner_name"]?.string ?? "")
        let place = ["city", "state", "country"].compactMap { vault["location"]?[$0]?.string }
        if !place.isEmpty { add("place", place.joined(separator: ", ")) }
        add("time zone", vault["timezone"]?.string ?? "")
        for (label, name) in [("likes", "likes"), ("dislikes", "dislikes"), ("style", "vibes")] {
            add(label, words(vault[name]?.array ?? []).joined(separator: ", "))
        }
        let languages = [vault["love_languages"]?["primary"], vault["love_languages"]?["secondary"]]
        add("love languages", words(languages.compactMap(\.self)).joined(separator: ", "))
        for tier in OccasionTier.allCases {
            guard let text = budget(vault["budgets"]?[tier.rawValue]) else { continue }
            add(tier == .justBecause ? "budgets" : "", "\(text) \(CardView.words(tier.rawValue))")
        }
        for (index, milestone) in (vault["milestones"]?.array ?? []).enumerated() {
            let date = milestone["date"]?.string ?? ""
            let day = milestone["recurrence"]?.string == "yearly" ? String(date.suffix(5)) : date
            let name = milestone["name"]?.string ?? ""
            add(
                index == 0 ? "milestones" : "",
                "\(day)  \(name) (\(CardView.words(milestone["budget_tier"]?.string ?? "")))"
            )
            add("", "       \(milestone["id"]?.string ?? "")")
        }
        for (index, hint) in (vault["hints"]?.array ?? []).enumerated() {
            let used = hint["is_used"]?.bool == true ? " (used)" : ""
            let day = Self.day(of: hint["created_at"]?.string ?? "", in: zone)
            add(index == 0 ? "hints" : "", "\(day)  \(hint["text"]?.string ?? "")\(used)")
        }
        return lines
    }

    /// The day in the vault's zone, as a card's reason names it.
    private static func day(of moment: String, in zone: ZoneRules) -> String {
        Instant(iso8601: moment).map { zone.localDate(at: $0).description } ?? String(moment.prefix(10))
    }

    private static func words(_ values: [JSONValue]) -> [String] {
        values.compactMap { $0.string.map(CardView.words) }
    }

    private static func budget(_ value: JSONValue?) -> String? {
        guard let low = value?["min_cents"]?.int, let high = value?["max_cents"]?.int,
            let currency = value?["currency"]?.string.flatMap({ Currency($0) })
        else { return nil }
        return "\(Money(low, currency)) to \(Money(high, currency))"
    }
}
