import JSONDocument
import KnotDomain

/// Asks a person at a terminal for a vault, one thing after another, and asks again where an answer does not fit.
struct VaultQuestions {
    private let context: CommandContext
    private let readLine: () -> String?

    init(_ context: CommandContext, readLine: @escaping () -> String? = StandardInput.line) {
        self.context = context
        self.readLine = readLine
    }

    func ask() throws(CommandError) -> JSONValue {
        try say("This makes a vault. Ctrl-C leaves at any time; nothing is stored before the end.")
        let name = try text("Your partner's name")
        let city = try text("Their town (empty: say nothing)", isOptional: true)
        let state = city.isEmpty ? "" : try text("Its state or region (empty: none)", isOptional: true)
        let country = city.isEmpty ? "US" : try text("Its country, two letters", standard: "US")
        let zone = try text("Your time zone", standard: context.environment["TZ"] ?? "America/New_York")
        let known = KnownInterest.allCases.map(\.rawValue)
        try say("Interests that are known best: \(known.joined(separator: ", "))")
        let likes = try list("Five things they like, with commas between", count: 5...5)
        let dislikes = try list("Five things they dislike", count: 5...5)
        let vibes = try list("Their style", among: Vibe.allCases.map(\.rawValue), count: 1...8)
        let languages = try list(
            "What tells them that they are loved, the most important first",
            among: LoveLanguage.allCases.map(\.rawValue),
            count: 2...2
        )
        let currency = try text("Currency, three letters", standard: "USD")
        var budgets = JSONObject()
        for (tier, standard) in zip(OccasionTier.allCases, ["15-40", "40-90", "120-300"]) {
            budgets[tier.rawValue] = try budget(tier, currency: currency, standard: standard)
        }
        let birthday = try day("Their birthday as MONTH-DAY, such as 05-16 (empty: none)")
        let milestones: [JSONValue] =
            birthday.map {
                [
                    [
                        "type": "birthday", "name": .string("\(name)'s birthday"), "date": .string("2000-\($0)"),
                        "recurrence": "yearly",
                    ]
                ]
            } ?? []
        try say("What have you noticed? One thing a line, in your own words; an empty line ends.")
        let hints = try hints()
        return [
            "partner_name": .string(name), "timezone": .string(zone),
            "location": city.isEmpty
                ? .null
                : [
                    "city": .string(city), "state": state.isEmpty ? .null : .string(state), "country": .string(country),
                ],
            "likes": JSONValue(likes), "dislikes": JSONValue(dislikes), "vibes": JSONValue(vibes),
            "love_languages": ["primary": .string(languages[0]), "secondary": .string(languages[1])],
            "budgets": .object(budgets), "milestones": .array(milestones), "hints": .array(hints), "history": [],
        ]
    }

    // MARK: Answers

    private func say(_ text: String) throws(CommandError) {
        let lines = TextLayout.wrapped(text, to: context.terminal.width)
        try context.diagnostics.write(lines.joined(separator: "\n") + "\n")
    }

    private func line(_ prompt: String) throws(CommandError) -> String {
        try context.diagnostics.write("\(prompt): ")
        guard let line = readLine() else {
            throw .usage(.vault, "the answers ended early", todo: "answer all, or use vault new --file FILE")
        }
        return TerminalText.safe(line)
    }

    private func text(_ prompt: String, standard: String = "", isOptional: Bool = false) throws(CommandError) -> String
    {
        while true {
            let answer = try line(standard.isEmpty ? prompt : "\(prompt) [\(standard)]")
            if !answer.isEmpty { return answer }
            if isOptional || !standard.isEmpty { return standard }
            try say("This one is needed.")
        }
    }

    private func list(
        _ prompt: String,
        among words: [String] = [],
        count: ClosedRange<Int>
    ) throws(CommandError) -> [String] {
        if !words.isEmpty { try say("\(prompt): of \(words.joined(separator: ", "))") }
        while true {
            let items = try line(words.isEmpty ? prompt : "Which").split(separator: ",")
                .map { TerminalText.safe(String($0)) }.filter { !$0.isEmpty }
            let strange = words.isEmpty ? [] : items.filter { !words.contains($0) }
            if count.contains(items.count), strange.isEmpty, Set(items).count == items.count { return items }
            let number =
                count.lowerBound == count.upperBound
                ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            try say(
                strange.isEmpty ? "Give \(number) different ones." : "Not known: \(strange.joined(separator: ", "))."
            )
        }
    }

    private func budget(_ tier: OccasionTier, currency: String, standard: String) throws(CommandError) -> JSONValue {
        while true {
            let words = "What you would spend, \(CardView.words(tier.rawValue)), from-to"
            let parts = try text(words, standard: standard).split(separator: "-").map {
                Int(TerminalText.safe(String($0)))
            }
            if parts.count == 2, let low = parts[0], let high = parts[1], 0...1_000_000 ~= low, low...1_000_000 ~= high
            {
                let scale = Currency(currency).map { (0..<$0.exponent).reduce(1) { scale, _ in scale * 10 } } ?? 100
                return [
                    "min_cents": .integer(low * scale), "max_cents": .integer(high * scale),
                    "currency": .string(currency),
                ]
            }
            try say("Two whole numbers, the smaller first, such as 15-40.")
        }
    }

    private func day(_ prompt: String) throws(CommandError) -> String? {
        while true {
            let answer = try text(prompt, isOptional: true)
            if answer.isEmpty { return nil }
            if CivilDate(iso8601: "2000-\(answer)") != nil { return answer }
            try say("Month and day, such as 05-16.")
        }
    }

    private func hints() throws(CommandError) -> [JSONValue] {
        var hints: [JSONValue] = []
        while let line = readLine(), !TerminalText.safe(line).isEmpty {
            hints.append([
                "text": .string(line), "source": "text_input", "created_at": .string(MachineClock().now().iso8601),
            ])
        }
        return hints
    }
}
