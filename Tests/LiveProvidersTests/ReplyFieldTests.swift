import HTTPClient
import JSONDocument
import KnotDomain
import Recommendation
import Testing

@testable import LiveProviders

/// One field of one item at a time is missing, null, of another type or nonsense: every field, every adapter.
@Suite("A reply with one field that is not as it should be")
struct ReplyFieldTests {
    /// A service, and its reply with an item whose fields are changed, one that is whole, and one that cannot be had.
    struct Service: Sendable, CustomTestStringConvertible {
        let name: String
        let reply: String
        /// Where the items are.
        let list: [String]
        /// What tells items apart.
        let id: [JSONStep]
        let title: [JSONStep]
        let link: [JSONStep]
        /// What says that an item cannot be had, and how.
        let gone: [JSONStep]
        let goneValue: JSONValue

        var testDescription: String { name }

        /// The page with these items, which are the first item of the reply, changed.
        func page(_ items: [JSONValue]) throws -> JSONValue {
            try JSONParser.parse(reply).changed(at: list.map { .name($0) }, to: .array(items))
        }

        func first() throws -> JSONValue {
            var value = try JSONParser.parse(reply)
            for name in list { value = try #require(value[name]) }
            return try #require(value.array?.first)
        }

        /// An item of its own, named by a letter.
        func item(_ letter: String) throws -> JSONValue {
            try first().changed(at: id, to: .string("item-\(letter)-000000000000000"))
                .changed(at: title, to: .string("Thing \(letter)"))
                .changed(at: link, to: .string("https://shop.example/\(letter)"))
        }

        func candidates(_ page: JSONValue) async throws -> [Candidate] {
            try await candidates(JSONWriter.text(page))
        }

        func candidates(_ text: String) async throws -> [Candidate] {
            let sender = ScriptedSender { request in
                request.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(text)
            }
            let adapter: any LiveService =
                switch name {
                case "yelp": Adapters.yelp(sender)
                case "ticketmaster": Adapters.ticketmaster(sender)
                case "amazon": Adapters.amazon(sender)
                case "shopify": Adapters.shopify(sender)
                default: Adapters.firecrawl(sender, readsPages: true)
                }
            let query = ProviderQuery.invented(
                adapter.capability.name,
                ["cooking"],
                types: adapter.capability.types
            )
            return try await adapter.candidates(for: query)
        }
    }

    static let services = [
        Service(
            name: "yelp",
            reply: Replies.yelp,
            list: ["businesses"],
            id: ["id"],
            title: ["name"],
            link: ["url"],
            gone: ["is_closed"],
            goneValue: true
        ),
        Service(
            name: "ticketmaster",
            reply: Replies.ticketmaster,
            list: ["_embedded", "events"],
            id: ["id"],
            title: ["name"],
            link: ["url"],
            gone: ["dates", "status", "code"],
            goneValue: "cancelled"
        ),
        Service(
            name: "amazon",
            reply: Replies.amazon,
            list: ["searchResult", "items"],
            id: ["asin"],
            title: ["itemInfo", "title", "displayValue"],
            link: ["detailPageURL"],
            gone: ["offersV2", "listings", 0, "availability", "type"],
            goneValue: "OUT_OF_STOCK"
        ),
        Service(
            name: "shopify",
            reply: Replies.shopifyCatalogue,
            list: ["result", "structuredContent", "products"],
            id: ["id"],
            title: ["title"],
            link: ["url"],
            gone: ["variants", 0, "availability", "available"],
            goneValue: false
        ),
        Service(
            name: "firecrawl",
            reply: Replies.firecrawlRead,
            list: ["data", "web"],
            id: ["metadata", "url"],
            title: ["product", "title"],
            link: ["metadata", "url"],
            gone: ["product", "variants", 0, "availability", "inStock"],
            goneValue: false
        ),
    ]

    /// Nil takes the member away.
    private static func mutants(of value: JSONValue) -> [JSONValue?] {
        let written: JSONValue? =
            switch value {
            case .bool, .integer, .number: .string(JSONWriter.text(value))
            default: nil
            }
        return [
            nil, .null, true, -1, .integer(.max), .number(1e300), "x", "", [], [:], [[:]], [value], written ?? .null,
            .string("\u{202E}\u{1B}[2J\u{0}"), .string(String(repeating: "9", count: 400)),
        ]
    }

    /// A fact is what the reply says when it is whole, or it is unknown.
    private func isInvented(_ found: Candidate, beside whole: Candidate) -> String? {
        if let price = found.priceCents {
            if price != whole.priceCents { return "a price of \(price)" }
            if found.currency != whole.currency { return "a price in \(found.currency.code)" }
        }
        if let start = found.startsAt, start != whole.startsAt { return "a beginning at \(start.iso8601)" }
        if let days = found.shipsInDays, days != whole.shipsInDays { return "\(days) days of delivery" }
        if let rating = found.rating, rating != whole.rating { return "\(rating) stars" }
        if let count = found.reviewCount, count != whole.reviewCount { return "\(count) reviews" }
        return nil
    }

