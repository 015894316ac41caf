import StageGraph

extension CandidateLife {
    /// The candidate's life, in lines of at most 80 columns.
    package func lines() -> [String] {
        var column = TextColumn()
        column.add("The life of \(candidate)" + (title.map { ": \(TextColumn.cut($0, to: 200))" } ?? ""))
        for step in steps {
            switch step.event {
            case .scored(let summand, let evidence):
                RunExplanation.add(summand, to: &column, indent: 2)
                for line in evidence where line.evidence.weight > 0 {
                    column.add("rests on \(line.words) (\(DecimalText.fixed(line.evidence.weight, 2)))", indent: 6)
                }
            case .unscored(let summand): RunExplanation.add(summand, to: &column, indent: 2)
            default: column.add(cells: [(step.node.text, 16)], step.event.words, indent: 2)
            }
        }
        column.add("In the end: \(state.words)\(node.map { ", by \($0)" } ?? "").")
        return column.lines
    }
}

extension ItemState {
    var words: String {
        rawValue.split(separator: "_").joined(separator: " ")
    }
}

extension LifeStep.Event {
    /// What happened, as half a sentence.
    var words: String {
        switch self {
        case .retrieved: "retrieved"
        case .duplicated: "another came with the same id; the first stands"
        case .absorbed(let item, let why): "took in \(item) (\(why))"
        case .mergedInto(let item, let why): "merged into \(item) (\(why))"
        case .cut(let reason, let evidence): "cut: \(reason)\(Self.tail(evidence))"
        case .kept: "kept"
        case .flagged(let flags): "kept, flagged \(flags.joined(separator: ", "))"
        case .dropped(let reason, let evidence): "dropped: \(reason)\(Self.tail(evidence))"
        case .scored(let summand, _), .unscored(let summand): "adds \(DecimalText.fixed(summand.part, 4))"
        case .nonFinite: "gave no finite number"
        case .totalled(let score, let rank, let count): "score \(DecimalText.fixed(score, 4)), rank \(rank) of \(count)"
        case .selected(let position): "selected, place \(position)"
        case .reserved(let position): "place \(position) of the reserve"
        case .notSelected: "not selected"
        case .chosen(let position, let verdict, let from):
            "chosen, place \(position), \(verdict)" + (from.map { ", from place \($0) of the reserve" } ?? "")
        case .lost(let reason, let evidence): "lost: \(reason)\(Self.tail(evidence))"
        case .unused: "not needed"
        case .noted(let words): words
        }
    }

    private static func tail(_ evidence: String) -> String { evidence.isEmpty ? "" : " (\(evidence))" }
}
