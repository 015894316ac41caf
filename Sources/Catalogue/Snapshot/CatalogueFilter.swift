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
    /// What costs more passes whatever the window, for others to decide.
    package var largestTotal = Int.max
    /// Where somebody may have to go.
    package var places: (@Sendable (Place) -> Bool)?
    package var mostShippingDays: Int?
    /// Whether a gift that is sent has to say how many days that takes.
    package var needsShippingDays = false
    /// When events begin: after the one, and not after the other.
    package var after: Instant?
    package var until: Instant?
    /// Looks closer at an event that begins later than the moment: whether it is in time by the clocks of its place.
    package var lastDay: (from: Instant, isKept: @Sendable (Instant, Place?) -> Bool)?
    /// What is not found whatever it is.
    package var without: [CandidateID] = []

    package init() {}

    /// What the rules of a run let pass.
    package init(_ rules: OfferRules) {
        totals = { rules.totals(in: $0) }
        largestTotal = OfferRules.largestTotal
        places = { rules.allows($0) }
        mostShippingDays = rules.mostShippingDays
        needsShippingDays = rules.needsShippingDays
        after = rules.asOf
        until = rules.lastStarts?.upperBound
        lastDay = rules.lastStarts.map { ($0.lowerBound, { rules.allows($0, at: $1) }) }
        without = rules.shownBefore
    }
}

/// A filter made ready for the segments of one search; what it says of a place is found once.
final class SegmentFilter {
    private let filter: CatalogueFilter
    private var knownPlaces: [Place: Bool] = [:]

    init(_ filter: CatalogueFilter) { self.filter = filter }

    /// The items of a segment that may be found.
    func bitmap(of segment: CatalogueSegment, without gone: RowBitmap?) throws(CatalogueError) -> RowBitmap {
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
                        guard amount >= 0, amount <= filter.largestTotal, currency < windows.count else {
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
        if filter.needsShippingDays {
            let gift = UInt8(CandidateType.number(of: .gift))
            segment.shippingDays.withSpan { days in
                segment.types.withSpan { types in
                    segment.placeNumbers.withSpan { places in
                        // What can be fetched is there in time.
                        keep(&words, rows) { row in days[row] != .max || types[row] != gift || places[row] != 0 }
                    }
                }
            }
        }
        if filter.after != nil || filter.until != nil || filter.lastDay != nil { keepStarts(of: segment, &words) }
        var bitmap = RowBitmap(rowCount: rows, words: words)
        for id in filter.without { for item in try segment.items(withID: id) { bitmap[item] = false } }
        return bitmap
    }

    /// Clears the bits of what begins too early or too late.
    private func keepStarts(of segment: CatalogueSegment, _ words: inout [UInt64]) {
        let first = filter.after?.millisecondsSinceEpoch ?? (.min + 1)
        let last = filter.until?.millisecondsSinceEpoch ?? .max
        let sure = filter.lastDay?.from.millisecondsSinceEpoch ?? .max
        segment.starts.withSpan { starts in
            keep(&words, segment.count) { row in
                let start = starts[row]
                guard start != .min else { return true }
                guard start > first, start <= last else { return false }
                guard start > sure, let isKept = filter.lastDay?.isKept else { return true }
                // Where a gift is that is sent, no column says.
                let number = Int(segment.placeNumbers[row])
                if number == 0, segment.types[row] == CandidateType.number(of: .gift) { return true }
                guard number <= segment.places.count else { return true }
                return isKept(
                    Instant(millisecondsSinceEpoch: start),
                    number == 0 ? nil : segment.places[number - 1]
                )
            }
        }
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
