import TextReading

/// Notes that were read lately, each on its own: a vault that is chosen for again has the same notes.
///
/// The key of a draft holds everything that it depends on: the words, the person and the age class of the note. So earlier
/// reading changes the time that a run takes, and nothing else.
enum DraftMemory {
    private static let drafts = TextMemory<HintDraft>(capacity: 1_024)
    private static let ruling = TextMemory<Bool>(capacity: 1_024)

    /// Returns the draft of a note, for the hint that it was first made of.
    static func draft(of note: String, make: () -> HintDraft) -> HintDraft { drafts.value(of: note, make: make) }

    /// Returns whether a note rules anything out.
    static func rulesOut(_ note: String, work: () -> Bool) -> Bool { ruling.value(of: note, make: work) }
}
