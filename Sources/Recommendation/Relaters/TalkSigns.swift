import TextEncoding

/// The kinds of words a sentence has that could make it talk to whoever ranks, in whatever order they stand.
///
/// A quick look for texts whose words are at hand as numbers: it suspects whatever ``MachineTalk`` cuts, and more.
struct TalkSigns: OptionSet {
    let rawValue: UInt16

    static let readers = TalkSigns(rawValue: 1)
    static let machines = TalkSigns(rawValue: 1 << 1)
    static let orders = TalkSigns(rawValue: 1 << 2)
    static let requests = TalkSigns(rawValue: 1 << 3)
    static let choices = TalkSigns(rawValue: 1 << 4)
    static let musts = TalkSigns(rawValue: 1 << 5)
    static let those = TalkSigns(rawValue: 1 << 6)
    static let ranks = TalkSigns(rawValue: 1 << 7)
    static let fields = TalkSigns(rawValue: 1 << 8)
    static let headings = TalkSigns(rawValue: 1 << 9)

    /// What a word, by its fingerprint, may be.
    static func of(_ word: UInt64) -> TalkSigns {
        guard let number = numbers[word] else { return [] }
        return signs[number]
    }

    /// Whether a sentence with such words may be talk; a colon may make a heading of what stands before it.
    func mayBeTalk(withColon: Bool) -> Bool {
        if isEmpty { return false }
        if withColon, has(.readers) || has(.headings) { return true }
        if has(.readers), has(.orders) || has(.requests) { return true }
        if has(.machines), has(.orders) || has(.musts) { return true }
        if has(.orders), has(.those) || has(.ranks) { return true }
        guard has(.requests) || has(.choices) else { return false }
        return has(.fields) || isSuperset(of: [.those, .ranks])
    }

    private func has(_ sign: TalkSigns) -> Bool { contains(sign) }

    private static let words = MachineTalk.words.sorted { $0.key < $1.key }
    private static let numbers = FingerprintTable(of: words.map(\.key))
    private static let signs = words.map(\.value)
}