    @Test(arguments: services)
    func `costs that item at most, and nothing is invented for it`(service: Service) async throws {
        let (item, other) = (try service.item("a"), try service.item("b"))
        let whole = try await service.candidates(try service.page([item, other]))
        try #require(whole.count == 2, "\(whole)")
        var kept = 0
        var tried = 0
        for path in item.paths {
            guard let value = item.value(at: path) else { continue }
            for mutant in Self.mutants(of: value) {
                let page = try service.page([item.changed(at: path, to: mutant), other])
                let found = try await service.candidates(page)
                let said = "\(path) = \(mutant.map { JSONWriter.text($0).prefix(60).description } ?? "nothing")"
                #expect(found.contains(whole[1]), "\(said) costs the other item")
                tried += 1
                guard let changed = found.first(where: { $0.id != whole[1].id }) else { continue }
                kept += 1
                // A field may also be what tells the item apart, and then nothing else has changed.
                if let invented = isInvented(changed, beside: whole[0]) { Issue.record("\(said) makes \(invented)") }
            }
        }
        // Most fields are adornment: to drop every odd item would pass the test above.
        #expect(tried > 200 && kept * 2 > tried, "\(kept) of \(tried)")
    }

    @Test(arguments: services)
    func `does not bring back what cannot be had`(service: Service) async throws {
        let gone = try service.item("c").changed(at: service.gone, to: service.goneValue)
        let other = try service.item("b")
        let alone = try await service.candidates(try service.page([gone, other]))
        try #require(alone.count == 1)
        let odd: [JSONValue] = ["x", "", [], [:], [[:]], -1, .number(1e300), [service.goneValue]]
        let written = JSONValue.string(service.goneValue.string ?? JSONWriter.text(service.goneValue))
        for mutant in odd + [written] {
            let page = try service.page([gone.changed(at: service.gone, to: mutant), other])
            #expect(try await service.candidates(page) == alone, "\(JSONWriter.text(mutant))")
        }
    }

    /// Events that are called off, have no day or no time yet, or are none.
    @Test(
        arguments: [
            (["dates", "status"], "cancelled", false), (["test"], "true", false), (["test"], 1, false),
            (["dates", "start", "dateTBD"], true, false), (["dates", "start", "dateTBA"], "true", false),
            (["dates", "start", "timeTBA"], "true", true), (["dates", "start", "noSpecificTime"], 1, true),
        ] as [([JSONStep], JSONValue, Bool)]
    )
    func `has no day and no time that are not fixed`(path: [JSONStep], value: JSONValue, isKept: Bool) async throws {
        let service = try #require(Self.services.first { $0.name == "ticketmaster" })
        let found = try await service.candidates(
            try service.page([try service.item("a").changed(at: path, to: value)])
        )
        #expect(found.count == (isKept ? 1 : 0))
        #expect(found.allSatisfy { $0.startsAt == nil })
    }

    /// What is used, or has a price that may not be shown, is no plain new offer, however that is written.
    @Test(
        arguments: [
            (["condition"], "Used"), (["condition", "value"], ["Used"]), (["condition", "value"], 7),
            (["violatesMAP"], "true"), (["violatesMAP"], 1), (["violatesMAP"], "yes"),
        ] as [([JSONStep], JSONValue)]
    )
    func `shows no price that is not that of a plain new offer`(path: [JSONStep], value: JSONValue) async throws {
        let service = try #require(Self.services.first { $0.name == "amazon" })
        let listing: [JSONStep] = ["offersV2", "listings", 0]
        let item = try service.item("a").changed(at: listing + path, to: value)
        let found = try await service.candidates(try service.page([item]))
        #expect(found.allSatisfy { $0.priceCents == nil }, "\(found)")
    }

