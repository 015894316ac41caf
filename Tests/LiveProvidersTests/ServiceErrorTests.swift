import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import Testing

/// What each error of the services' contracts means for whoever sends: the same call again, a pause, or nothing.
@Suite("An error of a service")
struct ServiceErrorTests {
    enum Expected: Sendable {
        case never
        case again
        case pause(Int)
        case closed
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let service: String
        let status: Int
        let body: String
        var headers: [(String, String)] = []
        let expected: Expected
        var testDescription: String { "\(service) \(status) \(body.prefix(60))" }
    }

    static let date = ("date", "Mon, 23 Nov 2026 12:00:00 GMT")

    static func yelp(_ status: Int, _ code: String, _ expected: Expected, _ headers: [(String, String)] = []) -> Case {
        Case(
            service: "yelp",
            status: status,
            body: #"{"error":{"code":"\#(code)","description":"x"}}"#,
            headers: headers,
            expected: expected
        )
    }

    static func graph(_ code: String, _ expected: Expected) -> Case {
        Case(
            service: "shopify",
            status: 200,
            body: #"{"data":null,"errors":[{"message":"x","extensions":{"code":"\#(code)"}}]}"#,
            expected: expected
        )
    }

    static func amazon(_ status: Int, _ reason: String, _ expected: Expected) -> Case {
        Case(
            service: "amazon",
            status: status,
            body: #"{"type":"E","reason":"\#(reason)","message":"x"}"#,
            expected: expected
        )
    }

