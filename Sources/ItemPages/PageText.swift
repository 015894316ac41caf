import HTTPClient
import TextReading

/// The parts of a page that say whether its item can be had, read out of the first bytes of HTML, however broken.
///
/// It is no parser of HTML: it builds no tree, runs nothing, and takes time in proportion to the page.
struct PageText: Sendable {
    /// What a reader takes for one thing that is said.
    struct Statement: Sendable {
        /// Where it stands on the page.
        enum Place: Sendable {
            /// In a heading of the first rank.
            case heading
            case main
            /// In an option, or where a class says that it may be hidden.
            case aside
        }

        /// Small letters, words apart by one space, without what ends it.
        let text: [UInt8]
        let place: Place
        /// Whether nothing can be pressed there, or nobody is meant to for this item.
        let isInert: Bool
        let isQuestion: Bool
    }

    /// The title, in small letters, without markup.
    let title: String
    /// The headings of the first rank.
    let headings: [String]
    /// What is said of the item, without navigation, related items and what is hidden.
    let statements: [Statement]
    /// How many bytes of text a reader sees, wherever they stand.
    let visibleCount: Int
    /// The contents of scripts with linked data.
    let linkedData: [[UInt8]]
    /// The items that are marked in the page itself, outside of what is hidden or related.
    let markedItems: [MarkedItem]
    /// Names and contents of `meta` and `link` elements and of those with an `itemprop` that belongs to no item, in small
    /// letters but for contents.
    let properties: [(name: String, content: String)]
    /// Where it leads by itself; nil where it stays.
    let refresh: PageRefresh?
    /// Whether its words are in letters that are known here.
    let isReadable: Bool

    /// The beginning of a page, whose header may say what letters it is in.
    init(_ bytes: some Collection<UInt8>, contentType: String? = nil) {
        let charset = PageCharset(Array(bytes), contentType: contentType)
        isReadable = charset.isReadable
        var scanner = PageScanner(charset.utf8)
        scanner.run()
        title = String(decoding: PlainLetters.plain(scanner.title), as: UTF8.self)
        headings = scanner.headings.map { String(decoding: PlainLetters.plain($0), as: UTF8.self) }
        var statements: [Statement] = []
        var visibleCount = title.utf8.count
        for segment in scanner.segments {
            let plain = PlainLetters.plain(segment.text)
            visibleCount += plain.count
            guard let place = segment.place else { continue }
            for sentence in Self.sentences(of: plain) {
                statements.append(
                    Statement(
                        text: Array(sentence.text),
                        place: place,
                        isInert: segment.isInert,
                        isQuestion: sentence.isQuestion
                    )
                )
            }
        }
        self.statements = statements
        self.visibleCount = visibleCount
        linkedData = scanner.linkedData.map { Array($0) }
        markedItems = scanner.markedItems
        properties = scanner.properties
        refresh = scanner.refresh.flatMap(PageRefresh.init)
    }

    /// A point ends a sentence before a space only: it may stand in a number.
    private static func sentences(of text: [UInt8]) -> [(text: ArraySlice<UInt8>, isQuestion: Bool)] {
        var sentences: [(text: ArraySlice<UInt8>, isQuestion: Bool)] = []
        var start = 0
        var index = 0
        while index < text.count {
            let (length, isQuestion) = end(text, at: index)
            guard length > 0 else {
                index += 1
                continue
            }
            if index > start { sentences.append((text[start..<index], isQuestion)) }
            index += length
            start = index
        }
        if start < text.count { sentences.append((text[start...], false)) }
        return sentences
    }

    private static func end(_ text: [UInt8], at place: Int) -> (length: Int, isQuestion: Bool) {
        func at(_ offset: Int) -> UInt8? { place + offset < text.count ? text[place + offset] : nil }
        switch text[place] {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
            let ends = at(1).map { $0 == 0x20 || $0 == 0x22 || $0 == 0x29 } ?? true
            return ends ? (1, text[place] == UInt8(ascii: "?")) : (0, false)
        case 0xE3 where at(1) == 0x80 && at(2) == 0x82: return (3, false)
        case 0xEF where at(1) == 0xBC && at(2) == 0x81: return (3, false)
        case 0xEF where at(1) == 0xBC && at(2) == 0x9F: return (3, true)
        default: return (0, false)
        }
    }
}

/// An item that a page marks in its own text by `itemscope` and `itemprop`.
struct MarkedItem: Sendable {
    enum Value: Sendable {
        case text(String)
        /// Another item by its place in the list, which is behind this one's.
        case item(Int)
    }

    let types: [String]
    /// Whether it is what no other item speaks of.
    let isTop: Bool
    var properties: [(name: String, value: Value)] = []

    static let mostProperties = 100
}