    /// Some cut texts in the middle of a character; strict readers take such a document for none.
    @Test(arguments: services)
    func `loses nothing where a text has half a character`(service: Service) async throws {
        let page = try service.page([service.item("A"), service.item("B")])
        let text = JSONWriter.text(page).replacing("Thing A", with: #"Thing A\ud83d"#)
        let found = try await service.candidates(text)
        #expect(found.count == 2 && found[0].title.hasPrefix("Thing A") && found[1].title == "Thing B", "\(found)")
    }

    @Test(arguments: services)
    func `is read through references of HTML, and shows nothing that they hide`(service: Service) async throws {
        let named = try service.item("A")
            .changed(at: service.title, to: "Salt &amp; Straw&#39;s &#x201C;Kettle&rdquo; &#27;[31m&#8238;&amp;lt;")
        let found = try #require(try await service.candidates(service.page([named])).first)
        #expect(found.title == "Salt & Straw's “Kettle” [31m&lt;", "\(found.title)")
    }

    @Test func `has a description without references, so that no refused word hides in one`() {
        var draft = CandidateDraft(
            provider: ProviderName("amazon"),
            id: "A",
            type: .gift,
            title: "A box",
            url: "https://shop.example/a",
            currency: Currency("USD")
        )
        draft.description = "Gew&uuml;rztraminer, cas&shy;hews &amp; more"
        #expect(draft.candidate?.description == "Gewürztraminer, cashews & more")
    }

    /// What browsers make of a host is not what stands there.
    static let disguised = [
        "127\u{3002}0\u{3002}0\u{3002}1", "127\u{FF0E}0\u{FF0E}0\u{FF0E}1", "\u{FF11}\u{FF19}\u{FF12}.168.0.1",
        "\u{2460}\u{2461}\u{2466}.\u{24EA}.0.1", "\u{24DB}ocalhost", "loc%61lhost", "%31%32%37.0.0.1", "localhost.",
        "127.0.0.1.", "router.lan.", "nas.local.:8080", "10.0.0.1.:443", "192.168.0.1", "[fe80::1%25eth0]", "0x7f.1",
        "192.168.0.1:", "192.168.0.1:0443", "localhost:", "[::1]:", "[fd00::1]:00443", "a@192.168.0.1:",
        "10.0.0.1/" + String(repeating: "é", count: 600),
    ]

    /// Hosts that readers take for different places, or people for another shop.
    private static let misleading = [
        "shop.example:00443", "shop.example:0x1bb", "lb..example.com", ".shop.example", "shop.example..", "-a.example",
        "\u{430}mazon.com", "xn--mazon-3ve.com", "p\u{430}ypal.com",
    ]

    @Test(arguments: services)
    func `leads to no host that is odd or looks like another`(service: Service) async throws {
        for host in Self.misleading {
            let item = try service.item("A").changed(at: service.link, to: .string("https://\(host)/x"))
            #expect(try await service.candidates(service.page([item])).isEmpty, "\(host)")
        }
    }

    @Test(arguments: services)
    func `leads into no network of the reader's own, however its host is written`(service: Service) async throws {
        for host in Self.disguised {
            let item = try service.item("A").changed(at: service.link, to: .string("https://\(host)/x"))
            #expect(try await service.candidates(service.page([item])).isEmpty, "\(host)")
        }
        for host in [
            "bücher.example", "straße.example", "陶器.example", "www.shop.example.", "xn--bcher-kva.example",
            "a.example:",
        ] {
            let item = try service.item("A").changed(at: service.link, to: .string("https://\(host)/x"))
            #expect(try await service.candidates(service.page([item])).count == 1, "\(host)")
        }
    }

    @Test func `shows no image that the reader's own network would be asked for`() async throws {
        let service = try #require(Self.services.first { $0.name == "yelp" })
        for host in Self.disguised + ["127.0.0.1:631", "[::1]", "localhost"] {
            let item = try service.item("A").changed(at: ["image_url"], to: .string("http://\(host)/x.png"))
            let found = try #require(try await service.candidates(service.page([item])).first)
            #expect(found.imageURL == nil, "\(host)")
        }
    }

    /// The cheapest of several offers is one that can be bought: nothing below nothing.
    @Test func `takes a price of nothing for none, and the others for what they are`() async throws {
        let service = try #require(Self.services.first { $0.name == "shopify" })
        let item = try service.item("a")
        let variant = try #require(item.value(at: ["variants", 0]))
        for amount in [-5, 0] as [JSONValue] {
            let odd = variant.changed(at: ["price", "amount"], to: amount)
            let page = try service.page([item.changed(at: ["variants"], to: [odd, variant])])
            #expect(try await service.candidates(page).map(\.priceCents) == [4_200])
        }
    }
}

/// A member's name, or a place in a list.
enum JSONStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case name(String)
    case place(Int)

    init(stringLiteral name: String) { self = .name(name) }
    init(integerLiteral place: Int) { self = .place(place) }
}

extension JSONValue {
    /// Every path within this, down to what has no parts.
    var paths: [[JSONStep]] {
        let parts: [(JSONStep, JSONValue)] =
            switch self {
            case .object(let object): object.members.map { (.name($0.name), $0.value) }
            case .array(let items): items.enumerated().map { (.place($0.offset), $0.element) }
            default: []
            }
        return parts.flatMap { step, value in [[step]] + value.paths.map { [step] + $0 } }
    }

    func value(at path: some Collection<JSONStep>) -> JSONValue? {
        guard let step = path.first else { return self }
        let part: JSONValue? =
            switch step {
            case .name(let name): self[name]
            case .place(let place): array.flatMap { $0.indices.contains(place) ? $0[place] : nil }
            }
        return part?.value(at: path.dropFirst())
    }

    /// The same with another value at a path, or with none.
    func changed(at path: some Collection<JSONStep>, to value: JSONValue?) -> JSONValue {
        guard let step = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch (self, step) {
        case (.object(let object), .name(let name)):
            var members = object.members.filter { $0.name != name || !rest.isEmpty || value != nil }
            if let place = members.firstIndex(where: { $0.name == name }) {
                members[place] = .init(name: name, value: members[place].value.changed(at: rest, to: value))
            } else if let value {
                members.append(.init(name: name, value: JSONValue.object(JSONObject()).changed(at: rest, to: value)))
            }
            return .object(JSONObject(members))
        case (.array(var items), .place(let place)) where items.indices.contains(place):
            if rest.isEmpty, value == nil {
                items.remove(at: place)
            } else {
                items[place] = items[place].changed(at: rest, to: value)
            }
            return .array(items)
        default: return self
        }
    }
}
