package import Console
package import JSONDocument
import KnotDomain

/// One of the three as lines: what, from whom, for how much, when and where, why.
struct ChoiceCard: Sendable {
    let terminal: Terminal
    let isVerbose: Bool
    let budgetCurrency: Currency?
    /// The longest bar of all cards, so that they can be held against each other.
    let scale: Double

    /// The greatest contribution to any of some choices.
    static func scale(of choices: [JSONValue]) -> Double {
        choices.flatMap { $0["contributions"]?.object?.members ?? [] }.compactMap(\.value.double)
            .filter(\.isFinite).max() ?? 1
    }

    private static let indent = "    "
    private var width: Int { terminal.width - Self.indent.count }

    func lines(_ choice: JSONValue) -> [String] {
        let price = PriceText(choice, budgetCurrency: budgetCurrency)
        var lines = title(choice, price.short)
        lines += indented(kind(choice)).map(terminal.dim)
        lines += indented(placeAndTime(choice))
        lines += indented(price.details)
        lines += indented(text(choice, "reason", limit: 1_200), lines: 6)
        if let bars = contributions(choice) { lines.append(Self.indent + bars) }
        if isVerbose { lines += details(choice) }
        lines += availability(choice)
        lines += indented(text(choice, "url", limit: 600), lines: 3).map(terminal.dim)
        return lines
    }

    /// The title on the left, the price at the right edge of its first line.
    private func title(_ choice: JSONValue, _ price: String) -> [String] {
        let position = choice["position"]?.int.map(String.init) ?? "?"
        let title = text(choice, "title", limit: 600)
        let room = width - DisplayWidth.of(price) - 2
        let parts = TextLayout.wrapped(title.isEmpty ? "(no title)" : title, to: room, lines: 3)
        return parts.enumerated().map { index, part in
            guard index == 0 else { return Self.indent + terminal.bold(part) }
            let gap = String(repeating: " ", count: max(2, width - DisplayWidth.of(part) - DisplayWidth.of(price)))
            return (position.utf8.count > 1 ? "" : " ") + "\(position.prefix(2)). " + terminal.bold(part) + gap + price
        }
    }

    private func kind(_ choice: JSONValue) -> String {
        let type = CardView.words(choice["type"]?.string ?? "recommendation")
        let provider = text(choice, "provider", limit: 80)
        let merchant = text(choice, "merchant", limit: 200)
        let seller = [merchant, provider].filter { !$0.isEmpty }
        switch seller.count {
        case 0: return type
        case 1: return "\(type) from \(seller[0])"
        default: return "\(type) from \(seller[0]), by way of \(seller[1])"
        }
    }

    private func placeAndTime(_ choice: JSONValue) -> String {
        var parts: [String] = []
        if let local = choice["starts_at_local"]?.string {
            let zone = choice["starts_at_zone"]?.string.map { TerminalText.safe($0, limit: 60) }
            parts.append(DateText.local(TerminalText.safe(local, limit: 40), zone: zone))
        } else if let start = choice["starts_at"]?.string {
            // A set of a version that did not say the local time.
            parts.append(DateText.moment(TerminalText.safe(start, limit: 40)))
        }
        let place = place(choice["location"])
        if !place.isEmpty { parts.append(place) }
        return parts.joined(separator: ", ")
    }

