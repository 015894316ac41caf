import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// The cache changes nothing but time: an offer from it says what a fresh one would.
@Suite("A cache of offers") struct OfferCacheTests {
    private let kettle = Candidate.invented("a", "Copper kettle", description: "Holds two litres.", tags: ["tea"])

    /// Whether both offers share what was made of their texts.
    private func share(_ left: Offer, _ right: Offer) -> Bool { left.study === right.study }

    @Test func `a candidate that changed in any of its fields is read anew`() {
        let cache = OfferCache()
        let first = cache.offers(for: [kettle], areRead: true)
        let others = [
            Candidate.invented("a", "Copper kettles", description: "Holds two litres.", tags: ["tea"]),
            .invented("a", "Copper kettle", description: nil, tags: ["tea"]),
            .invented("a", "Copper kettle", description: "Holds two litres.", price: 1, tags: ["tea"]),
            .invented("a", "Copper kettle", description: "Holds two litres.", currency: "EUR", tags: ["tea"]),
            .invented("a", "Copper kettle", description: "Holds two litres.", merchant: "Elm & Oak", tags: ["tea"]),
            .invented("a", "Copper kettle", description: "Holds two litres.", rating: 4, tags: ["tea"]),
            .invented("a", "Copper kettle", description: "Holds two litres.", tags: ["tea", "hob"]),
            .invented("a", "Copper kettle", description: "Holds two litres.", tags: ["hob"]),
        ]
        for other in others {
            let offer = cache.offers(for: [other], areRead: true)
            #expect(!share(offer[0], first[0]) && offer[0].candidate == other, "\(other)")
        }
    }

    @Test func `a text in another spelling of the same letters is another text`() {
        let cache = OfferCache()
        let composed = Candidate.invented("a", "Caf\u{E9}")
        let decomposed = Candidate.invented("a", "Cafe\u{301}")
        #expect(composed.title == decomposed.title)
        _ = cache.offers(for: [composed], areRead: true)
        let offer = cache.offers(for: [decomposed], areRead: true)[0]
        #expect(Array(offer.candidate.title.utf8) == Array(decomposed.title.utf8))
    }

    @Test func `the same candidate is read once`() {
        let cache = OfferCache()
        let first = cache.offers(for: [kettle], areRead: true)
        let second = cache.offers(for: [kettle], areRead: true)
        #expect(share(first[0], second[0]))
    }

    @Test func `words that were not asked for are found when they are`() {
        let cache = OfferCache()
        let unread = cache.offers(for: [kettle], areRead: false)[0]
        let read = cache.offers(for: [kettle], areRead: true)[0]
        #expect(!unread.study.isRead && read.study.isRead)
        #expect(unread.words.title == read.words.title && unread.words.address == read.words.address)
        #expect(unread.words.allSet == read.words.allSet)
    }

    @Test func `offers come in the candidates' order however many are kept`() {
        for capacity in [0, 1, 2, 7, 100] {
            let cache = OfferCache(capacity: capacity)
            let candidates = (0..<20).map { Candidate.invented("item-\($0 % 13)", "Title \($0)") }
            for _ in 0..<3 {
                let offers = cache.offers(for: candidates, areRead: true)
                #expect(offers.map(\.candidate) == candidates, "capacity \(capacity)")
            }
        }
    }

    @Test func `very long texts are not kept`() {
        let cache = OfferCache()
        let long = Candidate.invented("a", "Kettle", description: String(repeating: "word ", count: 4_000))
        let first = cache.offers(for: [long], areRead: true)
        #expect(!share(first[0], cache.offers(for: [long], areRead: true)[0]))
    }
}
