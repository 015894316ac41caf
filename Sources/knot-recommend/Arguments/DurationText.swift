/// Spans of time as people type them: a number and its unit.
enum DurationText {
    private static let units: [(suffix: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000),
    ]
    /// A day: no run lasts longer, and nothing overflows.
    private static let longest = 86_400_000.0

    /// Nil for a number without a unit, since seconds and milliseconds are a thousandfold apart; also for none or over a day.
    static func parse(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = text.dropLast(unit.suffix.utf8.count)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(digits)
        else { return nil }
        let milliseconds = number * unit.milliseconds
        guard milliseconds >= 1, milliseconds <= longest else { return nil }
        return .microseconds(Int64((milliseconds * 1_000).rounded()))
    }
}
