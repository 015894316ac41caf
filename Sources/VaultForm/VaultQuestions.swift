import ChoiceText
package import Console
import FileInput
import Glibc
package import JSONDocument
package import KnotDomain

/// Asks a person at a terminal for a vault, one thing after another, and asks again where an answer does not fit.
///
/// Each answer is checked at once as the vault will be, and kept in a draft until the vault is stored.
package struct VaultQuestions {
    private let environment: Environment
    private let width: Int
    private let prompts: any ByteSink
    private let now: () -> Instant
    private let readLine: () -> String?
    private var draft: VaultDraft

    /// Asks on `prompts`, in lines of so many columns; hints are noted at the moment that `now` tells.
    package init(
        _ environment: Environment,
        width: Int,
        on prompts: any ByteSink,
        now: @escaping () -> Instant,
        readLine: @escaping () -> String? = StandardInput.line
    ) {
        self.environment = environment
        self.width = width
        self.prompts = prompts
        self.now = now
        self.readLine = readLine
        draft = VaultDraft(environment)
    }

    package mutating func ask() throws(CommandError) -> JSONValue {
        try offerDraft()
        try say("This makes a vault. Ctrl-C leaves at any time; nothing is stored before the end.")
        let name = try text("partner_name", "Your partner's name", check: Self.named)
        let city = try text("city", "Their town (empty: say nothing)", isOptional: true, check: Self.named)
        let state =
            city.isEmpty
            ? "" : try text("state", "Its state or region (empty: none)", isOptional: true, check: Self.named)
        let country =
            city.isEmpty
            ? "US" : try text("country", "Its country, two letters", standard: "US", check: VaultChecks.country)
        let zone = try text("timezone", "Your time zone", standard: standardZone, check: VaultChecks.zone)
        let known = KnownInterest.allCases.map(\.rawValue)
        try say("Interests that are known best: \(known.joined(separator: ", "))")
        let likes = try list("likes", "Five things they like, with commas between", count: 5...5)
        let dislikes = try list("dislikes", "Five things they dislike", count: 5...5, apart: likes)
        let vibes = try list("vibes", "Their style", among: Vibe.allCases.map(\.rawValue), count: 1...8)
        let languages = try list(
            "love_languages",
            "What tells them that they are loved, the most important first",
            among: LoveLanguage.allCases.map(\.rawValue),
            count: 2...2
        )
        let currency = try text("currency", "Currency, three letters", standard: "USD", check: VaultChecks.currency)
            .uppercased()
        var budgets = JSONObject()
        for (tier, standard) in zip(OccasionTier.allCases, ["15-40", "40-90", "120-300"]) {
            budgets[tier.rawValue] = try budget(tier, currency: currency, standard: standard)
        }
        let birthday = try text(
            "birthday",
            "Their birthday as MONTH-DAY, such as 05-16 (empty: none)",
            isOptional: true
        ) { CivilDate(iso8601: "2000-\($0)") == nil ? "Month and day, such as 05-16." : nil }
        let milestones: [JSONValue] =
            birthday.isEmpty
            ? []
            : [
                [
                    "type": "birthday", "name": .string("\(name)'s birthday"), "date": .string("2000-\(birthday)"),
                    "recurrence": "yearly",
                ]
            ]
        try say("What have you noticed? One thing a line, in your own words; an empty line ends.")
        try askHints()
        return [
            "partner_name": .string(name), "timezone": .string(zone),
            "location": city.isEmpty
                ? .null
                : [
                    "city": .string(city), "state": state.isEmpty ? .null : .string(state),
                    "country": .string(country.uppercased()),
                ],
            "likes": JSONValue(likes), "dislikes": JSONValue(dislikes), "vibes": JSONValue(vibes),
            "love_languages": ["primary": .string(languages[0]), "secondary": .string(languages[1])],
            "budgets": .object(budgets), "milestones": .array(milestones), "hints": .array(draft.hints), "history": [],
        ]
    }

    /// Answers of an earlier time are taken up where somebody wants them.
    private mutating func offerDraft() throws(CommandError) {
        guard !draft.isEmpty, let path = draft.path else { return }
        let count = "\(draft.count) answer\(draft.count == 1 ? "" : "s")"
        try say("A draft of an earlier time holds \(count) (\(TerminalText.safe(path, limit: 400))).")
        while true {
            switch try line("Go on with it? yes or no [yes]").lowercased() {
            case "", "y", "yes": return
            case "n", "no": return draft.discard()
            default: try say("Type yes or no.")
            }
        }
    }

    private var standardZone: String {
        let zone = environment["TZ"] ?? ""
        return VaultChecks.zone(zone) == nil ? zone : "America/New_York"
    }

    private static func named(_ text: String) -> String? { VaultChecks.name()(text).map { "This \($0)." } }

    // MARK: - Answers

    private func say(_ text: String) throws(CommandError) {
        let lines = TextLayout.wrapped(text, to: width)
        try prompts.write(lines.joined(separator: "\n") + "\n")
    }

    private func line(_ prompt: String) throws(CommandError) -> String {
        try prompts.write("\(prompt): ")
        guard let line = readLine() else {
            let kept = draft.isEmpty ? nil : draft.path
            throw CommandError(
                .usage,
                "the answers ended early",
                at: "knot-recommend vault",
                todo: kept.map { "those given are kept in \($0): vault new goes on with them" }
                    ?? "answer all, or use vault new --file FILE"
            )
        }
        return TerminalText.safe(line)
    }

    /// The answer to a question, of the draft where it has one that fits; an empty one is the standard.
    private mutating func text(
        _ key: String,
        _ prompt: String,
        standard: String = "",
        isOptional: Bool = false,
        check: @escaping (String) -> String? = { _ in nil }
    ) throws(CommandError) -> String {
        if let kept = draft.answers[key]?.string {
            if kept.isEmpty && isOptional || !kept.isEmpty && check(kept) == nil {
                try say("\(prompt): \(kept)")
                return kept
            }
            draft.drop(key)
        }
        while true {
            let typed = try line(standard.isEmpty ? prompt : "\(prompt) [\(standard)]")
            let answer = typed.isEmpty ? standard : typed
            if answer.isEmpty, !isOptional {
                try say("This one is needed.")
            } else if !answer.isEmpty, let problem = check(answer) {
                try say(problem)
            } else {
                try draft.keep(answer, to: key)
                return answer
            }
        }
    }

    /// Several different answers with commas between.
    private mutating func list(
        _ key: String,
        _ prompt: String,
        among words: [String] = [],
        count: ClosedRange<Int>,
        apart others: [String] = []
    ) throws(CommandError) -> [String] {
        if !words.isEmpty { try say("\(prompt): of \(words.joined(separator: ", "))") }
        let answer = try text(key, words.isEmpty ? prompt : "Which") {
            Self.problem(with: Self.items($0), among: words, count: count, apart: others)
        }
        return Self.items(answer)
    }

    private static func items(_ answer: String) -> [String] {
        answer.split(separator: ",").map { TerminalText.safe(String($0)) }.filter { !$0.isEmpty }
    }

    private static func problem(
        with items: [String],
        among words: [String],
        count: ClosedRange<Int>,
        apart others: [String]
    ) -> String? {
        let strange = words.isEmpty ? [] : items.filter { !words.contains($0) }
        if !strange.isEmpty {
            let near = strange.map { word in
                EditDistance.nearest(to: word.lowercased(), among: words).map { "\(word) (did you mean \($0)?)" }
                    ?? word
            }
            return "Not known: \(near.joined(separator: ", "))."
        }
        let keys = items.map { $0.lowercased() }
        if !count.contains(items.count) || Set(keys).count < keys.count {
            let number =
                count.lowerBound == count.upperBound
                ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            return "Give \(number) different ones."
        }
        if let long = items.first(where: { $0.utf8.count > TextLimit.tag }) {
            return "\(long.prefix(20))… is longer than \(TextLimit.tag) bytes."
        }
        let liked = Set(others.map { $0.lowercased() })
        let both = items.filter { liked.contains($0.lowercased()) }
        return both.isEmpty ? nil : "Among the likes already: \(both.joined(separator: ", "))."
    }

    private mutating func budget(
        _ tier: OccasionTier,
        currency: String,
        standard: String
    ) throws(CommandError) -> JSONValue {
        let scale = Currency(currency).map { (0..<$0.exponent).reduce(1) { scale, _ in scale * 10 } } ?? 100
        func bounds(_ answer: String) -> (low: Int, high: Int)? {
            let parts = answer.split(separator: "-").map { Int(TerminalText.safe(String($0))) }
            // The greatest amount that the database holds.
            let most = min(1_000_000, Int(Int32.max) / scale)
            guard parts.count == 2, let low = parts[0], let high = parts[1], 0...most ~= low, low...most ~= high else {
                return nil
            }
            return (low * scale, high * scale)
        }
        let answer = try text(
            "budget_\(tier.rawValue)",
            "What you would spend, \(CardView.words(tier.rawValue)), from-to",
            standard: standard
        ) { bounds($0) == nil ? "Two whole numbers, the smaller first, such as 15-40." : nil }
        let (low, high) = bounds(answer) ?? (0, 0)
        return ["min_cents": .integer(low), "max_cents": .integer(high), "currency": .string(currency)]
    }

    private mutating func askHints() throws(CommandError) {
        for hint in draft.hints { try say("- " + TerminalText.safe(hint["text"]?.string ?? "")) }
        // An end of the input ends the hints as an empty line does.
        while let line = readLine(), !TerminalText.safe(line).isEmpty {
            guard line.unicodeScalars.count <= TextLimit.hintCharacters else {
                try say("This is longer than \(TextLimit.hintCharacters) characters; say it in two lines.")
                continue
            }
            try draft.keep(hint: [
                "text": .string(line), "source": "text_input", "created_at": .string(now().iso8601),
            ])
        }
    }
}

