/// Two neighbouring bytes as one of 2,048 numbers; no two pairs of small letters share one.
enum BytePair {
    static let count = 2_048

    static func number(_ first: UInt8, _ second: UInt8) -> Int { (Int(first) * 37 + Int(second)) & (count - 1) }
}
