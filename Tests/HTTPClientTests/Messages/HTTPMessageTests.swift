import FileInput
import Testing

@testable import HTTPClient

@Suite("Requests and answers as values")
struct HTTPMessageTests {
    @Test func `show no key, wherever it stands`() {
        let secret = Secret("canary-1")
        var request = HTTPRequest(
            .post,
            "https://user:canary-2@api.example/v2/events?apikey=canary-3#canary-4",
            headers: [
                HTTPHeader("Authorization", "Bearer ", secret: secret), HTTPHeader("X-API-Key", "canary-5"),
                HTTPHeader("Cookie", "canary-6"),
            ],
            body: Array("canary-7".utf8)
        )
        request.isIdempotent = true
        for text in ["\(request)", String(reflecting: request), "\(request.headers)", "\(secret)"] {
            #expect(!text.contains("canary"), "\(text)")
        }
        #expect("\(request)" == "POST https://api.example/v2/events")
        #expect(request.headers[0].value == "Bearer canary-1")
    }

    @Test func `encode a query so that no value ends it or begins another`() {
        let url = HTTPRequest.url("https://a.example/s", query: [("q", "a&b=c #é\r\n"), ("limit", "3")])
        #expect(url == "https://a.example/s?q=a%26b%3Dc%20%23%C3%A9%0D%0A&limit=3")
        #expect(HTTPRequest.url("https://a.example/s?v=1", query: [("q", "x")]) == "https://a.example/s?v=1&q=x")
    }

    @Test func `find a header whatever its capitals, and the first of several`() {
        let headers = HTTPHeaders([HTTPHeader("Retry-After", "3"), HTTPHeader("retry-after", "4")])
        #expect(headers["RETRY-AFTER"] == "3")
        #expect(headers.values(of: "Retry-after") == ["3", "4"])
        #expect(headers["retry-afte"] == nil)
    }

    @Test(
        arguments: [
            ("application/json; charset=utf-8", "application/json"), ("Text/HTML", "text/html"), (" ; x", nil),
        ] as [(String, String?)]
    )
    func `tell the media type without its parameters`(value: String, type: String?) {
        #expect(HTTPResponse(status: 200, headers: ["Content-Type": value]).mediaType == type)
    }

    @Test func `are sent again only where that changes nothing`() {
        #expect(HTTPRequest(.get, "https://a.example").isIdempotent)
        #expect(HTTPRequest(.head, "https://a.example").isIdempotent)
        #expect(!HTTPRequest(.post, "https://a.example").isIdempotent)
        #expect(HTTPRequest(.post, "https://a.example", isIdempotent: true).isIdempotent)
    }
}
