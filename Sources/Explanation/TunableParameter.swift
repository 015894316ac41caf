import JSONDocument
import StageGraph

/// One parameter that a search may turn.
struct TunableParameter: Sendable {
    enum Scale: Sendable, Equatable {
        case number(ClosedRange<Double>)
        case whole(ClosedRange<Int>)
        case onOff
    }

    let node: NodeID
    let name: String
    let scale: Scale
    /// As the run had it.
    let value: JSONValue

    /// Nil for a choice among words, which has no size, and for time limits, whose effect is the machine's and not the
    /// pipeline's.
    init?(_ declaration: ParameterDeclaration, of node: PlanNode) {
        guard !declaration.name.hasSuffix("_s") else { return nil }
        switch declaration.domain {
        case .double(let range): scale = .number(range)
        case .integer(let range): scale = .whole(range)
        case .bool: scale = .onOff
        case .choice: return nil
        }
        self.node = node.id
        name = declaration.name
        value = node.parameters.settings[declaration.name]?.value ?? declaration.defaultValue
    }

    /// The knobs that can matter for one item: those of the nodes that decided against it and of all that feed them.
    static func all(in plan: Plan, upTo deciders: Set<NodeID>) -> [TunableParameter] {
        var reached: Set<Int> = []
        var open = plan.nodes.filter { deciders.contains($0.id) }.map(\.index)
        while let index = open.popLast() {
            guard reached.insert(index).inserted else { continue }
            open += plan.nodes[index].feeds.flatMap(\.nodes) + (plan.nodes[index].substitute.map { [$0] } ?? [])
        }
        return plan.nodes.filter { reached.contains($0.index) }.flatMap { node in
            node.declarations.compactMap { TunableParameter($0, of: node) }
        }
    }

    /// Where the knob stands as a number; a switch is 0 or 1.
    var position: Double {
        value.bool.map { $0 ? 1 : 0 } ?? value.double ?? 0
    }

    /// The ends of the knob, as far as they are not where it stands.
    var ends: [Double] {
        switch scale {
        case .number(let range): [range.lowerBound, range.upperBound].filter { $0 != position }
        case .whole(let range): [Double(range.lowerBound), Double(range.upperBound)].filter { $0 != position }
        case .onOff: [1 - position]
        }
    }

    /// The nearest position that can be written: whole numbers where only they fit, else six digits.
    func snapped(_ position: Double) -> Double {
        switch scale {
        case .number(let range): min(range.upperBound, max(range.lowerBound, DecimalText.rounded(position, digits: 6)))
        case .whole, .onOff: position.rounded()
        }
    }

    func isSame(as other: TunableParameter) -> Bool { node == other.node && name == other.name }

    /// Where a change of this size towards one of the ends leads, before it is snapped and kept inside the range.
    func position(at size: Double, towards end: Double) -> Double {
        let unit: Double =
            switch scale {
            case _ where position != 0: abs(position)
            case .number(let range): range.upperBound - range.lowerBound
            case .whole(let range): Double(range.upperBound - range.lowerBound)
            case .onOff: 1
            }
        return position + (end > position ? unit : -unit) * size
    }

    /// Whether a count is cut to less than a tenth: nobody would let a provider give one offer to see another chosen.
    func isStarved(at position: Double) -> Bool {
        guard case .whole = scale else { return false }
        return self.position >= 10 && position < self.position / 10
    }

    func setting(at position: Double) -> CommandLineSetting {
        let value: JSONValue =
            switch scale {
            case .number: .number(position)
            case .whole: .integer(Int(position))
            case .onOff: .bool(position != 0)
            }
        return CommandLineSetting(node: node, parameter: name, value: value)
    }

    /// How much of itself a value changes by; from 0, how much of all it could be; a switch changes wholly.
    func relativeChange(to position: Double) -> Double {
        let distance = abs(position - self.position)
        if scale == .onOff { return distance }
        if self.position != 0 { return distance / abs(self.position) }
        switch scale {
        case .number(let range): return distance / max(range.upperBound - range.lowerBound, .leastNonzeroMagnitude)
        case .whole(let range): return distance / max(Double(range.upperBound - range.lowerBound), 1)
        case .onOff: return 1
        }
    }
}
