/// English function words that say nothing about what a text is about.
package enum StopWords {
    /// Whether a folded word carries grammar rather than meaning.
    package static func contains(_ word: String) -> Bool { table[Fingerprint.of(word)] != nil }

    static let table = FingerprintTable(of: numbered)

    /// Each word once, in the order of the table's numbers.
    static let numbered: [String] = {
        var seen: Set<Substring> = []
        return words.split(separator: " ").filter { seen.insert($0).inserted }.map(String.init)
    }()

    private static let words =
        """
        a an the this that these those and or but nor so yet if then than because while although though as of at by for \
        from in into on onto off out over under up down to toward towards with without within about above across after \
        against along among around before behind below beneath beside besides between beyond during except inside near \
        per since through throughout till until upon via i me my mine myself we us our ours ourselves you your yours \
        yourself he him his himself she her hers herself it its itself they them their theirs themselves who whom whose \
        which what when where why how am is are was were be been being do does did doing done have has had having can \
        could may might must shall should will would ought not no yes all any both each either every few less least many \
        more most much neither none one only other others own same several some such too very just also even ever never \
        again further here there now once always often still already again else etc get gets got let lets im ive dont
        """
}
