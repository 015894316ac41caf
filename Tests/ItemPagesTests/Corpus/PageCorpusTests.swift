import Recommendation
import Testing

@testable import ItemPages

/// Pages of our own making, live and gone in every way that we know of.
@Suite("A corpus of pages")
struct PageCorpusTests {
    private func isGone(_ reading: PageReading) -> Bool {
        reading.kind == .missing || [.outOfStock, .permanentlyClosed].contains(reading.signal)
    }

    /// How many pages of each manner, with the first of them.
    private func counted(_ pages: [CorpusPage]) -> [String] {
        Dictionary(grouping: pages, by: \.manner).sorted { $0.key < $1.key }.map { manner, pages in
            "\(manner): \(pages.count), as \(pages[0].html)"
        }
    }

    @Test func `of which four hundred are live loses at most two`() {
        let lost = (0..<400).map(LiveCorpus.page).filter { isGone($0.reading) }
        #expect(lost.count <= 2, "\(counted(lost))")
    }

    @Test func `of which two hundred are gone calls none in stock, and most gone`() {
        let pages = (0..<200).map(GoneCorpus.page)
        let there = pages.filter { $0.reading.signal == .inStock }
        #expect(there.isEmpty, "\(counted(there))")
        let known = pages.filter { isGone($0.reading) }
        #expect(known.count >= 150, "\(counted(pages.filter { !isGone($0.reading) }))")
    }
}
