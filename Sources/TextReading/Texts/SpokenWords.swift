package import TextEncoding

/// What an offer says, what counts or all of it, and what it says that it is without.
///
/// One reference: it is held against every phrase of every vault.
package final class SpokenWords: Sendable {
    package let fields: CleanedText.Fields
    /// The stems that say what a thing is: of title and tags.
    package let headSet: StemSet
    package let allSet: StemSet
    package let absence: StatedAbsence
    /// The stems of what title and tags say is absent.
    package let lackedByName: StemSet
    /// The stems that some body or other does not bear, whatever is said of them.
    let harmWords: StemSet

    package convenience init(_ fields: CleanedText.Fields) {
        let head = StemSet(contentOf: fields.title, fields.tags)
        self.init(fields, head: head, all: head.union(StemSet(contentOf: fields.body)))
    }

    /// The same of fields whose stems are known.
    package init(_ fields: CleanedText.Fields, head: StemSet, all: StemSet) {
        self.fields = fields
        headSet = head
        allSet = all
        harmWords = all.shared(with: HarmSet.everyWord)
        absence = StatedAbsence(in: fields.title, fields.tags, fields.body)
        lackedByName =
            absence.lacked.isEmpty ? absence.lacked : StatedAbsence(in: fields.title, fields.tags).lacked
    }
}

/// What a remedy is without, or is called, and an offer must be as well: a nut-free bakery box is no bakery box.
package struct RemedyCondition: Sendable, Hashable {
    /// What it is without.
    package let lacked: StemSet
    /// What it is called: "vegan", "unscented".
    package let names: StemSet

    /// Nil for a phrase that any offer may serve.
    package init?(_ phrase: TokenizedText) {
        lacked = StatedAbsence(in: phrase).lacked
        names = StemSet(contentOf: phrase).shared(with: Self.fitWords)
        if lacked.isEmpty, names.isEmpty { return nil }
    }

    /// Whether an offer says the same of itself, anywhere or by its name alone.
    package func isMet(by words: SpokenWords, byNameAlone: Bool = false) -> Bool {
        let (without, called) = byNameAlone ? (words.lackedByName, words.headSet) : (words.absence.lacked, words.allSet)
        return lacked.without(without).isEmpty && names.without(called).isEmpty
    }

    static let fitWords = StemSet(
        fingerprints: Stemmer.fingerprints(ofStemsOf: TableText.cues.words("fit words"))
    )
}
