import JSONDocument
import KnotDomain
import Recommendation

/// A thing that a page offers, with its offers.
struct OfferedItem {
    var names: [String] = []
    /// Those of what it is a form of.
    var groupNames: [String] = []
    var urls: [String] = []
    /// Whether it is named within another thing, so that it is the page's own only by its name.
    var isOfOthers = false
    /// Whether the page says that it is about this thing.
    var isMain = false
    var offers: [ItemOffer] = []
    /// The offers as they are written.
    var sources: [JSONValue] = []
    /// What is said of the thing itself, apart from its offers.
    var isCancelled = false
    var isPostponed = false
    var isOver = false
    /// Whether no seat is left, where no offer says otherwise.
    var isFull = false
    /// When it is, of an event.
    var time: EventTime?
    /// When it was to be before it was moved.
    var earlierTimes: [EventTime] = []
    /// Whether what it offers is said elsewhere, and not on this page.
    var isUnresolved = false

    /// New ones where there are any: what somebody has used is another thing.
    private var counted: [ItemOffer] {
        let new = offers.filter { !$0.isUsed }
        return new.isEmpty ? offers : new
    }

    var signal: AvailabilityProbe.Signal? {
        if isCancelled || isOver { return .outOfStock }
        let states = counted.compactMap(\.state)
        if states.isEmpty, isFull { return .outOfStock }
        if isPostponed { return states.contains(.inStock) ? nil : .outOfStock }
        return states.contains(.inStock) ? .inStock : states.first
    }

    /// Tickets of something that has no day any more.
    var isContradicted: Bool { isPostponed && signal == nil }
    /// Whether it is gone whatever else the page says: a day that is over, of which no ticket is offered, or called off.
    var isPast: Bool { isCancelled || isOver && !counted.contains { $0.state == .inStock } }
    /// Nothing but offers that are over, or that stand where nobody looks.
    var isDoubtful: Bool { signal == nil && (isUnresolved || offers.contains(where: \.isOver)) }
}

/// One offer of a thing.
struct ItemOffer {
    var state: AvailabilityProbe.Signal?
    var price: PriceRange?
    /// Whether it asks something that nobody can read.
    var isUnreadable = false
    /// Its own address, or that of the form that it is of.
    var urls: [String] = []
    /// Whether it is of a used one, or sells none.
    var isUsed = false
    /// Whether it says that it holds no longer.
    var isOver = false
    /// The currencies that it names, in capitals.
    var currencies: [String] = []
}

/// Goes through linked data and takes down the things that are offered, each with its own offers.
struct ItemWalk {
    private(set) var items: [OfferedItem] = []

    private let currency: Currency
    private let today: CivilDate?
    private let linked: LinkedNodes
    private var nodes = Self.mostNodes
    /// The names that led to where it is.
    private var path: [String] = []
    /// The names of what has been read.
    private var seen: Set<String> = []
    /// The names of what the page says that it is about.
    private var mains: Set<String> = []
    /// What is read at last, where no other thing has led to it.
    private var pending: [(id: String, place: Place)] = []

    /// As many things as are looked at, and as many of them as can be offered.
    private static let mostNodes = 2_000
    private static let mostItems = 100
    /// As many names as are followed, one from another.
    private static let mostFollowed = 8

    init(_ values: [JSONValue], currency: Currency, today: CivilDate?) {
        self.currency = currency
        self.today = today
        linked = LinkedNodes(values)
        for value in values {
            nodes = Self.mostNodes
            read(value, .page)
        }
        for (id, place) in pending where !seen.contains(id) {
            nodes = Self.mostNodes
            if let node = linked[id] { follow(node, named: id, place) }
        }
        for index in items.indices where items[index].urls.contains(where: mains.contains) {
            items[index].isMain = true
        }
    }

    /// Where a thing is named that is read.
    fileprivate enum Place {
        case page
        /// The one thing that the page says it is about.
        case main
        /// Among what a house offers besides what the page is about.
        case range
        case offers(of: Int)
        case variant(of: Int)
    }

    private mutating func read(_ value: JSONValue, _ place: Place) {
        guard nodes > 0 else { return }
        nodes -= 1
        if let list = value.array {
            for one in list { read(one, place) }
            return
        }
        if let id = LinkedNodes.reference(value) {
            switch place {
            case .page, .range: pending.append((id, place))
            case .main:
                mains.insert(id)
                pending.append((id, place))
            case .offers(let index), .variant(let index):
                if let node = linked[id] { follow(node, named: id, place) } else { items[index].isUnresolved = true }
            }
            return
        }
        guard let node = SchemaNode(value) else { return }
        if let id = value["@id"]?.string {
            if path.isEmpty, place.isOutside, linked.parts.contains(id) {
                pending.append((id, place))
                return
            }
            seen.insert(id)
        }
        switch place {
        case .offers(let index): readOffer(node, value, of: index)
        case .variant(let index): readItem(node, value, index)
        case .page, .main, .range:
            if node.isOffer {
                readLooseOffer(node, value, isOfOthers: place.isRange)
            } else if node.isItem {
                let item = OfferedItem(isOfOthers: place.isRange, isMain: place.isMain)
                if let index = add(item) { readItem(node, value, index) }
            } else {
                follow(node, place)
            }
        }
    }

    /// Reads what a name stands for; no name leads to itself.
    private mutating func follow(_ value: JSONValue, named id: String, _ place: Place) {
        guard !path.contains(id), path.count < Self.mostFollowed else { return }
        path.append(id)
        read(value, place)
        path.removeLast()
    }

