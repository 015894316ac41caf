/// A stretch of time through which a zone keeps one offset.
package struct OffsetSpan: Hashable, Sendable {
    /// In seconds since 1970.
    package let seconds: Range<Int>
    /// East of Greenwich, in seconds.
    package let offset: Int
}

extension ZoneRules {
    /// The stretches of one offset that make up a range of seconds since 1970, in order and without gaps.
    package func offsetSpans(in range: Range<Int>) -> [OffsetSpan] {
        var spans: [OffsetSpan] = []
        var start = range.lowerBound
        for end in changes(in: range) + [range.upperBound] where end > start {
            let offset = offsetSeconds(atSecond: start)
            if let last = spans.last, last.offset == offset {
                // What changes at this moment is the zone's name or its summer flag, not its clock.
                spans[spans.count - 1] = OffsetSpan(seconds: last.seconds.lowerBound..<end, offset: offset)
            } else {
                spans.append(OffsetSpan(seconds: start..<end, offset: offset))
            }
            start = end
        }
        return spans
    }

    /// Moments strictly inside a range at which the offset may change, ascending.
    private func changes(in range: Range<Int>) -> [Int] {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var moments = Array(transitions[low...].prefix { $0 < range.upperBound })
        let end = transitions.last ?? Int.min
        if let rule, range.upperBound > end {
            moments += rule.changes(in: max(range.lowerBound, end)..<range.upperBound)
        }
        return moments.sorted()
    }
}

extension PosixZoneRule {
    /// Moments inside a range at which summer time begins or ends, in no order.
    fileprivate func changes(in range: Range<Int>) -> [Int] {
        guard let summer else { return [] }
        let first = LocalDateTime(secondsSinceEpoch: range.lowerBound).date.year
        let last = LocalDateTime(secondsSinceEpoch: range.upperBound).date.year
        // Rules may run over a year's ends by up to a week.
        return (first - 1...last + 1).flatMap { year in
            [summer.start.clock(year: year) - standardOffset, summer.end.clock(year: year) - summer.offset]
        }
        .filter(range.contains)
    }
}
