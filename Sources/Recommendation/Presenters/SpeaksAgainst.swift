import TextEncoding

/// Turns of phrase with which a note speaks against its thing: no card says that it goes with such a note.
///
/// What a note rules out in plain words is the reader's to find; these are disgust, embarrassment and what was given back,
/// in which there is no "no". A note that is only doubtful loses a quote, which is less than one that turns on its card.
enum SpeaksAgainst {
    /// Whether the note has such a turn.
    static func isIn(_ note: String) -> Bool {
        let text = TokenizedText(note, limit: 400)
        return text.words.contains { words[$0.word] != nil } || turns.contains(where: text.contains)
    }

    private static let words = FingerprintTable(
        of: """
            stinks stink stank stunk reeks reeked yuck ew eww bleugh disgusting revolting repulsive vile mortified mortifying
            cringe cringed cringes squirmed squirms sulked sulks seasick carsick airsick jetlagged repelled appalled ghastly
            """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    private static let turns: [Phrase] = """
        cannae be doing; cannae be daein; cannae abide; cannae stick; cannae thole; can't be doing; cannot be doing
        can't abide; cannot abide; can't bear; cannot bear; no touch; willnae touch; wouldnae touch; wouldn't touch
        never again; not again; that's that; that was that; made a show of; made a fool of; making a show of
        made to look; laughing stock; walked out; stormed out; gave it back; gave them back; took it back; took them back
        sent it back; sent them back; handed it back; back at the shop; back to the shop; back at the store
        back to the store; no thanks; no thank you; not my thing; not her thing; not his thing; not their thing
        put her off; put him off; put them off; gives her the creeps; gives him the creeps; gives them the creeps
        bored to tears; bored stiff; waste of money; waste of time; what a waste; jet lag; motion sickness
        turned his stomach; turned her stomach; turned their stomach; made her gag; made him gag
        """.split { $0.isNewline || $0 == ";" }.map { Phrase(String($0), isExact: true) }
}
