import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// Services that do not say when something arrives are believed weeks before the day, and not in its last days.
@Suite("A parcel of which nobody says when it arrives") struct UnknownDeliveryTests {
    private func brief(daysLeft: Int?) -> Brief {
        let scene = Scene()
        let today = CivilDate(iso8601: "2026-03-01") ?? CivilDate(daysSinceEpoch: 0)
        return Brief(
            vault: scene.vault,
            tier: .minorOccasion,
            milestone: nil,
            occurrence: daysLeft.map { today.adding(days: $0) },
            asOf: scene.now,
            today: today,
            zone: .utc,
            budget: scene.budget,
            rates: scene.rates,
            refresh: nil
        )
    }

    private let parcel = Offer(.invented("loom", "Tapestry loom"))
    private let fetched = Offer(
        .invented("loom", "Tapestry loom", location: Place(city: "Ghent", state: nil, country: "BE"))
    )
    private let evening = Offer(.invented("show", "Shadow theatre", type: .date))

    private func verdict(on offer: Offer, daysLeft: Int?) throws -> FilterVerdict {
        try FilterDelivery().verdict(on: offer, given: brief(daysLeft: daysLeft))
    }

    private func timing(of offer: Offer, daysLeft: Int) throws -> Double? {
        let facts = FilterWindows.Facts(nil, brief(daysLeft: daysLeft))
        return try ScoreTiming(ParameterValues()).contribution(of: offer, given: facts)?.value
    }

    @Test func `is dropped when the day is near, and kept with a flag before`() throws {
        for left in 0..<4 {
            guard case .drop("delivery_unknown", _) = try verdict(on: parcel, daysLeft: left) else {
                Issue.record("\(left) days before the day it is not dropped")
                continue
            }
        }
        for left in [4, 5, 30, 300] {
            #expect(try verdict(on: parcel, daysLeft: left) == .keepFlagged(["delivery_unknown"]))
        }
        #expect(try verdict(on: parcel, daysLeft: nil) == .keep)
    }

    @Test func `is no parcel where it can be fetched, or where something happens`() throws {
        #expect(try verdict(on: fetched, daysLeft: 0) == .keepFlagged(["delivery_unknown"]))
        #expect(try verdict(on: evening, daysLeft: 0) == .keep)
        #expect(try timing(of: fetched, daysLeft: 5) == nil && timing(of: evening, daysLeft: 5) == nil)
    }

    @Test func `is the less of a worry the longer it has, and none weeks before the day`() throws {
        let values = try (0...40).map { try #require(try timing(of: parcel, daysLeft: $0)) }
        for (earlier, later) in zip(values, values.dropFirst()) { #expect(earlier <= later) }
        #expect(values[0] == 0 && values[3] < 0.5 && values[14] == 1)
    }

    @Test func `counts as one that takes a week`() throws {
        let known = Offer(.invented("loom", "Tapestry loom", ships: 7))
        for left in 7...30 { #expect(try timing(of: parcel, daysLeft: left) == timing(of: known, daysLeft: left)) }
    }

    @Test(arguments: [
        ("Pottery course online, access code by email", nil), ("Quilt pattern, instant download", nil),
        ("Star map to print at home", nil), ("Thermal baths e-gift card", nil), ("Downloadable tarot deck", nil),
        ("Language membership", "Delivered instantly by email."), ("Zither lessons", "The voucher is emailed at once."),
        ("Audio stories", "Digital delivery within minutes. Sixty hours."),
        ("Sauna evening", "Access code by email in minutes"), ("Sauna morning", "E-gift card, emailed to you at once"),
        ("Heron shawl", "Instant download: knitting pattern"), ("Printable treasure hunt", nil),
        ("Digital gift card", nil), ("Glider flight", "Your voucher is emailed within minutes"),
        ("Print at home ticket", nil), ("Fern sampler", "It comes as a printable page."),
        ("Zither hour", "Your code for the hour is emailed."), ("Sauna noon", "Instant delivery."),
    ])
    func `is no parcel where its own words say that it comes at once`(title: String, description: String?) throws {
        let offer = Offer(.invented("at-once", title, description: description))
        for left in [0, 1, 3] {
            #expect(try verdict(on: offer, daysLeft: left) == .keep)
            #expect(try timing(of: offer, daysLeft: left) == timing(of: Self.posted(0), daysLeft: left))
        }
    }

    private static func posted(_ days: Int) -> Offer { Offer(.invented("loom", "Tapestry loom", ships: days)) }

    @Test(arguments: [
        ("Instant camera", nil), ("Instant noodle bowl", nil), ("Instant pot, six litres", "Dinner in minutes."),
        ("Quilt pattern, printed booklet", "This is not a download."), ("Quilt booklet", "No digital delivery."),
        ("Record of night songs", "Comes with a download code."), ("Kiln mug", "We send the tracking number by email."),
        ("Walnut frame", "Download our app for ideas."), ("Photo printer", "Print at home in minutes."),
        ("Email tote bag", nil), ("Gift card holder", "Made of leather."), ("Digital watch", "Sent by courier."),
        ("Leather Notebook", "Printable area 10 cm by 5."),
        ("Custom Mug, Printable Surface", "Printable on both sides."),
        ("Wooden Puzzle", "Printable instructions."), ("Board Game", "Rules are downloadable from our site."),
        ("Keyboard Synth", "Manual: downloadable."), ("Camera", "Downloadable firmware."),
        ("Wool Coat", "Size chart: printable."), ("Custom Portrait", "Photos can be emailed to us."),
        ("Vintage Record Player", "Digital gift card accepted."),
        ("Painting Class Kit", "Video lessons, emailed; brushes by post."),
        ("Loom Class Kit", "Your code is emailed; yarn by post."), ("Printable Wall Art, Framed", nil),
        ("Mystery Novel", "Get the ebook: instant download available separately."),
        ("Ceramic Mug", "Instant delivery within the city in 3 days"), ("Clay Bowl", "Instant delivery (2-3 days)"),
    ])
    func `is a parcel where its words only look like that`(title: String, description: String?) throws {
        let offer = Offer(.invented("parcel", title, description: description))
        guard case .drop("delivery_unknown", _) = try verdict(on: offer, daysLeft: 2) else {
            Issue.record("it is kept")
            return
        }
    }

    @Test func `that says when it arrives is believed, whatever else it says`() throws {
        let slow = Offer(.invented("slow", "Quilt pattern, instant download", ships: 9))
        guard case .drop("arrives_late", _) = try verdict(on: slow, daysLeft: 3) else {
            Issue.record("it is kept")
            return
        }
    }
}
