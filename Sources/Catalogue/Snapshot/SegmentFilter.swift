import KnotDomain
import VectorSearch

/// A filter made ready for the segments of one search; what it says of a place is found once.
final class SegmentFilter {
    private let filter: CatalogueFilter
    private var knownPlaces: [Place: Bool] = [:]

    init(_ filter: CatalogueFilter) { self.filter = filter }

    /// The items of a segment that may be found.
    func bitmap(of segment: CatalogueSegment, without gone: RowBitmap?) throws(CatalogueError) -> RowBitmap {
        let columns = try ready(for: segment, without: gone)
        return RowBitmap(rowCount: segment.count, words: columns.words(of: 0..<segment.count))
    }

    /// The first items of a part of a segment that may be found; no more stretches of the part are looked at than it takes.
    func first(
        _ limit: Int,
        of segment: CatalogueSegment,
        in part: Range<Int>,
        without gone: RowBitmap?,
        stretch: Int = 4_096
    ) throws(CatalogueError) -> [Int] {
        let columns = try ready(for: segment, without: gone)
        var found: [Int] = []
        var start = part.lowerBound & ~63
        while start < part.upperBound, found.count < limit {
            let rows = start..<min(part.upperBound, start + stretch)
            for (word, bits) in columns.words(of: rows).enumerated() {
                var left = bits
                while left != 0 {
                    let row = start + word << 6 + left.trailingZeroBitCount
                    left &= left - 1
                    if part.contains(row) { found.append(row) }
                }
            }
            start = rows.upperBound
        }
        return Array(found.prefix(limit))
    }

    private func ready(
        for segment: CatalogueSegment,
        without gone: RowBitmap?
    ) throws(CatalogueError) -> FilteredColumns {
        var columns = FilteredColumns(segment: segment, filter: filter, gone: gone)
        if let types = filter.types {
            let kinds = segment.providers.flatMap { provider in
                CandidateType.allCases.map { types[provider]?.contains($0) ?? false }
            }
            if kinds.contains(false) { columns.kinds = kinds }
        }
        // What costs more than a budget can say passes, and so does what has no price.
        if let totals = filter.totals { columns.windows = segment.currencies.map { totals($0) ?? 0...Int.max } }
        if let places = filter.places {
            let allowed = segment.places.map { place in
                if let known = knownPlaces[place] { return known }
                let isAllowed = places(place)
                knownPlaces[place] = isAllowed
                return isAllowed
            }
            if allowed.contains(false) { columns.places = allowed }
        }
        for id in filter.without { columns.without += try segment.items(withID: id) }
        return columns
    }
}

/// What a filter asks of the columns of one segment.
private struct FilteredColumns {
    let segment: CatalogueSegment
    let filter: CatalogueFilter
    let gone: RowBitmap?
    /// Whether they may be found, by provider and type; nil where all may.
    var kinds: [Bool]?
    /// What may be paid, by currency.
    var windows: [ClosedRange<Int>]?
    /// Whether somebody may go there, by place; nil where that holds of all.
    var places: [Bool]?
    /// Items that are not found whatever they are.
    var without: [Int] = []

    /// The bits of the rows that may be found, which begin with a word.
    func words(of rows: Range<Int>) -> [UInt64] {
        precondition(rows.lowerBound & 63 == 0, "rows that begin inside a word")
        let first = rows.lowerBound >> 6
        var words = [UInt64](repeating: .max, count: (rows.count + 63) / 64)
        if rows.count & 63 != 0 { words[words.count - 1] = .max >> UInt64(64 - rows.count & 63) }
        if let gone { for word in words.indices { words[word] &= ~gone.words[first + word] } }
        keepKinds(&words, first)
        keepTotals(&words, first)
        keepPlaces(&words, first)
        keepShipping(&words, first)
        if filter.after != nil || filter.until != nil || filter.lastDay != nil { keepStarts(&words, first) }
        for item in without where rows.contains(item) { words[item >> 6 - first] &= ~(1 << UInt64(item & 63)) }
        return words
    }

    private func keepKinds(_ words: inout [UInt64], _ first: Int) {
        guard let kinds else { return }
        let count = CandidateType.allCases.count
        segment.providerNumbers.withSpan { providers in
            segment.types.withSpan { types in
                keep(&words, first) { row in
                    let place = Int(providers[row]) * count + Int(types[row])
                    return place < kinds.count && kinds[place]
                }
            }
        }
    }

    private func keepTotals(_ words: inout [UInt64], _ first: Int) {
        guard let windows else { return }
        segment.totals.withSpan { amounts in
            segment.currencyNumbers.withSpan { currencies in
                keep(&words, first) { row in
                    let (amount, currency) = (Int(amounts[row]), Int(currencies[row]))
                    guard amount >= 0, amount <= filter.largestTotal, currency < windows.count else { return true }
                    return windows[currency].contains(amount)
                }
            }
        }
    }

    private func keepPlaces(_ words: inout [UInt64], _ first: Int) {
        guard let places else { return }
        segment.placeNumbers.withSpan { numbers in
            keep(&words, first) { row in
                let number = Int(numbers[row])
                return number == 0 || number > places.count || places[number - 1]
            }
        }
    }

    private func keepShipping(_ words: inout [UInt64], _ first: Int) {
        guard filter.mostShippingDays != nil || filter.needsShippingDays else { return }
        let most = filter.mostShippingDays ?? .max
        let gift = UInt8(CandidateType.number(of: .gift))
        segment.shippingDays.withSpan { days in
            keep(&words, first) { row in
                if days[row] != .max { return Int(days[row]) <= most }
                // What can be fetched is there in time.
                return !filter.needsShippingDays || segment.types[row] != gift || segment.placeNumbers[row] != 0
            }
        }
    }

    /// Clears the bits of what begins too early or too late.
    private func keepStarts(_ words: inout [UInt64], _ first: Int) {
        let earliest = filter.after?.millisecondsSinceEpoch ?? (.min + 1)
        let last = filter.until?.millisecondsSinceEpoch ?? .max
        let sure = filter.lastDay?.from.millisecondsSinceEpoch ?? .max
        segment.starts.withSpan { starts in
            keep(&words, first) { row in
                let start = starts[row]
                guard start != .min else { return true }
                guard start > earliest, start <= last else { return false }
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
    private func keep(_ words: inout [UInt64], _ first: Int, where holds: (Int) -> Bool) {
        for word in words.indices {
            var left = words[word]
            let row = (first + word) << 6
            while left != 0 {
                let bit = left.trailingZeroBitCount
                left &= left - 1
                if !holds(row + bit) { words[word] &= ~(1 << UInt64(bit)) }
            }
        }
    }
}
