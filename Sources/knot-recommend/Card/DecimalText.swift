/// Numbers with two digits behind the point.
enum DecimalText {
    static func hundredths(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e12 else { return "-" }
        let hundredths = Int((number * 100).rounded())
        let digits = String(hundredths.magnitude)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return "\(hundredths < 0 ? "-" : "")\(padded.dropLast(2)).\(padded.suffix(2))"
    }
}
