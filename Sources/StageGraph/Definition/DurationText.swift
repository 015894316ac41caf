/// Durations as definitions write them: `250ms`, `2s`, `1m`, `1.5s`.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000)]

    /// What a reader is told when a text is no duration.
    package static let expectation = "expected a positive duration such as \"250ms\", \"2s\" or \"1m\""

    /// Nil for anything that is not a positive number followed by a unit, or longer than a day.
    package static func parse(_ text: String) -> Duration? {
        for (suffix, milliseconds) in units where text.hasSuffix(suffix) {
            let digits = text.dropLast(suffix.count)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let number = Double(digits)
            else { continue }
            let total = (number * milliseconds * 1_000).rounded()
            return total > 0 && total <= 86_400_000_000 ? .microseconds(Int64(total)) : nil
        }
        return nil
    }

    /// The shortest text that gives the same duration, in whole units where possible.
    package static func text(_ duration: Duration) -> String {
        let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        if microseconds % 60_000_000 == 0 { return "\(microseconds / 60_000_000)m" }
        if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000)s" }
        if microseconds % 1_000 == 0 { return "\(microseconds / 1_000)ms" }
        return "\(Double(microseconds) / 1_000)ms"
    }
}