    static let yelpCases = [
        yelp(400, "VALIDATION_ERROR", .never), yelp(400, "INVALID_LOCALE", .never),
        yelp(400, "INVALID_AUTHORIZATION_METHOD", .never), yelp(400, "LOCATION_NOT_FOUND", .never),
        yelp(401, "TOKEN_INVALID", .never), yelp(401, "UNAUTHORIZED_ACCESS_TOKEN", .never),
        yelp(401, "UNAUTHORIZED_API_KEY", .never), yelp(403, "BUSINESS_UNAVAILABLE", .never),
        yelp(404, "BUSINESS_NOT_FOUND", .never), yelp(404, "NOT_FOUND", .never), yelp(413, "x", .never),
        yelp(429, "TOO_MANY_REQUESTS_PER_SECOND", .again), yelp(500, "INTERNAL_ERROR", .again),
        yelp(
            429,
            "ACCESS_LIMIT_REACHED",
            .pause(43_200),
            [date, ("RateLimit-ResetTime", "2026-11-24T00:00:00+00:00")]
        ),
        yelp(429, "ACCESS_LIMIT_REACHED", .pause(86_400)),
        Case(service: "yelp", status: 503, body: "<html>", expected: .again),
        // An error under a status that says that all is well.
        yelp(200, "TOO_MANY_REQUESTS_PER_SECOND", .again),
        yelp(200, "VALIDATION_ERROR", .never), yelp(200, "ACCESS_LIMIT_REACHED", .pause(86_400)),
        Case(service: "yelp", status: 200, body: #"{"message":"Not found"}"#, expected: .again),
        Case(service: "yelp", status: 200, body: #"{"total":3}"#, expected: .never),
        Case(
            service: "yelp",
            status: 429,
            body: #"{"error":{"description":{"error":{"code":"ACCESS_LIMIT_REACHED"}}}}"#,
            expected: .pause(86_400)
        ),
    ]

    static let ticketmasterCases =
        [
            (
                401, #"{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}"#,
                Expected.never
            ),
            (401, #"{"fault":{"detail":{"errorcode":"oauth.v2.FailedToResolveAPIKey"}}}"#, .never),
            (429, #"{"fault":{"detail":{"errorcode":"policies.ratelimit.SpikeArrestViolation"}}}"#, .again),
            (400, #"{"errors":[{"code":"DIS1024","detail":"x","status":"400"}]}"#, .never),
            (400, #"{"errors":[{"code":"DIS1035","detail":"x","status":"400"}]}"#, .never),
            (400, #"{"errors":[{"code":"DIS1036","detail":"x","status":"400 BAD_REQUEST"}]}"#, .never),
            (400, #"{"errors":[{"code":"DIS1015","detail":"x","status":"400"}]}"#, .never),
            (
                404, #"{"errors":[{"code":"DIS1004","detail":"x","status":"404","_links":{"about":{"href":"/x"}}}]}"#,
                .never
            ),
            (200, #"{"fault":{"detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}"#, .never),
            (200, #"{"errors":[{"code":"DIS1015","detail":"x","status":"400"}]}"#, .never),
            (200, #"{"fault":{"detail":{"errorcode":"policies.ratelimit.SpikeArrestViolation"}}}"#, .again),
            (500, "<html>", .again), (502, "", .again), (503, "<html>", .again),
            (504, #"{"fault":{"detail":{"errorcode":"messaging.adaptors.http.flow.GatewayTimeout"}}}"#, .again),
        ].map { Case(service: "ticketmaster", status: $0.0, body: $0.1, expected: $0.2) } + [
            Case(
                service: "ticketmaster",
                status: 429,
                body: #"{"fault":{"detail":{"errorcode":"policies.ratelimit.QuotaViolation"}}}"#,
                // Half an hour after the reply's own date, in milliseconds.
                headers: [date, ("Rate-Limit-Reset", "1795437000000")],
                expected: .pause(1_800)
            )
        ]

    private static let amazonRefusals: [Case] = [
        (400, "UnknownOperation CannotParse FieldValidationFailed InvalidAssociate InvalidPartnerTag Other"),
        (
            401,
            """
            TokenExpired InvalidToken InvalidIssuer MissingClaim MissingKeyId UnsupportedClient InvalidClient \
            MissingCredential Other
            """
        ),
    ].flatMap { status, reasons in
        reasons.split(separator: " ").map { amazon(status, String($0), .never) }
    }

    static let amazonCases =
        amazonRefusals + [
            amazon(403, "AssociateNotEligible", .pause(86_400)), amazon(403, "AuthorizationFailed", .pause(86_400)),
            amazon(403, "Other", .pause(86_400)),
            Case(
                service: "amazon",
                status: 429,
                body: #"{"type":"ThrottleException","message":"x"}"#,
                expected: .again
            ),
            Case(
                service: "amazon",
                status: 200,
                body: #"{"errors":[{"code":"TooManyRequests","message":"x"}]}"#,
                expected: .again
            ),
            Case(service: "amazon", status: 500, body: #"{"type":"InternalServerException"}"#, expected: .again),
        ]

    static let shopifyCases =
        [
            graph("THROTTLED", .again), graph("INTERNAL_SERVER_ERROR", .again), graph("ACCESS_DENIED", .never),
            graph("SHOP_INACTIVE", .never), graph("MAX_COMPLEXITY_EXCEEDED", .never), graph("undefinedField", .never),
        ]
        + [
            (400, #"{"errors":{"query":"Required parameter missing or invalid"}}"#, Expected.never),
            (401, #"{"errors":"[API] Invalid API key"}"#, .never), (403, #"{"errors":"x"}"#, .never),
            (404, #"{"errors":"x"}"#, .never),
            (402, #"{"errors":"This shop is unavailable"}"#, .closed), (423, "", .closed),
            (429, "slow down", .pause(60)), (430, "<html>Shopify Security Rejection</html>", .pause(60)),
            (503, "", .again),
            (
                200, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool not found: search_catalog"}}"#,
                .never
            ),
            (200, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}"#, .again),
            (
                200,
                #"{"result":{"structuredContent":{"ucp":{"status":"error"},"messages":[{"type":"error","code":"not_found"}]}}}"#,
                .never
            ),
            // What helps may be said by any of several errors, also without a code.
            (
                200,
                #"{"data":{"shop":null},"errors":[{"message":"x"},{"message":"x","extensions":{"code":"THROTTLED"}}]}"#,
                .again
            ),
            (200, #"{"errors":[{"message":"x","extensions":{"code":"A"}},{"message":"Throttled"}]}"#, .again),
            (
                200,
                #"{"errors":[{"extensions":{"code":"INTERNAL_SERVER_ERROR"}},{"extensions":{"code":"ACCESS_DENIED"}}]}"#,
                .never
            ),
            (200, #"{"errors":[{"message":"x"},{"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#, .again),
            (
                200,
                #"{"result":{"structuredContent":{"messages":[{"type":"error","code":"profile_unreachable"}]}}}"#,
                .never
            ),
            (200, #"{"errors":{"query":"x"}}"#, .never), (200, #"{"errors":"x"}"#, .never),
            (200, #"{"jsonrpc":"2.0","id":1,"result":{}}"#, .never), (200, #"{"error":"x"}"#, .never),
            (200, #"{"result":{"isError":"true","structuredContent":{}}}"#, .never),
        ].map { Case(service: "shopify", status: $0.0, body: $0.1, expected: $0.2) } + [
            Case(service: "shopify", status: 429, body: "", headers: [("Retry-After", "1")], expected: .again),
            // Longer than any run waits: nobody asks before.
            Case(service: "shopify", status: 429, body: "", headers: [("Retry-After", "90")], expected: .pause(90)),
        ]

    static let firecrawlCases = [
        (400, #"{"success":false,"error":"Bad Request"}"#, Expected.never),
        (401, #"{"success":false,"error":"Unauthorized"}"#, .never),
        (402, #"{"error":"Payment Required"}"#, .pause(86_400)), (403, "{}", .never), (404, "{}", .never),
        (408, #"{"success":false}"#, .again),
        (409, "{}", .never), (413, "{}", .never), (422, "{}", .never),
        (429, #"{"error":"Rate limit exceeded"}"#, .again),
        (500, #"{"success":false,"code":"UNKNOWN_ERROR"}"#, .again), (502, "", .again), (503, "", .again),
        (504, "", .again),
        (200, #"{"success":false,"error":"x"}"#, .never), (200, #"{"success":"false"}"#, .never),
        (200, #"{"success":false,"error":"Rate limit exceeded. please retry after 2s, resets at"}"#, .again),
        (200, #"{"success":false,"error":"Insufficient credits"}"#, .pause(86_400)),
        (200, #"{"error":"x"}"#, .never), (200, #"{"error":"x","data":null}"#, .never),
    ].map { Case(service: "firecrawl", status: $0.0, body: $0.1, expected: $0.2) }

    static let all = yelpCases + ticketmasterCases + amazonCases + shopifyCases + firecrawlCases

    @Test(arguments: all)
    func `is tried again, waited for or given up as the contract says`(case one: Case) throws {
        let adapter = try #require(Adapters.all(Adapters.reply).first { $0.capability.name.rawValue == one.service })
        let failure = try #require(adapter.failure(of: .json(one.body, status: one.status, headers: one.headers)))
        switch (failure.remedy, one.expected) {
        case (.none, .never), (.again, .again), (.closed(.seconds(86_400)), .closed): break
        case (.pause(let found), .pause(let seconds)), (.usedUp(let found), .pause(let seconds)):
            #expect(found == .seconds(seconds))
        default: Issue.record("\(failure.code): \(failure.remedy) instead of \(one.expected)")
        }
        #expect(failure.code.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
    }

    @Test(arguments: ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"])
    func `shows nothing of what the service wrote but plain letters`(service: String) throws {
        let adapter = try #require(Adapters.all(Adapters.reply).first { $0.capability.name.rawValue == service })
        let evil = #"\u001b[31m\u202eKEY=\#(Adapters.canary)<script>"#
        let bodies = [
            #"{"error":{"code":"\#(evil)"}}"#, #"{"error":"\#(evil)"}"#, #"{"reason":"\#(evil)"}"#,
            #"{"code":"\#(evil)"}"#,
            #"{"errors":[{"code":"\#(evil)"}]}"#, #"{"fault":{"detail":{"errorcode":"\#(evil)"}}}"#,
        ]
        for body in bodies {
            let failure = try #require(adapter.failure(of: .json(body, status: 400)))
            let shown = "\(failure.stageFailure(of: service))"
            #expect(shown.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "\(shown)")
            #expect(!shown.contains("<") && !shown.contains("["))
        }
    }

    @Test func `asks for its own wait also in a sentence`() throws {
        let sentence = "Rate limit exceeded. Consumed (req/min): 20, Remaining: 0. please retry after 40s, resets at"
        let firecrawl = Adapters.firecrawl(ScriptedSender(""))
        let failure = try #require(firecrawl.failure(of: .json(#"{"error":"\#(sentence)"}"#, status: 429)))
        #expect(failure.remedy == .again(after: .seconds(40)))
    }

    @Test(arguments: [("7", 7), ("0", 0), ("x", nil), ("-3", nil), ("99999999", nil)] as [(String, Int?)])
    func `asks for its own wait where it names one in seconds`(text: String, seconds: Int?) throws {
        let failure = try #require(ServiceFailure.byStatus(.json("", status: 503, headers: [("Retry-After", text)])))
        #expect(failure.remedy == .again(after: seconds.map { .seconds($0) }))
    }
}
