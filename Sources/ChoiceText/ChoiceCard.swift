package import Console
import KnotDomain

/// One of the three as lines: what, from whom, for how much, when and where, why.
struct ChoiceCard: Sendable {
    let terminal: Terminal
    let isVerbose: Bool
    let budgetCurrency: Currency?
    /// The longest bar of all cards, so that they can be held against each other.
    let scale: Double

    /// The greatest contribution to any of some choices.
    static func scale(of choices: [ShownChoice]) -> Double {
        choices.flatMap(\.contributions).map(\.value).max() ?? 1
    }

    private static let indent = "    "
    private var width: Int { terminal.width - Self.indent.count }

    func lines(_ choice: ShownChoice) -> [String] {
        let price = PriceText(choice, budgetCurrency: budgetCurrency)
        var lines = title(choice, price.short)
        lines += indented(kind(choice)).map(terminal.dim)
        lines += indented(placeAndTime(choice))
        lines += indented(price.details)
        lines += indented(text(choice.reason, limit: 1_200), lines: 6)
        if let bars = contributions(choice) { lines.append(Self.indent + bars) }
        if isVerbose { lines += details(choice) }
        lines += availability(choice)
        lines += indented(text(choice.url, limit: 600), lines: 3).map(terminal.dim)
        return lines
    }

    /// The title on the left, the price at the right edge of its first line.
    private func title(_ choice: ShownChoice, _ price: String) -> [String] {
        let position = choice.position.map(String.init) ?? "?"
        let title = text(choice.title, limit: 600)
        let room = width - DisplayWidth.of(price) - 2
        let parts = TextLayout.wrapped(title.isEmpty ? "(no title)" : title, to: room, lines: 3)
        return parts.enumerated().map { index, part in
            guard index == 0 else { return Self.indent + terminal.bold(part) }
            let gap = String(repeating: " ", count: max(2, width - DisplayWidth.of(part) - DisplayWidth.of(price)))
            return (position.utf8.count > 1 ? "" : " ") + "\(position.prefix(2)). " + terminal.bold(part) + gap + price
        }
    }

    private func kind(_ choice: ShownChoice) -> String {
        let type = CardView.words(choice.type ?? "recommendation")
        let provider = text(choice.provider, limit: 80)
        let merchant = text(choice.merchant, limit: 200)
        let seller = [merchant, provider].filter { !$0.isEmpty }
        switch seller.count {
        case 0: return type
        case 1: return "\(type) from \(seller[0])"
        default: return "\(type) from \(seller[0]), by way of \(seller[1])"
        }
    }

