import TextEncoding

/// The words by which listings name the occasions they are made for.
struct OccasionWords: Sendable {
    let phrases: [Phrase]

    private init(_ names: String...) {
        phrases = names.map { Phrase($0) }
    }

    static let all = [
        OccasionWords("birthday"),
        OccasionWords("anniversary"),
        OccasionWords("valentine", "valentines day"),
        OccasionWords("mothers day", "mother's day"),
        OccasionWords("fathers day", "father's day"),
        OccasionWords("christmas", "xmas", "noel"),
        OccasionWords("easter"),
        OccasionWords("halloween"),
        OccasionWords("thanksgiving"),
        OccasionWords("new year", "new year's eve"),
        OccasionWords("graduation", "graduate", "commencement"),
        OccasionWords("retirement"),
        OccasionWords("wedding"),
        OccasionWords("housewarming", "new home"),
        OccasionWords("baby shower", "newborn"),
        OccasionWords("hanukkah", "chanukah"),
        OccasionWords("diwali", "deepavali"),
        OccasionWords("lunar new year", "chinese new year"),
        OccasionWords("eid"),
    ]
}
