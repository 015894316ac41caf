package import TextEncoding

/// What kind of thing a title names: "Silk Scarf, Peacock" is a scarf, and "Leather Camera Strap" a strap for cameras.
///
/// The kind is the last word of the name, before any mark, "for" or "with"; what it is made of and how it looks make no
/// kind of its own, what it is for does.
package struct GiftKind: Sendable, Hashable {
    /// The stem of the thing, as a fingerprint.
    package let head: UInt64
    /// The stems that narrow it down.
    package let uses: [UInt64]

    /// Nil where the name is of several things, or its last word fits a hundred kinds: "box", "class", "book".
    package init?(title: TokenizedText) {
        let vocabulary = AvoidVocabulary.shared
        var topic: [UInt64] = []
        var isWrapping = true
        for (place, word) in title.words.enumerated() {
            if place > 0, word.opensClause { break }
            if vocabulary.isJoint(word.word) { return nil }
            if vocabulary.use(of: word.word) == .link, word.word != Self.on {
                // "Pair of", "set of": the thing comes behind.
                if !isWrapping { break }
                topic = []
                continue
            }
            guard !word.isStopWord else { continue }
            topic.append(word.stem)
            isWrapping = isWrapping && Self.isGeneric(word.stem)
        }
        guard let head = topic.last, !Self.isGeneric(head) else { return nil }
        self.head = head
        uses = topic.dropLast().filter { !Self.attributes.contains($0) && !Self.isGeneric($0) && $0 != head }
    }

    /// Whether an offer whose title has these stems is of this kind too.
    package func isKind(of other: GiftKind, title: StemSet) -> Bool {
        head == other.head && (uses.isEmpty || other.uses.isEmpty || uses.contains(where: title.contains))
    }

    /// Whether a stem tells what a thing is, and not how it comes, what sort of outing it is or, of a gift, how it looks.
    package static func isTelling(_ stem: UInt64, ofGift: Bool) -> Bool {
        !isGeneric(stem) && !(ofGift && attributes.contains(stem))
    }

    /// "Strap-on headlamp" is no strap.
    private static let on = Fingerprint.of("on")

    private static func isGeneric(_ stem: UInt64) -> Bool {
        AvoidVocabulary.shared.isWrapping(stem) || generics.contains(stem)
    }

    private static func stems(_ words: String) -> StemSet {
        StemSet(words.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }

    /// Words that say how a thing comes or what sort of outing it is; those of one are not those of another.
    private static let generics = stems(
        """
        pair duo trio twin double one two three four five six seven eight nine ten twelve dozen
        book novel hardcover paperback memoir guide print poster album record vinyl film cd dvd art piece game puzzle toy
        service plan pass dinner lunch brunch breakfast supper meal walk ride show concert play cruise tasting retreat
        stay escape adventure party hour hours month months year years
        """
    )

    /// What a thing is made of and how it looks.
    private static let attributes = stems(
        """
        leather wool woollen wooly merino cashmere silk cotton linen velvet satin suede felt felted canvas denim lambswool
        alpaca mohair fleece jersey knit knitted crochet quilted woven tweed flannel bamboo cork rattan wicker wood wooden oak
        walnut maple cherry ash olive teak cedar beech birch stone stoneware ceramic porcelain earthenware clay glass crystal
        enamel enamelled marble slate steel stainless iron cast brass copper bronze pewter tin silver gold golden platinum
        titanium plated pearl amber paper plastic rubber silicone red orange yellow green blue indigo navy teal turquoise purple
        violet pink rose black white grey gray brown tan beige cream ivory russet salt sand graphite charcoal emerald peacock
        large small big little mini tiny tall long short wide slim compact round square classic vintage antique retro modern
        rustic handmade hand made crafted thrown woven forged engraved personalized personalised custom printed painted
        dyed striped patterned plain floral soft warm cosy cozy lined padded heavy light lightweight thick thin deluxe premium
        luxury fine pure organic natural new limited special original traditional artisan designer women womens men mens
        """
    )
}

extension StemSet {
    /// The stems that tell what a thing is.
    package func telling(ofGift: Bool) -> StemSet { filter { GiftKind.isTelling($0, ofGift: ofGift) } }
}
