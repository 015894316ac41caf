import JSONDocument
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
        if let text = location?.string { return TerminalText.safe(text, limit: 200) }
        guard let location else { return "" }
        let names = ["venue", "name", "address", "city", "state", "region", "country"]
        let parts = names.map { text(location, $0, limit: 200) }
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
