import KnotDomain

/// Lower-cased text in which substrings are looked for, as the original did: anywhere, by code points and not by words.
struct ClassicText: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.lowercased().utf8)
    }

    /// The title and the description of an offer.
    init(of offer: Offer) {
        self.init("\(offer.candidate.title) \(offer.candidate.description ?? "")")
    }

    /// True for a word that stands anywhere in the text; the caller gives it in lower case.
    ///
    /// UTF-8 bytes of one code point never begin inside those of another, so bytes find what code points would.
    func contains(_ word: String) -> Bool {
        let word = word.utf8
        guard let first = word.first else { return true }
        let rest = word.dropFirst()
        guard bytes.count > rest.count else { return false }
        for start in 0..<bytes.count - rest.count where bytes[start] == first {
            var place = start + 1
            var isFound = true
            for byte in rest {
                guard bytes[place] == byte else {
                    isFound = false
                    break
                }
                place += 1
            }
            if isFound { return true }
        }
        return false
    }
}
