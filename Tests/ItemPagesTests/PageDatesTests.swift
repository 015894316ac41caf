import HTTPClient
import KnotDomain
import Recommendation
import Testing

@testable import ItemPages

/// A show of several evenings, and a thing in several forms: the card is of one of them.
@Suite("What a page says of one of several dates and forms")
struct PageDatesTests {
    private static let today = CivilDate(year: 2_026, month: 11, day: 26)
    /// Half past seven in the evening of 11 December in New York.
    private static let evening = Instant(iso8601: "2026-12-12T00:30:00Z")

    private func reading(
        _ data: String...,
        startsAt: Instant? = evening,
        asked: String = "/shows/quartet",
        body: String = ""
    ) throws -> PageReading {
        let scripts = data.map { "<script type=\"application/ld+json\">\($0)</script>" }.joined()
        let page = "<title>Quartet | Hall</title>\(scripts)<h1>Quartet</h1>\(body)"
        let item = PageItem(
            title: "Quartet",
            urls: [try HTTPURL("https://hall.example\(asked)")],
            priceCents: 6_000,
            currency: .usd,
            startsAt: startsAt,
            today: Self.today
        )
        return PageReading(Array(page.utf8), of: item)
    }

    private static func offer(_ state: String, _ price: String = "60.00", more: String = "") -> String {
        #"{"@type":"Offer","availability":"\#(state)","price":"\#(price)","priceCurrency":"USD"\#(more)}"#
    }

    private static func event(
        _ start: String,
        _ status: String = "Scheduled",
        offers: String? = nil,
        more: String = ""
    ) -> String {
        let offered = offers.map { #","offers":\#($0)"# } ?? ""
        return
            #"{"@type":"Event","name":"Quartet","startDate":"\#(start)","eventStatus":"Event\#(status)"\#(offered)\#(more)}"#
    }

    private static let own = "2026-12-11T19:30:00-05:00"
    private static let next = "2026-12-12T19:30:00-05:00"
    private static let past = "2026-11-01T19:30:00-05:00"

    @Test func `is not that a show is gone whose other date is over or cancelled`() throws {
        for other in [Self.event(Self.past), Self.event("2026-12-05T19:30:00-05:00", "Cancelled")] {
            for startsAt in [nil, Self.evening] {
                let found = try reading("[\(other),\(Self.event(Self.own))]", startsAt: startsAt)
                #expect(found.kind == .item && found.signal == .none, "\(other)")
            }
        }
        // All of them are.
        #expect(
            try reading(Self.event(Self.past), Self.event(Self.own, "Cancelled"), startsAt: nil).signal == .outOfStock
        )
        #expect(try reading(Self.event(Self.past), Self.event("2026-11-02"), startsAt: nil).signal == .outOfStock)
        // They are days of last month, of which nothing follows for the card's own.
        #expect(try reading(Self.event(Self.past), Self.event("2026-11-02")).kind == .unclear)
        // The same evening twice, once without a word of its tickets.
        let twice = [Self.event(Self.own), Self.event(Self.own, offers: Self.offer("SoldOut"))]
        #expect(try reading(twice[0], twice[1], startsAt: nil).signal == .outOfStock)
    }

