import FileInput
import HTTPClient
import JSONDocument
import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("The token of Apple's push service")
struct APNSTokenTests {
    private static var soon: ContinuousClock.Instant { LastResort.end }

    @Test func `says who signs and when, and openssl believes its signature`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let scene = try APNSScene(server.url)
        _ = await scene.delivery.deliver(.invented(), until: Self.soon)
        let token = try scene.open(server.requests.first?.header("authorization"))
        #expect(token.header == ["alg": "ES256", "kid": "KEY1234567"])
        #expect(token.claims == ["iss": "TEAM123456", "iat": .integer(Int(APNSScene.start))])
        #expect(token.isBelieved)
    }

    @Test func `is one for all that ask at once, for half an hour`() async throws {
        let scene = try APNSScene("http://127.0.0.1:1")
        let tokens = await withTaskGroup(of: APNSTokenSource.Token.self) { group in
            for _ in 0..<64 { group.addTask { scene.tokens.token() } }
            return await group.reduce(into: Set<APNSTokenSource.Token>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        scene.time.pass(.seconds(30 * 60 - 1))
        #expect(tokens.contains(scene.tokens.token()))
        scene.time.pass(.seconds(1))
        #expect(!tokens.contains(scene.tokens.token()))
    }

    @Test func `is one for all processes that have the key, whenever they begin`() throws {
        let scene = try APNSScene("http://127.0.0.1:1")
        let first = scene.tokens.token().text.exposed
        for _ in 0..<5 {
            scene.time.pass(.seconds(5 * 60))
            #expect(scene.otherTokens().token().text.exposed == first)
        }
        scene.time.pass(.seconds(5 * 60))
        let next = scene.otherTokens().token().text.exposed
        #expect(next != first && scene.tokens.token().text.exposed == next)
    }

    @Test func `of a process that began late in a half hour is kept for 20 minutes`() throws {
        let scene = try APNSScene("http://127.0.0.1:1")
        scene.time.pass(.seconds(29 * 60))
        let token = scene.tokens.token()
        scene.time.pass(.seconds(20 * 60 - 1))
        #expect(scene.tokens.token() == token)
        scene.time.pass(.seconds(1))
        #expect(scene.tokens.token() != token)
    }

    @Test func `that was refused as too old is replaced once, however many saw it refused`() async throws {
        let scene = try APNSScene("http://127.0.0.1:1")
        let old = scene.tokens.token()
        guard case .failure(let young) = scene.tokens.token(after: old) else {
            Issue.record("a token of this moment was replaced")
            return
        }
        #expect(young.left == .seconds(20 * 60))
        scene.time.pass(.seconds(20 * 60))
        let tokens = await withTaskGroup(of: APNSTokenSource.Token?.self) { group in
            for _ in 0..<64 { group.addTask { try? scene.tokens.token(after: old).get() } }
            return await group.reduce(into: Set<APNSTokenSource.Token?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && !tokens.contains(old) && !tokens.contains(nil))
    }

    @Test func `of a service that calls it old is made anew and the notice sent again, once`() async throws {
        let seen = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            let token = request.header("authorization") ?? ""
            let isNew = seen.withLock { seen in
                seen.append(token)
                return seen[0] != token
            }
            return isNew ? LoopbackReply(200) : .json(#"{"reason":"ExpiredProviderToken"}"#, status: 403)
        }
        defer { server.stop() }
        let scene = try APNSScene(server.url)
        _ = scene.tokens.token()
        scene.time.pass(.seconds(25 * 60))
        #expect(await scene.delivery.deliver(.invented(), until: Self.soon).short == "delivered")
        #expect(server.counts.requests == 2)
        #expect(Set(server.requests.map { $0.header("apns-id") }).count == 1)
    }

    @Test func `that is called old however new it is means a wrong clock, and says by how much`() async throws {
        let date = ("Date", "Sun, 22 Nov 2026 04:10:00 GMT")
        let server = try LoopbackServer { _ in
            .json(#"{"reason":"ExpiredProviderToken"}"#, status: 403, headers: [date])
        }
        defer { server.stop() }
        let scene = try APNSScene(server.url)
        let result = await scene.delivery.deliver(.invented(), until: Self.soon)
        #expect(result.short == "misconfigured apns_expired_provider_token")
        #expect(result.detail.contains("600 s behind"))
        #expect(server.counts.requests == 1)
        scene.time.pass(.seconds(25 * 60))
        #expect(await scene.delivery.deliver(.invented(), until: Self.soon).detail.contains("900 s ahead"))
        #expect(server.counts.requests == 3, "an old one is replaced, but once")
    }

    /// The service's own rules, kept by a server with the scene's time.
    private final class Rules: Sendable {
        private struct State {
            var token = ""
            var since: Int64 = 0
            var faults: [String] = []
            var tokens = 0
        }

        private let state = Mutex(State())

        func answer(_ token: String, made: Int64, now: Int64) -> LoopbackReply {
            state.withLock { state in
                if token != state.token {
                    if state.tokens > 0, now - state.since < 20 * 60 {
                        state.faults.append("changed too often at \(now)")
                    }
                    state.token = token
                    state.since = now
                    state.tokens += 1
                }
                if now - made > 60 * 60 || made > now { state.faults.append("made at \(made), used at \(now)") }
                return LoopbackReply(200)
            }
        }

        var faults: [String] { state.withLock { $0.faults } }
        var tokens: Int { state.withLock { $0.tokens } }
    }

    @Test func `breaks no rule of the service in ten hours, whenever notices go out`() async throws {
        let seed: UInt64 = 47
        var random = SeededRandom(seed: seed)
        let rules = Rules()
        let holder = Mutex<APNSScene?>(nil)
        let server = try LoopbackServer { request in
            guard let scene = holder.withLock({ $0 }) else { return LoopbackReply(500) }
            let token = request.header("authorization") ?? ""
            guard let made = try? scene.open(token).seconds else { return LoopbackReply(500) }
            return rules.answer(token, made: Int64(made), now: scene.time.seconds)
        }
        defer { server.stop() }
        let scene = try APNSScene(server.url)
        holder.withLock { $0 = scene }
        while scene.time.seconds < APNSScene.start + 36_000 {
            #expect(await scene.delivery.deliver(.invented(), until: Self.soon).short == "delivered")
            scene.time.pass(.seconds(Int64.random(in: 1...1_500, using: &random)))
        }
        #expect(rules.faults.isEmpty, "seed \(seed): \(rules.faults)")
        #expect((15...21).contains(rules.tokens), "seed \(seed): \(rules.tokens)")
    }

    @Test func `is in no text of a delivery`() async throws {
        let scene = try APNSScene("http://127.0.0.1:\(try LoopbackPort.free())")
        let token = scene.tokens.token().text.exposed
        var shown = "\(scene.tokens.token())"
        dump(scene.delivery, to: &shown)
        dump(await scene.delivery.deliver(.invented(), until: Self.soon), to: &shown)
        #expect(shown.contains("app.knot.ios") && !shown.contains(token))
    }
}
