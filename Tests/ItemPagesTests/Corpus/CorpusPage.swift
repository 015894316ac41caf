import HTTPClient
import KnotDomain
import TestSupport

@testable import ItemPages

/// One page of a corpus, with the item that it is looked at for.
struct CorpusPage {
    let html: String
    let item: PageItem
    /// The way in which it is live or gone.
    let manner: String

    var reading: PageReading { PageReading(Array(html.utf8), of: item) }
}

/// Makes pages out of templates: shops, box offices and studios, each with a name, a price and a day drawn by a seed.
struct CorpusMaker {
    static let today = CivilDate(year: 2_026, month: 5, day: 5)
    /// The card's day in universal time: 20 June, half past seven in the evening of New York.
    static let startsAt = Instant(iso8601: "2026-06-20T23:30:00Z")
    static let ownDay = "2026-06-20T19:30:00-04:00"

    var random: SeededRandom
    let title: String
    let other: String
    let price: String
    let isEvent: Bool

    init(seed: UInt64, isEvent: Bool) {
        random = SeededRandom(seed: seed)
        self.isEvent = isEvent
        let makers = [
            "Amber", "Copper", "Juniper", "Harbor", "Linden", "Marlow", "Saffron", "Willow", "Quarry", "Orchard",
        ]
        let things = [
            "candle", "teapot", "scarf", "lamp", "puzzle", "notebook", "apron", "vase", "blanket", "music box",
        ]
        let evenings = ["quartet", "pottery class", "tasting", "comedy night", "ballet", "cruise", "cinema", "supper"]
        let maker = makers.randomElement(using: &random) ?? "Amber"
        let rest = makers.filter { $0 != maker }
        title = "\(maker) \((isEvent ? evenings : things).randomElement(using: &random) ?? "lamp")"
        other = "\(rest.randomElement(using: &random) ?? "Copper") tote bag"
        price = "\(Int.random(in: 20...180, using: &random)).00"
    }

    mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    // MARK: Parts

    var item: PageItem {
        PageItem(
            title: title,
            urls: (try? HTTPURL("https://shop.example/p/own-item")).map { [$0] } ?? [],
            priceCents: Int(price.prefix { $0 != "." }).map { $0 * 100 },
            currency: .usd,
            startsAt: isEvent ? Self.startsAt : nil,
            today: Self.today
        )
    }

    func offer(_ state: String, more: String = "") -> String {
        #"{"@type":"Offer","availability":"https://schema.org/\#(state)","price":"\#(price)","priceCurrency":"USD"\#(more)}"#
    }

    /// Data of a thing; of an event where a day is given.
    func data(
        _ name: String? = nil,
        offers: String? = nil,
        day: String? = nil,
        status: String = "EventScheduled",
        more: String = ""
    ) -> String {
        var members = [#""@context":"https://schema.org""#, #""name":"\#(name ?? title)""#]
        members.append(day == nil ? #""@type":"Product""# : #""@type":"Event","eventStatus":"\#(status)""#)
        if let day { members.append(#""startDate":"\#(day)""#) }
        if let offers { members.append(#""offers":\#(offers)"#) }
        return script("{\(members.joined(separator: ","))\(more)}")
    }

    func script(_ json: String) -> String { "<script type=\"application/ld+json\">\(json)</script>" }

    func marked(_ state: String) -> String {
        """
        <div itemscope itemtype="https://schema.org/Product"><h2 itemprop="name">\(title)</h2><div itemprop="offers"
        itemscope itemtype="https://schema.org/Offer"><span itemprop="price">\(price)</span><meta
        itemprop="priceCurrency" content="USD"><link itemprop="availability" href="https://schema.org/\(state)"></div></div>
        """
    }

    mutating func button() -> String {
        let label =
            isEvent
            ? pick(["Buy tickets", "Book now", "Get tickets"]) : pick(["Add to cart", "Add to bag", "Buy now"])
        return pick([
            "<button type=submit>\(label)</button>", "<a class=btn href=/go>\(label)</a>",
            "<input type=submit value='\(label)'>", "<form action=/c><button><span>\(label)</span></button></form>",
        ])
    }

    /// A page around its own parts, in one of several shapes.
    mutating func page(_ body: String, head: String = "", manner: String) -> CorpusPage {
        let words = pick([
            "<p>Made by hand in small numbers, each a little different from the last.</p>",
            "<p>An evening to remember, with a drink at the start and good company.</p>",
            "<h2>Details</h2><ul><li>Two hours</li><li>All levels</li></ul>", "",
        ])
        let top = pick([
            "<nav><a href=/>Home</a> <a href=/sold-out>Sold out</a></nav>",
            "<header><a href=/>Shop</a> <a href=/tickets>Find tickets</a></header>", "",
        ])
        let foot = pick([
            "<footer><p>Returns within 30 days. Out of stock items are refunded.</p></footer>",
            "<section class=related-products><h2>You may also like</h2><p>\(other)</p><p>Sold out</p></section>", "",
        ])
        let money = "<p class=price>$\(price)</p>"
        let order = Bool.random(using: &random) ? money + body + words : words + money + body
        let html = """
            <!doctype html><html><head><meta charset=utf-8><title>\(title) | Shop</title>\(head)</head><body>\(top)<main>
            <h1>\(title)</h1>\(order)</main>\(foot)</body></html>
            """
        return CorpusPage(html: html, item: item, manner: manner)
    }
}