    private func place(_ location: JSONValue?) -> String {
        guard let location else { return "" }
        let parts = ["city", "state", "country"].map { text(location, $0, limit: 200) }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The strongest contributions as small bars, as many as fit on the line.
    private func contributions(_ choice: JSONValue) -> String? {
        var parts: [(name: String, value: Double)] = []
        for member in choice["contributions"]?.object?.members ?? [] {
            guard let value = member.value.double, value.isFinite, value > 0 else { continue }
            parts.append((member.name, value))
        }
        parts.sort { $0.value == $1.value ? $0.name < $1.name : $0.value > $1.value }
        guard !parts.isEmpty else { return nil }
        var line = ""
        for part in parts.prefix(isVerbose ? 8 : 4) {
            let bar = terminal.bar(part.value / scale, width: 6)
            let cell = "\(CardView.words(part.name)) \(DecimalText.hundredths(part.value)) \(bar)"
            let next = line.isEmpty ? cell : "\(line)  \(cell)"
            guard DisplayWidth.of(next) <= width else { break }
            line = next
        }
        return line.isEmpty ? nil : line
    }

    private func details(_ choice: JSONValue) -> [String] {
        var facts: [String] = []
        if let id = choice["candidate_id"]?.string { facts.append("candidate \(id)") }
        if let score = choice["score"]?.double { facts.append("score \(DecimalText.hundredths(score))") }
        facts += (choice["evidence"]?.array ?? []).map { item in
            let weight = item["weight"]?.double.map { " \(DecimalText.hundredths($0))" } ?? ""
            return "\(item["kind"]?.string ?? "evidence") \(item["ref"]?.string ?? "")\(weight)"
        }
        return indented(TerminalText.safe(facts.joined(separator: ", ")), lines: 6)
    }

    private func availability(_ choice: JSONValue) -> [String] {
        let word = CardView.words(choice["availability"]?.string ?? "")
        switch word {
        case "": return []
        case "available": return [Self.indent + terminal.green(word)]
        case "unknown": return [Self.indent + terminal.yellow("availability unknown")]
        default: return indented(word).map(terminal.yellow)
        }
    }

    private func text(_ value: JSONValue, _ name: String, limit: Int) -> String {
        value[name]?.string.map { TerminalText.safe($0, limit: limit) } ?? ""
    }

    private func indented(_ text: String, lines limit: Int = 2) -> [String] {
        TextLayout.wrapped(text, to: width, lines: limit).map { Self.indent + $0 }
    }
}

/// A Choice of Three as three cards for a person, from the `knot.choice/1` object.
///
/// It reads the object leniently: a missing member leaves its line out, since a view must never keep a result from being seen.
package struct CardView: Sendable {
    private let terminal: Terminal
    /// Adds evidence, ids and counts.
    private let isVerbose: Bool

    package init(terminal: Terminal, isVerbose: Bool) {
        self.terminal = terminal
        self.isVerbose = isVerbose
    }

    private var width: Int { terminal.width }

    /// Lines of at most the terminal's width.
    package func lines(_ result: JSONValue) -> [String] {
        let choices = result["choices"]?.array ?? []
        let further = result["further"]?.array ?? []
        var lines = header(result, count: choices.count)
        let card = ChoiceCard(
            terminal: terminal,
            isVerbose: isVerbose,
            budgetCurrency: Self.budgetCurrency(result),
            scale: ChoiceCard.scale(of: choices + further)
        )
        for choice in choices {
            lines.append(terminal.dim(terminal.rule(width)))
            lines += card.lines(choice)
        }
        lines.append(terminal.dim(terminal.rule(width)))
        if !further.isEmpty {
            lines.append(terminal.bold("What else there is") + ", checked like the three and no part of the set")
            for choice in further {
                lines.append(terminal.dim(terminal.rule(width)))
                lines += card.lines(choice)
            }
            lines.append(terminal.dim(terminal.rule(width)))
        }
        return lines + footer(result)
    }

    private func header(_ result: JSONValue, count: Int) -> [String] {
        var title = "Choice of Three"
        if let occasion = result["occasion"]?.string { title += " for \(Self.occasion(occasion))" }
        if let day = result["occurrence"]?.string { title += ", \(DateText.day(day))" }
        var lines = TextLayout.wrapped(title, to: width).map(terminal.bold)
        let outcome = result["outcome"]?.string ?? "unknown"
        let sentence =
            switch outcome {
            case "complete": "complete"
            case "degraded": "degraded: three choices, made with less than everything"
            case "short": "short: \(count) of 3, " + Self.shortage(result)
            default: TerminalText.safe(outcome, limit: 60)
            }
        lines += TextLayout.wrapped(sentence, to: width).map {
            outcome == "complete" ? terminal.green($0) : terminal.yellow($0)
        }
        for reason in result["reasons"]?.array ?? [] { lines += note(reason) }
        if Self.hasNoCandidates(result) { lines += Self.advice.flatMap { TextLayout.wrapped($0, to: width) } }
        return lines
    }

    /// Why there are no more: there was nothing, what was looked at could not be had, or nothing else passed the filters.
    private static func shortage(_ result: JSONValue) -> String {
        let codes = (result["reasons"]?.array ?? []).compactMap { $0["code"]?.string }
        if hasNoCandidates(result) { return "there are no candidates to choose from" }
        return codes.contains("few_available") ? "the others could not be had" : "nothing else in the pool may be shown"
    }

    /// How to get some: live providers are to come.
    private static let advice = [
        "candidates come from a catalogue: name a file of them with --catalogue FILE, one JSON object a line as in "
            + "fixtures/catalogue.jsonl, or import a fixture that has some"
    ]

    private static func hasNoCandidates(_ result: JSONValue) -> Bool {
        (result["reasons"]?.array ?? []).contains { $0["code"]?.string == "no_candidates" }
    }

    private func note(_ reason: JSONValue) -> [String] {
        let code = TerminalText.safe(reason["code"]?.string ?? "note", limit: 60)
        let node = reason["node"]?.string.map { " in \(TerminalText.safe($0, limit: 60))" } ?? ""
        let detail = reason["detail"]?.string.map { ": \(TerminalText.safe($0, limit: 600))" } ?? ""
        return TextLayout.wrapped("\(code)\(node)\(detail)", to: width - 4, lines: 3).enumerated().map { index, line in
            (index == 0 ? "  - " : "    ") + line
        }
    }

    private func footer(_ result: JSONValue) -> [String] {
        var facts: [String] = []
        if let pipeline = result["pipeline"]?["name"]?.string {
            let hash = result["pipeline"]?["hash"]?.string.map { " (\($0.prefix(12)))" } ?? ""
            facts.append("pipeline \(pipeline)\(hash)")
        }
        if let moment = result["as_of"]?.string { facts.append("as of \(moment)") }
        switch result["stored"]?.bool {
        case true?: facts.append("stored" + (result["run_id"]?.string.map { " as run \($0)" } ?? ""))
        case false?: facts.append("not stored")
        case nil: break
        }
        if isVerbose {
            if result["stored"]?.bool != true, let run = result["run_id"]?.string { facts.append("run \(run)") }
            facts += (result["counts"]?.object?.members ?? []).map { "\($0.name) \(Self.plain($0.value))" }
        }
        if let timings = result["timings_ms"]?.object, let total = timings["total"] {
            facts.append("\(Self.plain(total)) ms")
        }
        let text = TerminalText.safe(facts.joined(separator: ", "))
        return TextLayout.wrapped(text, to: width, lines: 6).map(terminal.dim)
    }

    /// `major_milestone` as a person says it.
    package static func words(_ name: String) -> String {
        TerminalText.safe(name.replacing("_", with: " "), limit: 80)
    }

    /// An occasion as it follows "for": only some of them are one of many.
    private static func occasion(_ name: String) -> String {
        name == OccasionTier.justBecause.rawValue ? "no occasion, just because" : "a \(words(name))"
    }

    private static func plain(_ value: JSONValue) -> String {
        value.string ?? JSONWriter.text(value)
    }

    /// The result names the budget's currency only where it is not the listed one.
    private static func budgetCurrency(_ result: JSONValue) -> Currency? {
        result["budget"]?["currency"]?.string.flatMap { Currency($0) }
    }
}
