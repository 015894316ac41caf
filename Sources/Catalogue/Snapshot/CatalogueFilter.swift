package import KnotDomain
package import Recommendation
import VectorSearch

/// Which offers of a catalogue a search may find; it is held to before anything is compared, so that the best that are
/// found are offers that may be shown.
package struct CatalogueFilter: Sendable {
    /// By provider, the types that may be found; nil for all of everybody.
    package var types: [ProviderName: Set<CandidateType>]?
    /// What both together may cost, by currency; nil for any price, which an unknown one always is.
    package var totals: (@Sendable (Currency) -> ClosedRange<Int>?)?
    /// Where somebody may have to go.
    package var places: (@Sendable (Place) -> Bool)?
    package var mostShippingDays: Int?
    /// When events begin: after the one, and not after the other.
    package var after: Instant?
    package var until: Instant?

    package init() {}

    /// What the rules of a run let pass.
    package init(_ rules: OfferRules) {
        totals = { rules.totals(in: $0) }
        places = { rules.allows($0) }
        mostShippingDays = rules.mostShippingDays
        after = rules.asOf
        until = rules.lastStart
    }
}

/// A filter made ready for the segments of one search; what it says of a place is found once.
final class SegmentFilter {
    private let filter: CatalogueFilter
    private var knownPlaces: [Place: Bool] = [:]

    init(_ filter: CatalogueFilter) { self.filter = filter }

    /// The items of a segment that may be found.
    func bitmap(of segment: CatalogueSegment, without gone: RowBitmap?) -> RowBitmap {
        let rows = segment.count
        var words = [UInt64](repeating: .max, count: (rows + 63) / 64)
        if rows & 63 != 0 { words[words.count - 1] = .max >> UInt64(64 - rows & 63) }
        if let gone { for (word, bits) in gone.words.enumerated() { words[word] &= ~bits } }
        if let types = filter.types {
            let allowed = segment.providers.map { provider in
                CandidateType.allCases.map { types[provider]?.contains($0) ?? false }
            }
            let kinds = CandidateType.allCases.count
            let flat = allowed.flatMap(\.self)
            if flat.contains(false) {
                segment.providerNumbers.withSpan { providers in
                    segment.types.withSpan { types in
                        keep(&words, rows) { row in
                            let place = Int(providers[row]) * kinds + Int(types[row])
                            return place < flat.count && flat[place]
                        }
                    }
                }
            }
        }
        if let totals = filter.totals {
            // What costs more than a budget can say passes, and so does what has no price.
            let windows = segment.currencies.map { totals($0) ?? 0...Int.max }
            segment.totals.withSpan { amounts in
                segment.currencyNumbers.withSpan { currencies in
                    keep(&words, rows) { row in
                        let (amount, currency) = (Int(amounts[row]), Int(currencies[row]))
                        guard amount >= 0, amount <= OfferRules.largestTotal, currency < windows.count else {
                            return true
                        }
                        return windows[currency].contains(amount)
                    }
                }
            }
        }
        if let places = filter.places {
            let allowed = segment.places.map { place in
                if let known = knownPlaces[place] { return known }
                let isAllowed = places(place)
                knownPlaces[place] = isAllowed
                return isAllowed
            }
            if allowed.contains(false) {
                segment.placeNumbers.withSpan { numbers in
                    keep(&words, rows) { row in
                        let number = Int(numbers[row])
                        return number == 0 || number > allowed.count || allowed[number - 1]
                    }
                }
            }
        }
        if let most = filter.mostShippingDays {
            segment.shippingDays.withSpan { days in
                keep(&words, rows) { row in days[row] == .max || Int(days[row]) <= most }
            }
        }
        if filter.after != nil || filter.until != nil {
            let first = filter.after?.millisecondsSinceEpoch ?? (.min + 1)
            let last = filter.until?.millisecondsSinceEpoch ?? .max
            segment.starts.withSpan { starts in
                keep(&words, rows) { row in starts[row] == .min || starts[row] > first && starts[row] <= last }
            }
        }
        return RowBitmap(rowCount: rows, words: words)
    }

    /// Clears the bits of rows for which something does not hold; rows that are out already are not looked at.
    @inline(__always)
    private func keep(_ words: inout [UInt64], _ rows: Int, where holds: (Int) -> Bool) {
        for word in words.indices where words[word] != 0 {
            var bits: UInt64 = 0
            let first = word << 6
            for bit in 0..<min(64, rows - first) where holds(first + bit) { bits |= 1 << UInt64(bit) }
            words[word] &= bits
        }
    }
}
