package import HTTPClient
package import KnotDomain
import TextReading

/// The item that a page is looked at for: what it is called, where it was said to be, and what it was said to cost.
package struct PageItem: Sendable {
    package let title: String
    /// Where it was said to be, and where the page was in the end.
    package let urls: [HTTPURL]
    package let priceCents: Int?
    package let currency: Currency
    /// The day on which the page came; nil where nobody knows, and nothing is over.
    package let today: CivilDate?

    /// The title as pages' texts are compared.
    let plainTitle: [UInt8]

    package init(
        title: String = "",
        urls: [HTTPURL] = [],
        priceCents: Int? = nil,
        currency: Currency,
        today: CivilDate? = nil
    ) {
        plainTitle = PlainLetters.plain(title)
        self.title = String(decoding: plainTitle, as: UTF8.self)
        self.urls = urls
        self.priceCents = priceCents
        self.currency = currency
        self.today = today
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
        if urls.contains(where: isOwn) { return .byAddress }
        var best = Fit.none
        let own = Name(plainTitle)
        for name in names.map({ Name(PlainLetters.plain($0)) }) where !name.words.isEmpty {
            for title in [own] + heads where !title.words.isEmpty {
                if title.words == name.words { return .byName }
                if title.set.isSubset(of: name.set) || name.set.isSubset(of: title.set) { best = .partly }
            }
        }
        return best
    }

    /// Whether an address is the item's, whatever its query says.
    func isOwn(_ text: String) -> Bool {
        // A place within a page is no address of another.
        guard let first = urls.first, !text.isEmpty, !text.hasPrefix("#"), let url = try? first.following(text) else {
            return false
        }
        let place = Self.place(of: url)
        // The front door of a shop is everything's.
        return place.path != "" && urls.contains { Self.place(of: $0) == place }
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