    /// Into what is no offer itself: lists of items, menus and reviews speak of others.
    private mutating func follow(_ node: SchemaNode, _ place: Place) {
        for name in ["@graph", "mainentity", "mainentityofpage", "about", "offers"] {
            let isMain = name == "mainentity" && !place.isRange
            if let value = node[name] { read(value, isMain ? .main : place) }
        }
        for name in ["makesoffer", "hasoffercatalog", "itemlistelement", "item"] {
            if let value = node[name] { read(value, .range) }
        }
    }

    private mutating func add(_ item: OfferedItem) -> Int? {
        guard items.count < Self.mostItems else { return nil }
        items.append(item)
        return items.count - 1
    }

    private mutating func readItem(_ node: SchemaNode, _ value: JSONValue, _ index: Int) {
        items[index].names += node.texts("name").prefix(3)
        // A form may be called as what it is a form of.
        for group in node.nodes("isvariantof", most: 3) {
            let id = group.text("@id")
            let named = id.flatMap { linked[$0] }.flatMap(SchemaNode.init) ?? group
            items[index].groupNames += named.texts("name").prefix(3)
        }
        items[index].sources.append(value)
        items[index].urls += ["url", "@id", "mainentityofpage"].flatMap { node.texts($0).prefix(3) }
        switch SchemaNode.local(node.text("eventstatus") ?? "").lowercased() {
        case "eventcancelled", "eventcanceled", "cancelled", "canceled": items[index].isCancelled = true
        case "eventpostponed", "postponed": items[index].isPostponed = true
        default: break
        }
        // Days end everywhere some hours after they end in one place; what only begins may go on for another day.
        if node.isEvent, let today, let end = node.day("enddate") ?? node.day("startdate")?.adding(days: 1) {
            if end.adding(days: 1) < today { items[index].isOver = true }
        }
        if node.isEvent {
            let end = node.text("enddate")
            items[index].time = node.text("startdate").map { EventTime(start: $0, end: end) }
            items[index].earlierTimes = node.texts("previousstartdate").prefix(3).map { EventTime(start: $0, end: nil) }
        }
        if node.isNone("remainingattendeecapacity") { items[index].isFull = true }
        let first = items[index].offers.count
        if node["availability"] != nil || node["price"] != nil { readOffer(node, value, of: index) }
        if let offers = node["offers"] { read(offers, .offers(of: index)) }
        let own = Array(node.texts("url").prefix(3))
        for place in items[index].offers.indices.dropFirst(first) where items[index].offers[place].urls.isEmpty {
            items[index].offers[place].urls = own
        }
        for name in ["hasvariant", "workexample", "model"] {
            if let variants = node[name] { read(variants, .variant(of: index)) }
        }
    }

    /// An offer that stands by itself is of what it names.
    private mutating func readLooseOffer(_ node: SchemaNode, _ value: JSONValue, isOfOthers: Bool) {
        let offered = node.nodes("itemoffered", most: 1).first
        var item = OfferedItem(isOfOthers: isOfOthers)
        item.names = offered?.texts("name") ?? node.texts("name")
        item.urls = (offered?.texts("url") ?? []) + node.texts("url")
        // Several offers without a name are those of one thing.
        let known = item.names.isEmpty ? items.firstIndex { $0.names.isEmpty && $0.isOfOthers == isOfOthers } : nil
        if let index = known ?? add(item) { readOffer(node, value, of: index) }
    }

    private mutating func readOffer(_ node: SchemaNode, _ value: JSONValue, of index: Int) {
        var offer = ItemOffer()
        let states = node.texts("availability").compactMap(SchemaNode.state)
        offer.state = states.contains(.inStock) ? .inStock : states.first
        if states.isEmpty, node.isNone("inventorylevel") || node.isNone("offercount") { offer.state = .outOfStock }
        offer.urls = Array(node.texts("url").prefix(3))
        offer.currencies = ([node] + node.nodes("pricespecification")).compactMap { $0.text("pricecurrency") }
        let condition = SchemaNode.local(node.text("itemcondition") ?? "").lowercased()
        offer.isUsed =
            ["usedcondition", "refurbishedcondition", "damagedcondition"].contains(condition) || node.isNoSale
        // Whatever it said was of its own time.
        if isOver(node, "validthrough", "availabilityends") {
            offer.isOver = true
            offer.state = nil
        }
        if !offer.isOver, !isOver(node, "pricevaliduntil"), !isToCome(node), !node.isOfMembers, !node.isNoSale,
            node.isAskedOfOne
        {
            let price = PriceRange(node, in: currency, isUnreadable: &offer.isUnreadable) { node in
                !isOver(node, "validthrough", "pricevaliduntil") && !isToCome(node)
            }
            offer.price = price
            if price != nil { offer.isUnreadable = false }
        }
        items[index].offers.append(offer)
        items[index].sources.append(value)
        if let offers = node["offers"], node.isOffer { read(offers, .offers(of: index)) }
    }

    /// Whether it holds from a day on that is still to come.
    private func isToCome(_ node: SchemaNode) -> Bool {
        guard let today, let start = node.day("validfrom") else { return false }
        return today < start
    }

    private func isOver(_ node: SchemaNode, _ names: String...) -> Bool {
        guard let today else { return false }
        return names.contains { name in node.day(name).map { $0.adding(days: 1) < today } ?? false }
    }
}

extension ItemWalk.Place {
    /// Whether it is read for itself, and not as a part of something.
    fileprivate var isOutside: Bool {
        switch self {
        case .page, .main, .range: true
        case .offers, .variant: false
        }
    }
    fileprivate var isRange: Bool { if case .range = self { true } else { false } }
    fileprivate var isMain: Bool { if case .main = self { true } else { false } }
}