    @Test func `is what it says of the card's own day, with its price`() throws {
        let there = Self.event(Self.next, offers: Self.offer("InStock", "75.00"))
        for gone in [Self.event(Self.own, "Cancelled"), Self.event(Self.own, offers: Self.offer("SoldOut"))] {
            #expect(try reading(gone, there).signal == .outOfStock, "\(gone)")
            #expect(try reading(gone, there, startsAt: nil).signal == .inStock)
        }
        let both = [Self.event(Self.own, offers: Self.offer("InStock")), there]
        #expect(try reading(both[0], both[1]).price == .minorUnits(6_000))
        // By clocks that it does not name, at a day without a time, and among the days from one to another.
        for start in ["2026-12-11T19:30", "2026-12-11", "2026-12-12T00:30:00Z"] {
            #expect(try reading(Self.event(start, offers: Self.offer("SoldOut"))).signal == .outOfStock, "\(start)")
        }
        let run = Self.event("2026-12-01", offers: Self.offer("InStock"), more: #","endDate":"2026-12-24""#)
        #expect(try reading(run).signal == .inStock)
    }

    @Test func `leaves a day open that it does not know, and knows that one is gone which was moved`() throws {
        let later = "2027-03-11T19:30:00-05:00"
        #expect(try reading(Self.event(later, offers: Self.offer("InStock"))).kind == .unclear)
        let moved = Self.event(
            later,
            "Rescheduled",
            offers: Self.offer("InStock"),
            more: #","previousStartDate":"\#(Self.own)""#
        )
        #expect(try reading(moved).signal == .outOfStock)
        let there = Instant(iso8601: "2027-03-12T00:30:00Z")
        #expect(try reading(moved, startsAt: there).signal == .inStock)
        // What has no date is of any day.
        let undated = #"{"@type":"Event","name":"Quartet","offers":\#(Self.offer("InStock"))}"#
        #expect(try reading(undated).signal == .inStock)
        let sold = #"{"@type":"Product","name":"Quartet","offers":\#(Self.offer("SoldOut"))}"#
        #expect(try reading(Self.event(Self.own), sold).signal == .outOfStock)
        #expect(try reading(Self.event(Self.own), sold, startsAt: nil).signal == .outOfStock)
        #expect(try reading(Self.event("soon", offers: Self.offer("InStock"))).signal == .inStock)
    }

    @Test(arguments: ["?variant=111", "?utm_source=x&variant=111", "?variant=111#size"])
    func `is what it says of the form that its address asks for`(query: String) throws {
        func variant(_ number: String, _ state: String, _ price: String) -> String {
            let offer = Self.offer(state, price, more: #","url":"/shows/quartet?variant=\#(number)""#)
            return #"{"@type":"Product","name":"Quartet - \#(number)","offers":\#(offer)}"#
        }
        func group(_ variants: String...) -> String {
            #"{"@type":"ProductGroup","name":"Quartet","hasVariant":[\#(variants.joined(separator: ","))]}"#
        }
        let asked = "/shows/quartet" + query.prefix { $0 != "#" }
        let mixed = group(variant("111", "OutOfStock", "60.00"), variant("222", "InStock", "75.00"))
        #expect(try reading(mixed, startsAt: nil, asked: asked).signal == .outOfStock)
        let both = group(variant("111", "InStock", "80.00"), variant("222", "InStock", "75.00"))
        #expect(try reading(both, startsAt: nil, asked: asked).price == .minorUnits(8_000))
        // Whoever asks for none of them may have any.
        #expect(try reading(mixed, startsAt: nil).signal == .inStock)
        #expect(try reading(mixed, startsAt: nil, asked: "/shows/quartet?variant=333").signal == .inStock)
        #expect(try reading(mixed, startsAt: nil, asked: "/shows/quartet?ref=mail").signal == .inStock)
    }

    @Test func `are no seats left, no pieces and no offers where no state is said`() throws {
        let full = Self.event(Self.own, more: #","maximumAttendeeCapacity":100,"remainingAttendeeCapacity":0"#)
        #expect(try reading(full).signal == .outOfStock)
        #expect(try reading(full.replacing("Capacity\":0", with: "Capacity\":3")).signal == .none)
        func product(_ offer: String) -> String { #"{"@type":"Product","name":"Quartet","offers":{\#(offer)}}"# }
        for (level, signal) in [("0", AvailabilityProbe.Signal.outOfStock), ("5", .none)] {
            for more in [
                #""@type":"Offer","inventoryLevel":{"@type":"QuantitativeValue","value":\#(level)}"#,
                #""@type":"Offer","inventoryLevel":"\#(level)""#, #""@type":"AggregateOffer","offerCount":\#(level)"#,
            ] {
                #expect(try reading(product(more), startsAt: nil).signal == signal, "\(more)")
            }
        }
        let said = #""@type":"Offer","availability":"BackOrder","inventoryLevel":{"value":0}"#
        #expect(try reading(product(said), startsAt: nil).signal == .inStock)
    }

    @Test(arguments: [#""Reserved""#, #"{"@value":"https://schema.org/OutOfStock"}"#, #"[{"@value":"SoldOut"}]"#])
    func `is that it is gone where somebody has it already, however that is written`(state: String) throws {
        let product = #"{"@type":"Product","name":"Quartet","offers":{"@type":"Offer","availability":\#(state)}}"#
        #expect(try reading(product, startsAt: nil).signal == .outOfStock)
    }
}
