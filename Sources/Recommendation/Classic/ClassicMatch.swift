import KnotDomain

/// The original's match: the tag itself, or the category's name anywhere inside title or description.
enum ClassicMatch {
    static func matches(_ category: String, _ offer: Offer) -> Bool {
        isTagged(category, offer) || ClassicVocabulary.text(of: offer).contains(category.lowercased())
    }

    static func isTagged(_ category: String, _ offer: Offer) -> Bool { offer.candidate.tags.contains(category) }
}
