package import TextEncoding

/// What is surely another thing than one that is ruled out.
extension AvoidPhrase {
    /// Whether an offer is of another colour or metal than what is ruled out, or goes with the thing of which only one more
    /// is unwanted: who does not want black tea may want green, and who has a guitar may be glad of strings.
    package func spares(_ offer: SpokenWords) -> Bool { isOfOtherSort(offer) || isAcquisition && isBeside(offer) }

    /// Whether an offer has every word of it, and its thing under no other's name: a green tea towel is no green tea.
    package func isWhole(in offer: SpokenWords) -> Bool {
        narrowing.allSatisfy(offer.allSet.contains) && !offer.absence.absent.contains(head)
    }

    /// Whether there is anything that it could spare.
    package var mayBeSpared: Bool {
        isAcquisition || Self.sorts.contains { sort in sort.contains(head) || narrows(sort) }
    }

    private func narrows(_ sort: StemSet) -> Bool { narrowing.contains(where: sort.contains) }

    /// The offer names a sort of its own and nowhere that of the thing.
    private func isOfOtherSort(_ offer: SpokenWords) -> Bool {
        Self.sorts.contains { sort in
            let own = ([head] + narrowing).filter(sort.contains)
            guard !own.isEmpty, !own.contains(where: offer.allSet.contains) else { return false }
            // A necklace of silver does not say that it is jewellery; wine in a black box is no black wine.
            if sort.contains(head) || sort == Self.metals, !offer.headSet.contains(head) {
                return offer.fields.title.name.contains { sort.contains($0.stem) }
            }
            return [offer.fields.title, offer.fields.tags].contains { names(sort, in: $0.words) }
        }
    }

    /// Whether a sort stands with the thing: "green jasmine tea", "a dress in blue", "dress, navy blue".
    private func names(_ sort: StemSet, in words: [WordFingerprint]) -> Bool {
        let vocabulary = AvoidVocabulary.shared
        return words.indices.contains { place in
            guard words[place].stem == head else { return false }
            var before = place
            while before > 0, !words[before].opensClause, vocabulary.use(of: words[before - 1].word) != .link {
                before -= 1
                if sort.contains(words[before].stem) { return true }
            }
            var behind = words[(place + 1)...]
            if behind.first?.word == Self.in { behind = behind.dropFirst() }
            guard let first = behind.first, sort.contains(first.stem) else { return false }
            return behind.dropFirst().prefix { !$0.opensClause }.allSatisfy { sort.contains($0.stem) }
        }
    }

    /// The offer is something for the thing, or done to it, and not the thing itself, whatever it comes with.
    private func isBeside(_ offer: SpokenWords) -> Bool {
        let name = offer.fields.title.name
        let kinds = name + offer.fields.tags.words
        if !Self.services.contains(head), kinds.contains(where: { Self.services.contains($0.stem) }) { return true }
        return Self.isCompany(name, of: head)
    }

    /// Whether a title names what goes with a thing of another kind: a bag for a mat.
    package static func isCompany(_ title: TokenizedText, of kind: GiftKind?) -> Bool {
        guard let kind else { return false }
        return title.name.contains { $0.stem == kind.head } && isCompany(title.name, of: kind.head)
    }

    /// By its last word that says more than how it comes; a thing and what goes with it are both.
    ///
    /// What itself goes with something has company where that is named after it: a mat has a bag.
    private static func isCompany(_ name: ArraySlice<WordFingerprint>, of head: UInt64) -> Bool {
        let vocabulary = AvoidVocabulary.shared
        if name.contains(where: { vocabulary.isJoint($0.word) }) { return false }
        let last = name.last { company.contains($0.stem) || !vocabulary.isWrapping($0.stem) && !$0.isStopWord }
        guard let last, last.stem != head, company.contains(last.stem) else { return false }
        return !company.contains(head) || name.contains { $0.stem == head }
    }

    private static let `in` = Fingerprint.of("in")

    private static func stems(_ words: String) -> StemSet {
        StemSet(words.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }

    /// Words of which a thing has one, and another thing of its kind has another.
    private static let sorts = [
        stems(
            "black white red green blue pink purple yellow orange brown grey gray beige navy teal turquoise violet lilac"
        ),
        metals,
        stems("dark milk"),
    ]

    private static let metals = stems("gold silver platinum brass copper bronze titanium pewter")

    /// What is done to a thing one has, or learned with it.
    private static let services = stems(
        """
        repair restore restoration service servicing overhaul cleaning sharpen sharpening resole maintenance tune alignment
        replacement refill mend lesson course training workshop
        """
    )

    /// What goes with a thing one has.
    private static let company = stems(
        """
        accessory bag band basket battery bean bell bobbin brush cable capo case charger coaster cover cup cushion dock
        filter footprint glove grinder helmet holder holster hook lamp leash light lock mat mount needle oil pad pattern
        pedal pick pod polish pouch pump rack saddle sheath shelf sleeve stand sticker strap string stylus tamper thread
        tool tripod tuner warmer
        """
    )
}

extension TokenizedText {
    /// Of a title the name of the thing: up to any mark and to what it comes with, comes in or is for.
    fileprivate var name: ArraySlice<WordFingerprint> {
        let vocabulary = AvoidVocabulary.shared
        let end = words.indices.first { place in
            place > 0 && (words[place].opensClause || vocabulary.use(of: words[place].word) == .link)
        }
        return words[..<(end ?? words.endIndex)]
    }
}
