import FileInput
import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import Testing

@Suite("Ticketmaster's adapter")
struct TicketmasterTests {
    private func found(
        _ text: String,
        until: CivilDate? = CivilDate(year: 2026, month: 12, day: 24)
    ) async throws -> [Candidate] {
        try await Adapters.ticketmaster(ScriptedSender(text)).candidates(for: .invented(.ticketmaster, until: until))
    }

    @Test func `makes an evening of music a date without a price`() async throws {
        let event = try #require(try await found(Replies.ticketmaster).first)
        #expect(event.id == CandidateID("ticketmaster:G5vYZ9exampl1") && event.type == .date)
        #expect(event.title == "Harbor Lights Quartet")
        #expect(event.description == "Music, Jazz, Pier Hall, San Francisco")
        #expect(event.url == "https://www.ticketmaster.com/event/0B00600000EXAMPLE")
        #expect(event.imageURL == "https://s1.ticketm.net/dam/a/000/example.jpg", "the wide one, over TLS")
        #expect(event.priceCents == nil && event.currency == .usd && event.merchant == "Ticketmaster")
        #expect(event.location == Place(city: "San Francisco", state: "CA", country: "US"))
        #expect(event.startsAt == Instant(iso8601: "2026-12-12T03:30:00Z"))
        #expect(event.tags == ["Music", "Jazz"])
    }

