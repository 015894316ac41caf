import KnotDomain
import Recommendation

/// What a page says of the things that fit an item, as far as the card is of them: of its day, and of the form that its
/// address asks for.
struct ItemChoice {
    /// The things that count, each with the offers that do.
    private(set) var items: [OfferedItem]
    private(set) var signal: AvailabilityProbe.Signal?
    /// Whether the page knows other days alone, of which nothing follows for the card's.
    private(set) var isOfOtherDays = false

    init(_ items: [OfferedItem], for item: PageItem) {
        self.items = items
        takeForm(item)
        let dated = self.items.filter { $0.time?.isReadable == true }
        guard let moment = item.startsAt, !dated.isEmpty else {
            signal = Self.signal(of: self.items)
            return
        }
        let own = EventTime.nearest(of: dated.compactMap(\.time), to: moment).map { dated[$0] }
        if !own.isEmpty {
            // What has no date is of any, where the day itself says nothing.
            let undated = self.items.filter { $0.time?.isReadable != true }
            self.items = own.contains { $0.signal != nil } ? own : own + undated
            signal = Self.signal(of: self.items)
            // An afternoon that is sold out says nothing of the evening.
            if signal == .outOfStock, !own.contains(where: { $0.time?.isClose(to: moment) == true }) {
                signal = nil
                isOfOtherDays = true
            }
        } else if !EventTime.nearest(of: dated.flatMap(\.earlierTimes), to: moment).isEmpty {
            // It takes place, and on another day than the card says.
            signal = .outOfStock
        } else {
            isOfOtherDays = true
        }
    }

    /// Keeps the offers of the asked form where any has its address.
    private mutating func takeForm(_ item: PageItem) {
        func isAsked(_ offer: ItemOffer) -> Bool { offer.urls.contains(where: item.isOfAskedForm) }
        guard items.contains(where: { $0.offers.contains(where: isAsked) }) else { return }
        items = items.compactMap { one in
            var one = one
            one.offers = one.offers.filter(isAsked)
            return one.offers.isEmpty ? nil : one
        }
    }

    /// One of several dates or forms that can be had is enough; a date of which nothing is said is still to come.
    private static func signal(of items: [OfferedItem]) -> AvailabilityProbe.Signal? {
        let signals = items.compactMap(\.signal)
        guard !signals.contains(.inStock), let first = signals.first else { return signals.isEmpty ? nil : .inStock }
        let gone = items.filter { $0.signal != nil }
        let days = gone.compactMap(\.time)
        let isOneOpen = items.contains { one in
            guard one.signal == nil, let time = one.time else { return false }
            return !days.contains { $0.begins(with: time) }
        }
        return isOneOpen && days.count == gone.count ? nil : first
    }
}
