import HTTPClient
import KnotDomain
import Recommendation
import Testing

@testable import ItemPages

/// Many pages say each thing once and name it elsewhere: by its `@id` in linked data, by `itemref` in markup.
@Suite("What a page says by reference")
struct PageReferencesTests {
    private func reading(_ page: String, title: String = "Teapot") throws -> PageReading {
        let url = try HTTPURL("https://shop.example/products/teapot")
        let today = CivilDate(year: 2_026, month: 5, day: 5)
        return PageReading(
            Array(page.utf8),
            of: PageItem(title: title, urls: [url], priceCents: 2_500, currency: .usd, today: today)
        )
    }

    private static func page(_ scripts: String..., body: String = "") -> String {
        let data = scripts.map { "<script type=\"application/ld+json\">\($0)</script>" }.joined()
        return "<html><head><title>Teapot | Shop</title>\(data)</head><body><h1>Teapot</h1>\(body)</body></html>"
    }

    private static func offer(_ state: String, _ price: String = "25.00", id: String = "_:o") -> String {
        #"{"@type":"Offer","@id":"\#(id)","availability":"\#(state)","price":"\#(price)","priceCurrency":"USD"}"#
    }

    @Test(arguments: [#"{"@id":"_:o"}"#, #"[{"@id":"_:o"}]"#, #"{"@type":"Offer","@id":"_:o"}"#])
    func `is an offer that stands elsewhere, in this script or in another`(reference: String) throws {
        let product = #"{"@type":"Product","@id":"_:p","name":"Teapot","offers":\#(reference)}"#
        for (state, signal) in [("OutOfStock", AvailabilityProbe.Signal.outOfStock), ("InStock", .inStock)] {
            let offer = Self.offer(state)
            let pages = [
                Self.page(#"{"@graph":[\#(product),\#(offer)]}"#), Self.page(#"{"@graph":[\#(offer),\#(product)]}"#),
                Self.page(product, offer), Self.page(offer, #"[\#(product)]"#),
            ]
            for page in pages {
                #expect(try reading(page).signal == signal, "\(page)")
                #expect(try reading(page).price == .minorUnits(2_500))
            }
        }
    }

    @Test func `is the item where the page names it elsewhere, also under another name than the page's`() throws {
        let product = #"{"@type":"Product","@id":"_:p","name":"The Brown Betty","offers":{"@id":"_:o"}}"#
        let page = #"{"@type":"ItemPage","mainEntity":{"@id":"_:p"}}"#
        // One thing with its offer, and not a thing and somebody's offer.
        #expect(try reading(Self.page(page, product, Self.offer("SoldOut"))).signal == .outOfStock)
        let inline = product.replacing(#"{"@id":"_:o"}"#, with: Self.offer("SoldOut"))
        #expect(try reading(Self.page(#"{"@type":"ItemPage","mainEntity":\#(inline)}"#)).signal == .outOfStock)
        // Where no page names it, it may be what is sold beside the item.
        #expect(try reading(Self.page(product, Self.offer("SoldOut"))).signal == .none)
    }

    @Test func `is a form of the item, of which one that can be had is enough`() throws {
        func group(_ states: [String]) -> String {
            let variants = states.enumerated().map { place, state in
                let offer = Self.offer(state, id: "#o\(place)")
                return #"{"@type":"Product","@id":"_:v\#(place)","name":"Teapot - \#(place)","offers":\#(offer)}"#
            }
            let names = states.indices.map { #"{"@id":"_:v\#($0)"}"# }.joined(separator: ",")
            let group = #"{"@type":"ProductGroup","@id":"_:g","name":"Teapot","hasVariant":[\#(names)]}"#
            return Self.page(#"{"@graph":[\#(group),\#(variants.joined(separator: ","))]}"#)
        }
        #expect(try reading(group(["OutOfStock", "SoldOut"])).signal == .outOfStock)
        #expect(try reading(group(["OutOfStock", "InStock"])).signal == .inStock)
    }

    @Test(arguments: [#"{"@id":"_:g"}"#, #"{"@type":"ProductGroup","name":"Teapot"}"#])
    func `is the group that a form says that it is of`(group: String) throws {
        func variant(_ name: String, _ state: String) -> String {
            #"{"@type":"Product","isVariantOf":\#(group),"name":"\#(name)","offers":\#(Self.offer(state))}"#
        }
        let itself = #"{"@type":"ProductGroup","@id":"_:g","name":"Teapot","productGroupID":"1"}"#
        let other = #"{"@type":"Product","name":"Milk jug","offers":\#(Self.offer("InStock", "9.00"))}"#
        let gone = [variant("Betty, red", "OutOfStock"), variant("Betty, blue", "SoldOut")]
        #expect(try reading(Self.page(itself, gone[0], gone[1], other)).signal == .outOfStock)
        #expect(try reading(Self.page(itself, gone[0], variant("Betty, blue", "InStock"), other)).signal == .inStock)
        // A page of one form is that form's.
        let page = Self.page(itself, gone[0], variant("Betty, blue", "InStock"))
        #expect(try reading(page, title: "Betty, red").signal == .outOfStock)
    }

    @Test func `leaves it open where it leads nowhere`() throws {
        let product = #"{"@type":"Product","name":"Teapot","offers":{"@id":"https://shop.example/#gone"}}"#
        #expect(try reading(Self.page(product)).kind == .unclear)
        #expect(try reading(Self.page(product, body: "<button>Add to cart</button>")).signal == .inStock)
        #expect(try reading(Self.page(product, body: "<p>Sold out</p>")).signal == .outOfStock)
    }

    @Test func `ends, however references lead to one another`() throws {
        let ring = #"{"@type":"Product","@id":"_:p","name":"Teapot","hasVariant":{"@id":"_:q"},"offers":{"@id":"_:o"}}"#
        let back = #"{"@type":"Product","@id":"_:q","name":"Teapot","hasVariant":[{"@id":"_:p"},{"@id":"_:q"}]}"#
        let offer = #"{"@type":"Offer","@id":"_:o","availability":"SoldOut","offers":{"@id":"_:o"}}"#
        #expect(try reading(Self.page(ring, back, offer)).signal == .outOfStock)
        let chain = (0..<300).map { place in
            let next = #"[{"@id":"_:\#(place + 1)"},{"@id":"_:\#(place + 2)"}]"#
            return #"{"@type":"Product","@id":"_:\#(place)","hasVariant":\#(next)}"#
        }
        _ = try reading(Self.page("[\(chain.joined(separator: ","))]"))
    }

    @Test func `is what markup refers to, before and behind it`() throws {
        let product =
            "<div itemscope itemtype=\"https://schema.org/Product\" itemref=\"offer price\">"
            + "<b itemprop=name>Teapot</b></div>"
        func offer(_ state: String) -> String {
            "<div id=offer itemprop=offers itemscope itemtype=\"https://schema.org/Offer\">"
                + "<link itemprop=availability href=\"https://schema.org/\(state)\"></div>"
        }
        let other =
            "<div itemscope itemtype=\"https://schema.org/Product\"><b itemprop=name>Milk jug</b>"
            + "<div itemprop=offers itemscope><link itemprop=availability href=InStock></div></div>"
        for body in [product + offer("OutOfStock") + other, offer("OutOfStock") + other + product] {
            #expect(try reading(Self.page(body: body)).signal == .outOfStock, "\(body)")
        }
        #expect(try reading(Self.page(body: product + offer("InStock"))).signal == .inStock)
        // What nobody refers to is as it was.
        let plain = offer("SoldOut").replacing("id=offer", with: "id=else")
        #expect(try reading(Self.page(body: plain)).signal == .outOfStock)
    }
}
