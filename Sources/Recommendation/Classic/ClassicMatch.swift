import KnotDomain

/// The original's match: the tag itself, or the category's name anywhere inside title or description.
enum ClassicMatch {
    static func matches(_ category: String, _ offer: Offer, _ text: ClassicText) -> Bool {
        isTagged(category, offer) || text.contains(category.lowercased())
    }

    static func isTagged(_ category: String, _ offer: Offer) -> Bool { offer.candidate.tags.contains(category) }
}
