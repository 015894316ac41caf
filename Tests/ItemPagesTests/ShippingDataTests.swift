import KnotDomain
import TestSupport
import Testing

@testable import ItemPages

@Suite("What a page says of delivery")
struct ShippingDataTests {
    private static func time(_ days: Int) -> String {
        #"{"@type": "QuantitativeValue", "minValue": 0, "maxValue": \#(days), "unitCode": "DAY"}"#
    }

    private static func details(
        transit: String,
        handling: String? = nil,
        to destination: String? = nil,
        more: String = ""
    ) -> String {
        let handling = handling.map { #""handlingTime": \#($0), "# } ?? ""
        let destination = destination.map { #""shippingDestination": \#($0), "# } ?? ""
        return
            #"{"@type": "OfferShippingDetails", \#(more)\#(destination)"deliveryTime": {\#(handling)"transitTime": \#(transit)}}"#
    }

    /// The days that the page of a teapot says with this in its offer.
    private static func days(_ shipping: String) -> [String: Int] {
        let page = """
            <html><head><title>Teapot</title><script type="application/ld+json">
            {"@context": "https://schema.org", "@type": "Product", "name": "Teapot", "offers":
            {"@type": "Offer", "availability": "InStock", "price": "24.50", "priceCurrency": "USD",
            "shippingDetails": \(shipping)}}
            </script></head><body><h1>Teapot</h1></body></html>
            """
        return PageReading(Array(page.utf8), currency: .usd).deliveryDays
    }

    @Test func `is handling and transit at their longest, to the country that is named`() {
        let us = #"{"@type": "DefinedRegion", "addressCountry": "US"}"#
        #expect(Self.days(Self.details(transit: Self.time(5), handling: Self.time(2), to: us)) == ["US": 7])
        #expect(Self.days(Self.details(transit: Self.time(5), to: us)) == ["US": 5])
        #expect(Self.days(Self.details(transit: Self.time(5))) == ["": 5])
    }

    @Test func `is the quickest of several to one country, each country on its own`() {
        let countries = #"{"addressCountry": ["us", {"@type": "Country", "name": "CA"}]}"#
        let all = [
            Self.details(transit: Self.time(9), to: countries), Self.details(transit: Self.time(3), to: countries),
            Self.details(transit: Self.time(4), to: #"[{"addressCountry": "DE"}, {"addressCountry": "AT"}]"#),
        ]
        #expect(Self.days("[\(all.joined(separator: ","))]") == ["US": 3, "CA": 3, "DE": 4, "AT": 4])
    }

    @Test func `is read in days, weeks and hours`() {
        for (value, unit, days) in [
            ("2", "d", 2), ("2", "WEE", 14), ("25", "HUR", 2), ("1.5", "DAY", 2), ("0", "DAY", 0),
        ] {
            let time = #"{"value": \#(value), "unitCode": "\#(unit)"}"#
            #expect(Self.days(Self.details(transit: time)) == ["": days], "\(time)")
            #expect(Self.days(Self.details(transit: time.replacing(value, with: #""\#(value)""#))) == ["": days])
        }
    }

    @Test(
        arguments: [
            #"{"maxValue": -1, "unitCode": "DAY"}"#, #"{"maxValue": 366, "unitCode": "DAY"}"#,
            #"{"maxValue": 1e300, "unitCode": "DAY"}"#, #"{"maxValue": "NaN", "unitCode": "DAY"}"#,
            #"{"maxValue": "inf", "unitCode": "DAY"}"#, #"{"maxValue": 3}"#, #"{"maxValue": 3, "unitCode": "KGM"}"#,
            #"{"maxValue": 3, "unitCode": "MON"}"#, #"{"maxValue": 3, "unitCode": 4}"#, #"{"unitCode": "DAY"}"#,
            #"{"minValue": 3, "unitCode": "DAY"}"#, #"{"minValue": 5, "maxValue": 3, "unitCode": "DAY"}"#,
            #"{"minValue": -5, "maxValue": 3, "unitCode": "DAY"}"#, #"{"maxValue": null, "unitCode": "DAY"}"#,
            #"{"maxValue": true, "unitCode": "DAY"}"#, #"{"maxValue": {}, "unitCode": "DAY"}"#, "3", #""3 days""#,
            "null", "[]", "[[]]", "{}", #"{"maxValue": 9223372036854775807, "unitCode": "WEE"}"#,
        ]
    )
    func `is unknown where it is no time that a parcel takes`(time: String) {
        #expect(Self.days(Self.details(transit: time)) == [:])
        guard time != "null" else { return }
        #expect(Self.days(Self.details(transit: Self.time(2), handling: time)) == [:])
    }

    @Test func `is unknown to places that are not understood, and where nothing is sent`() {
        for place in [
            #"{"addressCountry": "Ruritania"}"#, #"{"addressRegion": "NY"}"#, #"{"addressCountry": 7}"#, "4", "{}",
        ] {
            #expect(Self.days(Self.details(transit: Self.time(2), to: place)) == [:], "\(place)")
        }
        #expect(Self.days(Self.details(transit: Self.time(2), more: #""doesNotShip": true, "#)) == [:])
        #expect(Self.days(Self.details(transit: Self.time(300), handling: Self.time(300))) == [:])
    }

    @Test func `keeps no more countries than a shop has`() {
        let many = (0..<26).flatMap { first in (0..<26).map { (first, $0) } }.map { first, second in
            let code = String(decoding: [UInt8(65 + first), UInt8(65 + second)], as: UTF8.self)
            return Self.details(transit: "{\"value\":1,\"unitCode\":\"d\"}", to: "{\"addressCountry\":\"\(code)\"}")
        }
        let days = Self.days("[\(many.joined(separator: ","))]")
        #expect(days.count <= 100)
    }
}
