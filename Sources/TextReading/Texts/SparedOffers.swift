import TextEncoding

/// What is surely another thing than one that is ruled out.
extension AvoidPhrase {
    /// Whether an offer is of another colour or metal than what is ruled out, or goes with the thing of which only one more
    /// is unwanted: who does not want black tea may want green, and who has a guitar may be glad of strings.
    package func spares(_ offer: SpokenWords) -> Bool { isOfOtherSort(offer) || isAcquisition && isBeside(offer) }

    /// Whether there is anything that it could spare.
    package var mayBeSpared: Bool {
        isAcquisition || Self.sorts.contains { sort in sort.contains(head) || narrows(sort) }
    }

    private func narrows(_ sort: StemSet) -> Bool { narrowing.contains(where: sort.contains) }

    /// The offer names a sort of its own and nowhere that of the thing.
    private func isOfOtherSort(_ offer: SpokenWords) -> Bool {
        Self.sorts.contains { sort in
            guard sort.contains(head) || narrows(sort) && offer.headSet.contains(head) else { return false }
            let own = ([head] + narrowing).filter(sort.contains)
            return offer.headSet.sharedCount(with: sort) > 0 && !own.contains(where: offer.allSet.contains)
        }
    }

    /// The offer is something for the thing, or done to it, and not the thing itself.
    private func isBeside(_ offer: SpokenWords) -> Bool {
        guard offer.allSet.contains(head), !Self.company.contains(head) else { return false }
        if offer.allSet.sharedCount(with: Self.services) > 0 { return true }
        return GiftKind(title: offer.fields.title).map { Self.company.contains($0.head) } ?? false
    }

    private static func stems(_ words: String) -> StemSet {
        StemSet(words.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }

    /// Words of which a thing has one, and another thing of its kind has another.
    private static let sorts = [
        stems(
            "black white red green blue pink purple yellow orange brown grey gray beige navy teal turquoise violet lilac"
        ),
        stems("gold silver platinum brass copper bronze titanium pewter"),
        stems("dark milk"),
    ]

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
        accessory bag band basket battery bell brush cable capo case charger coaster cover cushion dock filter footprint
        helmet holder holster hook lamp leash light lock mat mount oil pad pedal pick polish pouch pump rack saddle sheath
        shelf sleeve stand sticker strap string tool tripod tuner warmer
        """
    )
}
