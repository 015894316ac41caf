import JSONDocument
import KnotDomain
import Recommendation

/// One thing of linked data, whose names may be written with their vocabulary: `offers`, `schema:offers`,
/// `https://schema.org/offers`.
struct SchemaNode {
    private let members: [(name: String, value: JSONValue)]
    /// Its kinds in small letters, without their vocabulary.
    let types: [String]

    /// Nil where it is no thing.
    init?(_ value: JSONValue) {
        guard let object = value.object else { return nil }
        members = object.members.map { (Self.local($0.name).lowercased(), $0.value) }
        types = Self.texts(value["@type"] ?? value["type"]).map { Self.local($0).lowercased() }
    }

    /// Names in small letters.
    subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    func texts(_ name: String) -> [String] { Self.texts(self[name]) }

    func text(_ name: String) -> String? { texts(name).first }

    /// The day of a moment; only that decides here.
    func day(_ name: String) -> CivilDate? { text(name).flatMap { CivilDate(iso8601: String($0.prefix(10))) } }

    /// The things that a member says, at most so many.
    func nodes(_ name: String, most: Int = 100) -> [SchemaNode] {
        guard let value = self[name] else { return [] }
        return (value.array ?? [value]).prefix(most).compactMap(SchemaNode.init)
    }

    static func texts(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text): [text]
        case .integer(let number): [String(number)]
        case .array(let items): items.prefix(100).compactMap { $0.string ?? named($0) }
        case .object: [value.flatMap(named) ?? value?["name"]?.string].compactMap { $0 }
        default: []
        }
    }

    /// What a thing is called, or what stands in it as its value.
    private static func named(_ value: JSONValue) -> String? {
        value["@id"]?.string ?? value["@value"].flatMap { $0.string ?? $0.int.map { String($0) } }
    }

    /// A name without the vocabulary that it is of.
    static func local(_ name: String) -> String {
        let last = name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ":") }
            .last
        return last.map { String(decoding: $0, as: UTF8.self) } ?? name
    }

    /// Whether a member counts pieces, seats or offers and there are none.
    func isNone(_ name: String) -> Bool {
        guard let value = self[name] else { return false }
        let said = value.object == nil ? value : (value["value"] ?? value["maxValue"] ?? .null)
        return said.measure == 0
    }

    // MARK: Words of the vocabulary

    /// A state in schema.org's words or in the plain ones of Open Graph; nil where it says nothing.
    static func state(_ text: String) -> AvailabilityProbe.Signal? {
        let letters = local(text).lowercased().utf8.filter { (0x61...0x7A).contains($0) }
        switch String(decoding: letters, as: UTF8.self) {
        case "instock", "limitedavailability", "onlineonly", "instoreonly", "preorder", "presale", "backorder",
            "madetoorder", "available", "availablefororder":
            return .inStock
        case "outofstock", "soldout", "reserved", "discontinued", "oos", "eventcancelled", "eventcanceled",
            "unavailable":
            return .outOfStock
        default: return nil
        }
    }

    /// What can be bought or visited, besides every kind of event and whatever has offers; a recipe or an article says nothing of
    /// an offer.
    private static let itemTypes: Set<String> = [
        "product", "productgroup", "individualproduct", "productmodel", "book", "festival", "course", "service",
        "vehicle", "car", "someproducts",
    ]

    /// Whether it holds for whoever has joined something, and for nobody else.
    var isOfMembers: Bool { self["validformembertier"].map { !$0.isNull } ?? false }

    /// Whether whoever buys one piece pays it once: no charge beside it, no rate, no price of ten at a time.
    var isAskedOfOne: Bool {
        let isCharge = types.contains { $0.hasSuffix("chargespecification") }
        let component = text("pricecomponenttype").map { Self.local($0).lowercased() } ?? "saleprice"
        let least = nodes("eligiblequantity", most: 1).first?["minvalue"]?.measure ?? 1
        return !isCharge && component == "saleprice" && least <= 1 && self["billingduration"].map(\.isNull) ?? true
    }

    /// Whether it is lent or taken, and not sold.
    var isNoSale: Bool {
        ["leaseout", "buy"].contains(Self.local(text("businessfunction") ?? "").lowercased())
    }

    var isEvent: Bool { types.contains { $0.hasSuffix("event") || $0 == "festival" } }
    var isOffer: Bool { types.contains { $0 == "offer" || $0 == "aggregateoffer" || $0 == "demand" } }
    var isItem: Bool {
        isEvent || types.contains(where: Self.itemTypes.contains) || !isOffer && !types.isEmpty && self["offers"] != nil
    }
}
