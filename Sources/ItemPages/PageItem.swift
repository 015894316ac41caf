package import HTTPClient
package import KnotDomain
import TextReading

/// The item that a page is looked at for: what it is called, where it was said to be, and what it was said to cost.
package struct PageItem: Sendable {
    package let title: String
    /// Where the page was in the end, and where it was said to be.
    package let urls: [HTTPURL]
    package let priceCents: Int?
    package let currency: Currency
    /// When the event is that was listed; nil for what has no time.
    package let startsAt: Instant?
    /// The day on which the page came; nil where nobody knows, and nothing is over.
    package let today: CivilDate?

    /// Whether the page is at another place than the item was said to be, so that it may be another item's.
    package let isMoved: Bool

    /// The title as pages' texts are compared.
    let plainTitle: [UInt8]

    package init(
        title: String = "",
        urls: [HTTPURL] = [],
        priceCents: Int? = nil,
        currency: Currency,
        startsAt: Instant? = nil,
        today: CivilDate? = nil,
        isMoved: Bool = false
    ) {
        plainTitle = PlainLetters.plain(title)
        self.title = String(decoding: plainTitle, as: UTF8.self)
        self.urls = urls
        self.priceCents = priceCents
        self.currency = currency
        self.startsAt = startsAt
        self.isMoved = isMoved
        self.today = today
    }

    /// Returns the item as listed in another currency, without its price.
    func listed(in other: Currency) -> PageItem {
        PageItem(
            title: title,
            urls: urls,
            currency: other,
            startsAt: startsAt,
            today: today,
            isMoved: isMoved
        )
    }

    // MARK: Whether something on a page is the item

    /// How well what a page names fits the item; the greater the better.
    enum Fit: Int, Comparable {
        case none
        /// One name holds all words of the other.
        case partly
        case byName
        case byAddress

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The words of a name, in their order and as a set.
    struct Name {
        let words: [String]
        let set: Set<String>

        /// Longer ones are no names.
        private static let mostWords = 60

        init(_ plain: [UInt8]) {
            words = Array(PlainLetters.words(of: plain).prefix(Self.mostWords))
            set = Set(words)
        }
    }

    /// How well something with these names and addresses fits, on a page that calls itself so: as the shop names the item.
    func fit(names: [String], urls: [String], onPageCalled heads: [Name]) -> Fit {
        // To what it was moved, another item may lead as well.
        let own = isMoved ? self.urls.dropFirst() : self.urls[...]
        if urls.contains(where: { isOwn($0, among: own) }) { return .byAddress }
        var best = Fit.none
        let title = Name(plainTitle)
        for name in names.map({ Name(PlainLetters.plain($0)) }) where !name.words.isEmpty {
            for title in [title] + heads where !title.words.isEmpty {
                if title.words == name.words { return .byName }
                if title.set.isSubset(of: name.set) || name.set.isSubset(of: title.set) { best = .partly }
            }
        }
        return best
    }

    /// Whether an address is the item's, whatever its query says.
    package func isOwn(_ text: String) -> Bool { isOwn(text, among: urls[...]) }

    private func isOwn(_ text: String, among urls: ArraySlice<HTTPURL>) -> Bool {
        // A place within a page is no address of another.
        guard let first = self.urls.first, !text.isEmpty, !text.hasPrefix("#"),
            let url = try? first.following(text)
        else { return false }
        let place = Self.place(of: url)
        // The front door of a shop is everything's.
        return place.path != "" && urls.contains { Self.place(of: $0) == place }
    }

    /// Whether an address is that of the form of the item that was asked for: all that its query says was asked.
    func isOfAskedForm(_ text: String) -> Bool {
        guard isOwn(text), let url = try? urls.first?.following(text) else { return false }
        let said = Self.query(of: url)
        return !said.isEmpty && urls.contains { said.isSubset(of: Self.query(of: $0)) }
    }

    private static func query(of url: HTTPURL) -> Set<Substring> {
        Set(url.target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.split(separator: "&"))
    }

    private struct Place: Equatable {
        let host: Substring
        let path: Substring
    }

    private static func place(of url: HTTPURL) -> Place {
        let host = url.shownHost.hasPrefix("www.") ? url.shownHost.dropFirst(4) : url.shownHost[...]
        var path = url.target.prefix { $0 != "?" }
        while path.last == "/" { path = path.dropLast() }
        return Place(host: host, path: path)
    }
}
