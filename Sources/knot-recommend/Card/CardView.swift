import JSONDocument
import KnotDomain

/// A Choice of Three as three cards for a person, from the `knot.choice/1` object.
///
/// It reads the object leniently: a missing member leaves its line out, since a view must never keep a result from being seen.
struct CardView: Sendable {
    let terminal: Terminal
    /// Adds evidence, ids and counts.
    let isVerbose: Bool

    private var width: Int { terminal.width }

    /// Lines of at most the terminal's width.
    func lines(_ result: JSONValue) -> [String] {
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
    static func words(_ name: String) -> String {
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
        (result["budget"]?["currency"]?.string ?? result["budget_currency"]?.string).flatMap { Currency($0) }
    }
}