    private func placeAndTime(_ choice: ShownChoice) -> String {
        var parts: [String] = []
        if let local = choice.startsAtLocal {
            let zone = choice.startsAtZone.map { TerminalText.safe($0, limit: 60) }
            parts.append(DateText.local(TerminalText.safe(local, limit: 40), zone: zone))
        } else if let start = choice.startsAt {
            // A set of a version that did not say the local time.
            parts.append(DateText.moment(TerminalText.safe(start, limit: 40)))
        }
        parts += choice.place.map { text($0, limit: 200) }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The strongest contributions as small bars, as many as fit on the line.
    private func contributions(_ choice: ShownChoice) -> String? {
        var parts = choice.contributions.filter { $0.value > 0 }
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

    private func details(_ choice: ShownChoice) -> [String] {
        var facts: [String] = []
        if let id = choice.candidateID { facts.append("candidate \(id)") }
        if let score = choice.score { facts.append("score \(DecimalText.hundredths(score))") }
        facts += choice.evidence.map { item in
            let weight = item.weight.map { " \(DecimalText.hundredths($0))" } ?? ""
            return "\(item.kind ?? "evidence") \(item.reference ?? "")\(weight)"
        }
        return indented(TerminalText.safe(facts.joined(separator: ", ")), lines: 6)
    }

    private func availability(_ choice: ShownChoice) -> [String] {
        let word = CardView.words(choice.availability ?? "")
        switch word {
        case "": return []
        case "available": return [Self.indent + terminal.green(word)]
        case "unknown": return [Self.indent + terminal.yellow("availability unknown")]
        default: return indented(word).map(terminal.yellow)
        }
    }

    private func text(_ text: String?, limit: Int) -> String {
        text.map { TerminalText.safe($0, limit: limit) } ?? ""
    }

    private func indented(_ text: String, lines limit: Int = 2) -> [String] {
        TextLayout.wrapped(text, to: width, lines: limit).map { Self.indent + $0 }
    }
}

/// A Choice of Three as three cards for a person; what the set does not tell leaves its line out.
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
    package func lines(_ set: ShownSet) -> [String] {
        var lines = header(set)
        let card = ChoiceCard(
            terminal: terminal,
            isVerbose: isVerbose,
            budgetCurrency: set.budgetCurrency,
            scale: ChoiceCard.scale(of: set.choices + set.further)
        )
        for choice in set.choices {
            lines.append(terminal.dim(terminal.rule(width)))
            lines += card.lines(choice)
        }
        lines.append(terminal.dim(terminal.rule(width)))
        if !set.further.isEmpty {
            lines.append(terminal.bold("What else there is") + ", checked like the three and no part of the set")
            for choice in set.further {
                lines.append(terminal.dim(terminal.rule(width)))
                lines += card.lines(choice)
            }
            lines.append(terminal.dim(terminal.rule(width)))
        }
        return lines + footer(set)
    }

    private func header(_ set: ShownSet) -> [String] {
        var title = "Choice of Three"
        if let occasion = set.occasion { title += " for \(Self.occasion(occasion))" }
        if let day = set.occurrence { title += ", \(DateText.day(day))" }
        var lines = TextLayout.wrapped(title, to: width).map(terminal.bold)
        let outcome = set.outcome ?? "unknown"
        let sentence =
            switch outcome {
            case "complete": "complete"
            case "degraded": "degraded: three choices, made with less than everything"
            case "short": "short: \(set.choices.count) of 3, " + Self.shortage(set)
            default: TerminalText.safe(outcome, limit: 60)
            }
        lines += TextLayout.wrapped(sentence, to: width).map {
            outcome == "complete" ? terminal.green($0) : terminal.yellow($0)
        }
        for reason in set.reasons { lines += note(reason) }
        if Self.hasNoCandidates(set) { lines += Self.advice.flatMap { TextLayout.wrapped($0, to: width) } }
        return lines
    }

    /// Why there are no more: there was nothing, what was looked at could not be had, or nothing else passed the filters.
    private static func shortage(_ set: ShownSet) -> String {
        if hasNoCandidates(set) { return "there are no candidates to choose from" }
        return set.reasons.contains { $0.code == "few_available" }
            ? "the others could not be had" : "nothing else in the pool may be shown"
    }

    /// How to get some.
    private static let advice = [
        "candidates come from a catalogue: name a file of them with --catalogue FILE, one JSON object a line as in "
            + "fixtures/catalogue.jsonl, or import a fixture that has some; with --live the services that providers list "
            + "shows as set up are asked"
    ]

    private static func hasNoCandidates(_ set: ShownSet) -> Bool { set.reasons.contains { $0.code == "no_candidates" } }

    private func note(_ reason: ShownSet.Reason) -> [String] {
        let code = TerminalText.safe(reason.code ?? "note", limit: 60)
        let node = reason.node.map { " in \(TerminalText.safe($0, limit: 60))" } ?? ""
        let detail = reason.detail.map { ": \(TerminalText.safe($0, limit: 600))" } ?? ""
        return TextLayout.wrapped("\(code)\(node)\(detail)", to: width - 4, lines: 3).enumerated().map { index, line in
            (index == 0 ? "  - " : "    ") + line
        }
    }

    private func footer(_ set: ShownSet) -> [String] {
        var facts: [String] = []
        if let pipeline = set.pipelineName {
            let hash = set.pipelineHash.map { " (\($0.prefix(12)))" } ?? ""
            facts.append("pipeline \(pipeline)\(hash)")
        }
        if let moment = set.asOf { facts.append("as of \(moment)") }
        switch set.isStored {
        case true?: facts.append("stored" + (set.runID.map { " as run \($0)" } ?? ""))
        case false?: facts.append("not stored")
        case nil: break
        }
        if isVerbose {
            if set.isStored != true, let run = set.runID { facts.append("run \(run)") }
            facts += set.counts.map { "\($0.name) \($0.count)" }
        }
        if let milliseconds = set.milliseconds { facts.append("\(milliseconds) ms") }
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
}
