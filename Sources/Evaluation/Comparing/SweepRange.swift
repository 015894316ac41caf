import JSONDocument
package import StageGraph

/// One `--sweep node.parameter=a..b[:steps]`.
package struct SweepRange: Sendable, Equatable {
    package let node: NodeID
    package let parameter: String
    package let first: Double
    package let last: Double
    /// Nil: as many as suit the parameter.
    package let steps: Int?

    /// How many points a sweep may have: each one runs every vault.
    package static let stepRange = 2...101

    /// `combine.hints`.
    package var name: String { "\(node.text).\(parameter)" }

    /// Nil when the text is not of that form, or the range is empty.
    package init?(_ text: String) {
        guard let setting = CommandLineSetting(text), let equals = text.firstIndex(of: "=") else { return nil }
        var range = text[text.index(after: equals)...]
        var steps: Int?
        if let colon = range.lastIndex(of: ":") {
            guard let count = Int(range[range.index(after: colon)...]), Self.stepRange.contains(count) else {
                return nil
            }
            steps = count
            range = range[..<colon]
        }
        guard let dots = range.firstRange(of: ".."), let first = Double(range[..<dots.lowerBound]),
            let last = Double(range[dots.upperBound...]), first.isFinite, last.isFinite, first < last
        else { return nil }
        node = setting.node
        parameter = setting.parameter
        self.first = first
        self.last = last
        self.steps = steps
    }

    /// What of a parameter the range goes beyond, in words; nil where it does not.
    package func excess(of domain: ParameterDeclaration.Domain) -> String? {
        switch domain {
        case .double(let range):
            if range.contains(first), range.contains(last) { return nil }
            let (low, high) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
            return "it is from \(JSONWriter.text(low)) to \(JSONWriter.text(high))"
        case .integer(let range):
            let known = Double(range.lowerBound)...Double(range.upperBound)
            return known.contains(first) && known.contains(last)
                ? nil : "it is a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .bool, .choice: return nil
        }
    }

    /// The points for a parameter that the range does not go beyond: whole numbers where only they fit; nil for one that
    /// has no size.
    package func values(for domain: ParameterDeclaration.Domain) -> [CommandLineSetting]? {
        switch domain {
        case .double:
            let count = steps ?? 9
            return (0..<count).map { step in
                // Seven digits: a step of a tenth is a tenth.
                let value = first + (last - first) * Double(step) / Double(count - 1)
                return setting(.number((value * 1e7).rounded() / 1e7))
            }
        case .integer:
            guard let low = Int(exactly: first.rounded(.up)), let high = Int(exactly: last.rounded(.down)), low <= high
            else { return nil }
            let most = steps ?? 9
            let count = high - low < most ? high - low + 1 : most
            guard count > 1 else { return [setting(.integer(low))] }
            let (whole, rest) = (high - low).quotientAndRemainder(dividingBy: count - 1)
            return (0..<count).map { setting(.integer(low + whole * $0 + rest * $0 / (count - 1))) }
        case .bool, .choice: return nil
        }
    }

    private func setting(_ value: JSONValue) -> CommandLineSetting {
        CommandLineSetting(node: node, parameter: parameter, value: value)
    }
}
