import FileInput
import Foundation
import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing
import Threads

/// How fast each service is asked, and what one of Shopify's shops has to do with the others.
@Suite("The hosts of a service")
struct ServiceHostsTests {
    /// Calls that come at once and may leave within the first second, by the services' contracts.
    @Test(arguments: [("yelp", 3), ("ticketmaster", 5), ("amazon", 1), ("shopify", 3), ("firecrawl", 10)])
    func `are asked no faster than the contract says`(name: String, most: Int) throws {
        let service = try #require(Adapters.all(Adapters.reply).first { $0.capability.name.rawValue == name })
        let rate = try #require(service.rate)
        var pace = ServicePace()
        let waits = (0..<20).compactMap { _ -> Duration? in
            guard case .after(let wait, _) = pace.reserve(rate, at: 0, patience: .seconds(60)) else { return nil }
            return wait
        }
        #expect(waits.count { $0 < .milliseconds(999) } <= most, "\(waits)")
    }

    private static let shops = [ShopifyShop(domain: "kiln.example"), ShopifyShop(domain: "loom.example")]

    private func sending(_ sender: any HTTPSender) -> any HTTPSender {
        ServiceConduct(Adapters.shopify(sender, shops: Self.shops), account: "a").sender(
            over: sender,
            quota: nil,
            timers: DeadlineTimers(),
            kept: (ReplyMemory(), Scrubber([]))
        )
    }

    private func ask(_ own: any HTTPSender, _ url: String) async -> Result<HTTPResponse, HTTPFailure> {
        do throws(HTTPFailure) {
            return .success(try await own.send(HTTPRequest(.get, url), by: LastResort.end))
        } catch {
            return .failure(error)
        }
    }

    @Test func `are left alone one by one`() async throws {
        let sender = ScriptedSender { $0.url.contains("kiln") ? .page(430) : .json(Replies.shopifySearch) }
        let own = sending(sender)
        #expect(try await ask(own, "https://kiln.example/a").get().status == 430)
        #expect(try await ask(own, "https://loom.example/a").get().status == 200)
        let again = await ask(own, "https://kiln.example/b")
        if case .failure(let failure) = again { #expect(failure.kind == .breakerOpen) } else { Issue.record("asked") }
        #expect(sender.requests.count == 2)
    }

    @Test func `that have closed are not asked for a day, and nothing that they had is shown`() async throws {
        let isOpen = Mutex(true)
        let sender = ScriptedSender { _ in
            isOpen.withLock { $0 } ? .json(Replies.shopifySearch) : .json(#"{"errors":"unavailable"}"#, status: 402)
        }
        let kept = ReplyMemory()
        func own() -> any HTTPSender {
            ServiceConduct(Adapters.shopify(sender, shops: Self.shops), account: "a").sender(
                over: sender,
                quota: nil,
                timers: DeadlineTimers(),
                kept: (kept, Scrubber([]))
            )
        }
        #expect(try await ask(own(), "https://kiln.example/a").get().status == 200)
        isOpen.withLock { $0 = false }
        let later = own()
        #expect(try await ask(later, "https://kiln.example/b").get().status == 402)
        let old = await ask(later, "https://kiln.example/a")
        if case .failure(let failure) = old { #expect(failure.kind == .unavailable) } else { Issue.record("shown") }
        #expect(sender.requests.count == 2)
    }

    /// A simulator may be asked by ten thousand jobs; whoever is elsewhere keeps what the contract says.
    @Test func `on this machine are neither paced nor counted where asked to, others as ever`() async throws {
        let sender = ScriptedSender { _ in .json(Replies.yelp) }
        let folder = try ScratchFolder()
        let conduct = ServiceConduct(Adapters.yelp(sender), account: "a")
        let ledger = try #require(conduct.ledger(in: folder.path))
        func own(_ sparesThisMachine: Bool) -> any HTTPSender {
            conduct.sender(
                over: sender,
                quota: ledger,
                timers: DeadlineTimers(),
                sparesThisMachine: sparesThisMachine
            )
        }
        let spared = own(true)
        let start = ContinuousClock.now
        for place in 0..<900 { #expect(try await ask(spared, "http://127.0.0.1:9/\(place)").get().status == 200) }
        #expect(start.duration(to: .now) < .seconds(250), "at three a second nine hundred take near three hundred")
        func left() async throws -> Int {
            try await ledger.left(at: Int64(Date().timeIntervalSince1970), by: LastResort.end)
        }
        #expect(try await left() == 300)
        #expect(try await ask(spared, "https://api.yelp.com/x").get().status == 200)
        #expect(try await ask(own(false), "http://127.0.0.1:9/x").get().status == 200)
        #expect(try await left() == 298)
    }
}
