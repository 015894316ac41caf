/// Figures as text: two digits behind the point, signs where they say something, p as small as it needs.
package enum FigureText {
    /// What stands for a value that is not defined.
    package static let undefined = "\u{2013}"

    package static func fixed(_ value: Double?, digits: Int = 2) -> String {
        guard let value, value.isFinite else { return undefined }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        guard value.magnitude * scale < 1e15 else { return "\(value)" }
        let whole = Int((value * scale).rounded())
        let text = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let sign = whole < 0 ? "-" : ""
        return digits == 0 ? sign + padded : "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }

    package static func signed(_ value: Double?, digits: Int = 2) -> String {
        let text = fixed(value, digits: digits)
        return text == undefined || text.hasPrefix("-") ? text : "+" + text
    }

    package static func interval(_ range: ClosedRange<Double>?, isSigned: Bool = false) -> String {
        guard let range else { return "" }
        let text = { (value: Double) in isSigned ? signed(value) : fixed(value) }
        return "\(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    package static func p(_ value: Double?) -> String {
        guard let value else { return undefined }
        if value < 0.0001 { return "<0.0001" }
        return fixed(value, digits: value < 0.01 ? 4 : value < 0.1 ? 3 : 2)
    }

    package static func percent(_ share: Double?) -> String {
        share.map { "\(fixed($0 * 100, digits: 0)) %" } ?? undefined
    }

    package static func plural(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