/// The answers that somebody gave for a new vault so far, kept in a file of their own until the vault is stored.
///
/// It is written after each answer, so that nothing that ends the program loses one. It is private: nobody else may read it.
package struct VaultDraft {
    private static let schema = "knot.vault-draft/1"

    /// Nil without a home: then answers last as long as the program.
    package let path: String?
    private(set) var answers: JSONObject
    private(set) var hints: [JSONValue]

    /// What is left of an earlier time, or nothing.
    package init(_ environment: Environment) {
        path = UserFolder.state.path(of: "knot-recommend", environment.all).map { $0 + "/vault-draft.json" }
        answers = JSONObject()
        hints = []
        guard let path, FileStatus(path: path) != nil, let read = try? InputFile.readJSON(path),
            read["schema"]?.string == Self.schema
        else { return }
        answers = read["answers"]?.object ?? JSONObject()
        hints = read["hints"]?.array ?? []
    }

    package var isEmpty: Bool { answers.isEmpty && hints.isEmpty }
    package var count: Int { answers.members.count + hints.count }

    mutating func keep(_ answer: String, to question: String) throws(CommandError) {
        answers[question] = .string(answer)
        try save()
    }

    mutating func keep(hint: JSONValue) throws(CommandError) {
        hints.append(hint)
        try save()
    }

    /// Forgets an answer that does not fit any more.
    mutating func drop(_ question: String) { answers[question] = nil }

    /// Removes the file and all answers: the vault is stored, or nobody wants them.
    package mutating func discard() {
        answers = JSONObject()
        hints = []
        if let path { _ = unsafe unlink(path) }
    }

    private func save() throws(CommandError) {
        guard let path else { return }
        let document: JSONValue = [
            "schema": .string(Self.schema), "answers": .object(answers), "hints": .array(hints),
        ]
        try PrivateFolder.make(for: path, of: "knot-recommend")
        try AtomicFile.write(Array((JSONWriter.text(document) + "\n").utf8), to: path)
    }
}
