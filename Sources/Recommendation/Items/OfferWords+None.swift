import TextEncoding

extension OfferWords {
    /// The words of no offer at all.
    static let none = OfferWords()

    private init() {
        title = TokenizedText.none
        body = TokenizedText.none
        tags = TokenizedText.none
        titlePrints = []
        bodyPrints = []
        tagPrints = []
        titleSet = StemSet(prints: [])
        headSet = titleSet
        allSet = titleSet
        merchant = nil
        address = ""
    }
}