    /// Each of these keeps the event of the page from being had.
    @Test(arguments: [
        (#""test":false"#, #""test":true"#), (#""code":"onsale""#, #""code":"cancelled""#),
        (#""code":"onsale""#, #""code":"canceled""#), (#""code":"onsale""#, #""code":"postponed""#),
        (#""code":"onsale""#, #""code":"offsale""#), ("2026-09-01T17:00:00Z", "2026-12-01T17:00:00Z"),
        ("Harbor Lights Quartet", "Harbor Lights Quartet: Parking"),
        (#""url":"https://www.ticketmaster.com/event/0B00600000EXAMPLE","#, ""),
        ("2026-12-12T03:30:00Z", "2026-11-22T03:30:00Z"),
    ])
    func `leaves out what cannot be had`(from: String, to: String) async throws {
        let changed = Replies.ticketmaster.replacing(from, with: to)
        #expect(changed != Replies.ticketmaster)
        #expect(try await found(changed).isEmpty)
    }

    @Test(arguments: [("2026-11-22", false), ("2020-01-01", false), ("2026-11-23", true), ("2026-12-24", true)])
    func `leaves out a day that is over, whatever its time`(day: String, isThere: Bool) async throws {
        let open = Replies.ticketmaster.replacing(#""timeTBA":false"#, with: #""timeTBA":true"#)
            .replacing("2026-12-11", with: day)
        #expect(try await found(open).isEmpty != isThere)
        // Without a zone it may still be that day somewhere.
        #expect(try await found(open.replacing("America/Los_Angeles", with: "")).isEmpty != isThere)
    }

    @Test func `takes a rescheduled show, and reads a missing list as nothing found`() async throws {
        let moved = Replies.ticketmaster.replacing(#""code":"onsale""#, with: #""code":"rescheduled""#)
        #expect(try await found(moved).count == 1)
        #expect(try await found(#"{"page":{"size":20,"totalElements":0,"totalPages":0,"number":0}}"#).isEmpty)
    }

    @Test func `leaves out what is not sold any more, whatever its status says`() async throws {
        for (end, count) in [("2026-01-01T00:00:00Z", 0), ("2026-12-12T03:00:00Z", 1), ("soon", 1)] {
            let event = Replies.ticketmaster.replacing(
                #""endDateTime":"2026-12-12T03:00:00Z""#,
                with: #""endDateTime":"\#(end)""#
            )
            #expect(try await found(event).count == count, "\(end)")
        }
    }

    @Test func `invents no time for a day whose time is open`() async throws {
        let open = Replies.ticketmaster.replacing(#""timeTBA":false"#, with: #""timeTBA":true"#)
        let event = try #require(try await found(open).first)
        #expect(event.startsAt == nil && event.type == .experience)
        #expect(event.description?.hasSuffix("on 2026-12-11, time to be announced") == true)
        #expect(
            try await found(open, until: CivilDate(year: 2026, month: 12, day: 10)).isEmpty,
            "too late, time or not"
        )
    }

    @Test func `says the time of a day by clocks that nobody knows, and takes statuses in letters of any size`()
        async throws
    {
        let local = Replies.ticketmaster.replacing(#""dateTime":"2026-12-12T03:30:00Z","#, with: "")
            .replacing("America/Los_Angeles", with: "Mars/Olympus").replacing("onsale", with: "OnSale")
        let event = try #require(try await found(local).first)
        #expect(event.startsAt == nil && event.description?.hasSuffix("on 2026-12-11 at 19:30") == true)
    }

    @Test func `reads local times by the venue's zone`() async throws {
        let local = Replies.ticketmaster.replacing(#""dateTime":"2026-12-12T03:30:00Z","#, with: "")
            .replacing(#""timezone":"America/Los_Angeles","status""#, with: #""status""#)
        #expect(try await found(local).first?.startsAt == Instant(iso8601: "2026-12-12T03:30:00Z"))
    }

    @Test func `reads the price of plain tickets should prices come back`() async throws {
        func price(_ ranges: String) async throws -> Int? {
            try await found(
                Replies.ticketmaster.replacing(#""name":"Harbor"#, with: #""priceRanges":[\#(ranges)],"name":"Harbor"#)
            )
            .first?.priceCents
        }
        #expect(
            try await price(
                #"{"type":"resale","currency":"USD","min":9,"max":20},{"type":"standard","currency":"USD","min":64.95,"max":90}"#
            ) == 6_495
        )
        #expect(try await price(#"{"type":"standard","currency":"USD","min":0.0,"max":0.0}"#) == nil)
        #expect(try await price(#"{"type":"standard","currency":"USD","min":0}"#) == nil)
        #expect(try await price(#"{"type":"standard","currency":"USD","min":0,"max":50}"#) == nil)
    }

    /// A page whose event says whose it is.
    private static let ofAttraction = Replies.ticketmaster.replacing(
        #""_embedded":{"venues""#,
        with: #""_embedded":{"attractions":[{"id":"K8v"}],"venues""#
    )

    @Test func `shows a show once a day, however often it is sold`() async throws {
        let one = Self.ofAttraction
        let start = try #require(one.firstRange(of: #"{"name":"Harbor"#)?.lowerBound)
        let end = try #require(one.firstRange(of: "]},\n\"_links\"")?.lowerBound)
        let package = one[start..<end].replacing("G5vYZ9exampl1", with: "VIPpackage001")
        let both = one.replacingCharacters(at: end, with: "," + package)
        #expect(try await found(both).map(\.id.text) == ["ticketmaster:G5vYZ9exampl1"])
    }

    @Test func `asks for segments and words around the town within the days that count, and tells the key to nobody`() {
        let calls = Adapters.ticketmaster(ScriptedSender("")).calls(for: .invented(.ticketmaster))
        #expect(
            calls.map(\.asks) == [
                "events segmentId=KZFzniwnSyZfZ7v7nJ geoPoint=9q8yy7 radius=50 unit=km",
                "events keyword=pour over kettle geoPoint=9q8yy7 radius=50 unit=km",
                "events keyword=jazz quartet geoPoint=9q8yy7 radius=50 unit=km",
            ]
        )
        for call in calls {
            #expect(
                call.request.url.contains(
                    "&startDateTime=2026-11-23T00%3A00%3A00Z&endDateTime=2026-12-26T00%3A00%3A00Z"
                )
            )
            #expect(call.request.url.hasSuffix("&locale=%2A&size=50&apikey=\(Adapters.canary)"))
        }
    }

    @Test func `shows a show of a day once, whichever of its calls found it`() async throws {
        let sender = ScriptedSender { request in
            let isSegment = request.url.contains("segmentId")
            let show = Self.ofAttraction
            return .json(isSegment ? show.replacing("G5vYZ9exampl1", with: "VIP1") : show)
        }
        let found = try await Adapters.ticketmaster(sender).candidates(for: .invented(.ticketmaster))
        #expect(sender.requests.count > 1)
        #expect(found.map(\.id.text) == ["ticketmaster:VIP1"])
    }

    @Test func `makes no town of a venue's name`() async throws {
        let nameless = Replies.ticketmaster.replacing(#""city":{"name":" San Francisco "},"#, with: "")
        #expect(nameless != Replies.ticketmaster)
        let event = try #require(try await found(nameless).first)
        #expect(event.location == Place(city: nil, state: "CA", country: "US"))
    }

    /// Whoever asks a second later asks the same, so that equal calls are sent once and kept replies are found.
    @Test func `asks the same at every moment of a day`() {
        let urls = ["2026-11-23T00:00:01Z", "2026-11-23T12:00:00Z", "2026-11-23T23:59:59Z"].map { moment in
            let now = Instant(iso8601: moment) ?? Adapters.now
            let client = TicketmasterClient(
                sender: ScriptedSender(""),
                key: Secret(Adapters.canary),
                zones: ZoneDirectory(),
                now: { now }
            )
            return client.calls(for: .invented(.ticketmaster)).map(\.request.url)
        }
        #expect(Set(urls).count == 1 && urls.first?.isEmpty == false)
    }

    /// The points and letters of the description of geohashes that everybody copies.
    @Test func `writes a point as others do`() {
        #expect(Geohash.text(latitude: 57.64911, longitude: 10.40744, length: 11) == "u4pruydqqvj")
        #expect(Geohash.text(latitude: 42.6, longitude: -5.6, length: 5) == "ezs42")
    }

    @Test func `asks by name where nobody knows where a town is`() {
        let place = Place(city: "Nirgendheim", state: nil, country: "DE")
        let calls = Adapters.ticketmaster(ScriptedSender("")).calls(for: .invented(.ticketmaster, ["x"], place: place))
        #expect(calls.map(\.asks) == ["events keyword=x city=Nirgendheim countryCode=DE"])
    }
}

extension String {
    fileprivate func replacingCharacters(at place: String.Index, with text: String) -> String {
        String(self[..<place]) + text + String(self[place...])
    }
}
