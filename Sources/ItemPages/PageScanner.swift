import TextReading

/// One way through the bytes of a page, with the elements that are open at each place.
struct PageScanner {
    /// A piece of text between two elements that begin a line.
    struct Segment {
        var text: [UInt8] = []
        /// Nil where it says nothing of the page's item: navigation and what is related.
        var place: PageText.Statement.Place?
        var isInert = false
    }

    /// What holds for everything within an element.
    struct Area {
        var isHidden = false
        /// In navigation, at the foot, or among related items.
        var isBeside = false
        /// In an option, or hidden by a class for all that anybody knows.
        var isUncertain = false
        var isInert = false
        /// The item whose properties stand here.
        var item: Int?

        /// Whether what is said there is said in the same place, whatever item it is of.
        func isLike(_ other: Area) -> Bool {
            isHidden == other.isHidden && isBeside == other.isBeside && isUncertain == other.isUncertain
                && isInert == other.isInert
        }
    }

    private struct Element {
        let name: String
        let area: Area
        /// The property whose text it holds, with where the text begins.
        var property: (item: Int, names: [String], start: Int)?
    }

    private let bytes: [UInt8]
    private var place = 0
    private var elements: [Element] = []
    private var area = Area()
    private var segment = Segment()
    /// All text that is shown, for the properties that are written in it.
    private var flow: [UInt8] = []
    private var isInTitle = false
    private var headingRank: Int?
    /// Since a heading of this rank everything is about other items.
    private var relatedRank: Int?

    private(set) var title: [UInt8] = []
    private(set) var headings: [[UInt8]] = []
    private(set) var segments: [Segment] = []
    private(set) var linkedData: [ArraySlice<UInt8>] = []
    private(set) var markedItems: [MarkedItem] = []
    /// What elements that items refer to say for them, by the elements' ids.
    private var referred: ReferredMarkup
    private let style: PageStyle
    private(set) var properties: [(name: String, content: String)] = []
    /// What the page says of where it leads by itself.
    private(set) var refresh: String?

