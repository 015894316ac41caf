import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import Testing

/// Names of things that are sold beside shows, and of shows that have words of these.
@Suite("Ticketmaster's extras")
struct TicketmasterExtrasTests {
    private func isFound(_ name: String, segment: String = "KZFzniwnSyZfZ7v7nJ") async throws -> Bool {
        let text = Replies.ticketmaster.replacing("Harbor Lights Quartet", with: name)
            .replacing("KZFzniwnSyZfZ7v7nJ", with: segment)
        return try await !Adapters.ticketmaster(ScriptedSender(text)).candidates(for: .invented(.ticketmaster)).isEmpty
    }

    @Test(arguments: [
        "RV Pass", "Desert Sounds Weekend - RV Pass", "RV Camping: Desert Sounds", "Car Camping Pass",
        "Tent Camping Only",
        "Shuttle Pass (Friday)", "Harbor Lights Quartet: Parking", "Harbor Lights Parking", "PARKING: Harbor Lights",
        "Parking Pass for Harbor Lights", "Premier Parking - Harbor Lights", "VIP Upgrade", "Harbor Lights VIP Upgrade",
        "Upgrade Package (not a concert ticket)", "Harbor Lights | Hotel Voucher", "Food & Drink Vouchers",
        "Harbor Lights - Suite", "Suites: Harbor Lights", "Luxury Suite Tickets", "Suite Rental - Harbor Lights",
        "Suite 214 - Harbor Lights", "Lounge Access Add-On", "Locker Rental", "Meet & Greet - ticket not included",
        "Harbor Lights Fast Lane (Ticket Not Included)", "Preferred Parking Lot B", "Early Entry Upgrade",
        "Hospitality Package Add On",
    ])
    func `are no shows`(name: String) async throws {
        #expect(try await !isFound(name), "\(name)")
    }

    @Test(arguments: [
        "Suite for Strings", "The Nutcracker Suite", "Bach: Cello Suites", "Jupiter Suite - Chamber Concert",
        "Plaza Suite", "Parking Lot Symphony", "The Parking Garage Comedy Hour", "The Suite Life Live",
        "Upgrade U Tribute Night",
        "2-Day Pass", "Weekend Pass: Desert Sounds", "RV & Boat Show", "Camping with the Stars", "Camp Rock Live",
        "Space Shuttle Atlantis in Concert", "Locker Room Comedy", "An Evening of Hospitality", "Lounge Lizards",
    ])
    func `are not shows whose names have words of them`(name: String) async throws {
        #expect(try await isFound(name), "\(name)")
    }

    /// A piece of music may be called so, and a match is not.
    @Test func `are what a match is followed by, and music is not`() async throws {
        #expect(try await isFound("Lakeside Suite"))
        #expect(try await !isFound("Lakeside Hawks Suite", segment: "KZFzniwnSyZfZ7v7nE"))
    }

    @Test(arguments: ["Parking", "Upsell", "Voucher", "Add-On"])
    func `are what the service itself classes as such`(type: String) async throws {
        let text = Replies.ticketmaster.replacing(
            #""subGenre":{"id":"x","name":"Undefined"}"#,
            with: #""subGenre":{"id":"x","name":"Undefined"},"type":{"id":"y","name":"\#(type)"}"#
        )
        #expect(text != Replies.ticketmaster)
        let found = try await Adapters.ticketmaster(ScriptedSender(text)).candidates(for: .invented(.ticketmaster))
        #expect(found.isEmpty)
    }
}