    /// As many as a page of sixteen thousand bytes can have of any use.
    private static let mostProperties = 400
    private static let mostHeadings = 20
    private static let mostItems = 100
    private static let mostElements = 256
    /// How far up an end is looked for whose beginning is not the last one.
    private static let mostUnclosed = 32
    private static let longestProperty = 300

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        referred = ReferredMarkup(bytes)
        style = PageStyle(bytes)
    }

    mutating func run() {
        while place < bytes.count {
            let byte = bytes[place]
            guard byte == UInt8(ascii: "<"), let next = MarkupTag.byte(bytes, place + 1), MarkupTag.begins(next) else {
                show(byte)
                place += 1
                continue
            }
            if next == UInt8(ascii: "!"), bytes[place...].starts(with: Array("<!--".utf8)) {
                place = MarkupTag.find(Array("-->".utf8), in: bytes, from: place + 2).map { $0 + 3 } ?? bytes.count
            } else {
                tag()
            }
        }
        endSegment()
        referred.join(&markedItems)
    }

    // MARK: Text

    private mutating func show(_ byte: UInt8) {
        if isInTitle {
            title.append(byte)
            return
        }
        guard !area.isHidden else { return }
        segment.text.append(byte)
        flow.append(byte)
    }

    /// Ends what is said; what comes next is another statement.
    private mutating func endSegment() {
        var ended = segment
        segment = Segment()
        guard ended.text.contains(where: { $0 > 0x20 }) else { return }
        if let rank = headingRank {
            if rank == 1, headings.count < Self.mostHeadings { headings.append(ended.text) }
            if rank > 1 {
                let isRelated = PageWording.related.isIn(PlainLetters.plain(ended.text))
                if isRelated { relatedRank = min(rank, relatedRank ?? rank) }
            }
        }
        let isAbout = !area.isBeside && relatedRank == nil
        ended.place = isAbout ? (headingRank == 1 ? .heading : area.isUncertain ? .aside : .main) : nil
        ended.isInert = area.isInert || headingRank == 1
        segments.append(ended)
    }

    // MARK: Elements

    private mutating func tag() {
        let start = place + 1
        let end = MarkupTag.end(bytes, from: start)
        // Of a tag that the page was cut in nobody knows what its last value is.
        guard end < bytes.count else {
            place = bytes.count
            return
        }
        let tag = MarkupTag(bytes[start..<end])
        place = end + 1
        if isInTitle {
            // Nothing but its own end is a tag in a title.
            if tag.isEnd, tag.name == "title" { isInTitle = false } else { title.append(0x20) }
            return
        }
        if !MarkupTag.inline.contains(tag.name) { endSegment() }
        // Words on both sides of an element are two words, but where it only changes their letters.
        if !MarkupTag.lettering.contains(tag.name) { show(0x20) }
        if tag.name == "sup", !tag.isEnd, beginsCents() { flow.append(UInt8(ascii: ".")) }
        if tag.isEnd { close(tag.name) } else { open(tag) }
    }

    /// Whether two raised digits follow a number that has no point yet: `$45<sup>99</sup>` is 45.99.
    private func beginsCents() -> Bool {
        let cents = bytes[place...].prefix(7)
        guard !area.isHidden, cents.prefix(2).allSatisfy(Self.isDigit), cents.dropFirst(2).elementsEqual("</sup".utf8),
            let end = flow.lastIndex(where: { $0 > 0x20 }), Self.isDigit(flow[end])
        else { return false }
        let number = flow[...end].reversed().prefix { Self.isDigit($0) || $0 == 0x2C || $0 == 0x2E }
        let group = number.prefix(while: Self.isDigit).count
        return group == number.count || group == 3
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func open(_ tag: MarkupTag) {
        if tag.name == "title" {
            isInTitle = title.isEmpty
            return
        }
        if tag.name == "meta", refresh == nil, tag["http-equiv"]?.lowercased() == "refresh" {
            refresh = tag["content"].map(PlainMarkup.decoded)
        }
        if let rank = tag.headingRank {
            headingRank = rank
            if let related = relatedRank, rank <= related { relatedRank = nil }
        }
        // These end where the next of their kind begins, and a paragraph where anything like it does.
        if let last = elements.last, last.name == "p" ? MarkupTag.endsParagraph(tag.name) : last.name == tag.name,
            MarkupTag.impliedEnds.contains(last.name)
        {
            pop()
        }
        var within = tag.area(within: area)
        if style.mayHide(tag) { within.isUncertain = true }
        var property: (item: Int, names: [String], start: Int)?
        if within.isHidden || within.isBeside || relatedRank != nil {
            within.item = nil
        } else {
            property = mark(tag, &within)
        }
        if !within.isLike(area) { endSegment() }
        if tag.name == "input", let label = tag.buttonLabel {
            let outside = area
            area = within
            for byte in label.utf8 { show(byte) }
            endSegment()
            area = outside
        }
        if MarkupTag.raw.contains(tag.name) {
            skip(tag)
        } else if !MarkupTag.empty.contains(tag.name), elements.count < Self.mostElements {
            elements.append(Element(name: tag.name, area: area, property: property))
            area = within
        }
    }

    private mutating func close(_ name: String) {
        if name.utf8.first == UInt8(ascii: "h"), name.utf8.count == 2 { headingRank = nil }
        guard let depth = elements.suffix(Self.mostUnclosed).lastIndex(where: { $0.name == name }) else { return }
        while elements.count > depth { pop() }
    }

    private mutating func pop() {
        guard let element = elements.popLast() else { return }
        // A change of place ends what is said, also within a line.
        if !area.isLike(element.area) { endSegment() }
        area = element.area
        guard let property = element.property else { return }
        let text = String(decoding: flow[property.start...].prefix(Self.longestProperty), as: UTF8.self)
        note(property.names, .text(PlainMarkup.decoded(text)), of: property.item)
    }

    private mutating func skip(_ tag: MarkupTag) {
        let end = MarkupTag.find(Array("</\(tag.name)".utf8), in: bytes, from: place) ?? bytes.count
        if tag.name == "script", tag["type"]?.lowercased().contains("ld+json") == true {
            linkedData.append(bytes[place..<end])
        }
        place = end
    }

    // MARK: Marked items

    /// Takes down what an element says for machines; returns the property whose value is its text.
    private mutating func mark(_ tag: MarkupTag, _ within: inout Area) -> (item: Int, names: [String], start: Int)? {
        if area.item == nil, markedItems.count < Self.mostItems, referred.begins(tag["id"], at: markedItems.count) {
            markedItems.append(MarkedItem(types: [], isTop: false))
            within.item = markedItems.count - 1
        }
        let outer = area.item ?? within.item
        let names = (tag["itemprop"] ?? "").split { $0.isWhitespace }.map { $0.lowercased() }
        if tag["itemscope"] != nil, markedItems.count < Self.mostItems {
            let types = (tag["itemtype"] ?? "").split { $0.isWhitespace }.map(String.init)
            let parent = names.isEmpty ? nil : outer
            markedItems.append(MarkedItem(types: types, isTop: parent == nil))
            within.item = markedItems.count - 1
            referred.note(tag["itemref"], of: markedItems.count - 1)
            if let parent { note(names, .item(markedItems.count - 1), of: parent) }
            return nil
        }
        if let item = outer, !names.isEmpty {
            if let value = tag.value {
                note(names, .text(PlainMarkup.decoded(value)), of: item)
                return nil
            }
            return MarkupTag.empty.contains(tag.name) ? nil : (item, names, flow.count)
        }
        noteLoose(tag)
        return nil
    }

    private mutating func note(_ names: [String], _ value: MarkedItem.Value, of item: Int) {
        for name in names where markedItems[item].properties.count < MarkedItem.mostProperties {
            markedItems[item].properties.append((name, value))
        }
    }

    private mutating func noteLoose(_ tag: MarkupTag) {
        guard properties.count < Self.mostProperties, let name = tag["itemprop"] ?? tag["property"] ?? tag["name"],
            let content = tag["content"] ?? tag["href"]
        else { return }
        let own = name.lowercased()
        let plain = own.hasPrefix("schema:") ? String(own.dropFirst("schema:".count)) : own
        properties.append((plain, PlainMarkup.decoded(content)))
    }
}
