package import Digest
import EmbeddedFiles
import JSONDocument
import Synchronization

/// The operators' page: one document, which fills itself from a stream of overviews and asks nobody else for anything.
package final class OperationsPage: Sendable {
    /// Who may look: whoever is on this machine, or whoever has the token.
    package enum Admission: Sendable {
        case anybody
        case whoever(hasDigest: SHA256Digest)

        /// Those who have the token.
        package static func whoever(has token: String) -> Admission { .whoever(hasDigest: SHA256Digest(of: token)) }
    }

    private struct State {
        /// The last event of each kind: an overview, and what is the matter since.
        var overview: [UInt8]?
        var trouble: [UInt8]?
        var json: [UInt8]?
        var lastAsked = ContinuousClock.now
    }

    private let admission: Admission
    private let state = Mutex(State())
    private static let document = EmbeddedFile.text(named: "page.html")

    package init(_ admission: Admission) {
        self.admission = admission
    }

    /// Keeps an overview, or why there is none; returns the event that streams are to be sent.
    package func take(_ result: Result<OperationsOverview, OverviewFailure>) -> [UInt8] {
        switch result {
        case .success(let overview):
            let json = JSONWriter.bytes(overview.json)
            let event = Self.event("overview", json)
            state.withLock { $0 = State(overview: event, trouble: nil, json: json, lastAsked: $0.lastAsked) }
            return event
        case .failure(let failure):
            let event = Self.event("trouble", JSONWriter.bytes(.string(failure.description)))
            state.withLock { $0.trouble = event }
            return event
        }
    }

    /// Since somebody who is admitted asked for anything.
    var sinceAsked: Duration { state.withLock { $0.lastAsked }.duration(to: .now) }

    package func answer(_ request: OperationsRequest) -> OperationsAnswer {
        guard isAdmitted(request) else {
            var answer = OperationsAnswer.text("this page is for whoever has its token\n", status: 401)
            answer.headers["WWW-Authenticate"] = "Basic realm=\"knot-recommend\", charset=\"UTF-8\""
            return answer
        }
        state.withLock { $0.lastAsked = .now }
        switch request.path {
        case "/": return page()
        case "/events":
            let known = state.withLock { ($0.overview ?? []) + ($0.trouble ?? []) }
            return OperationsAnswer(type: "text/event-stream", body: Self.beginning + known, isStream: true)
        case "/overview.json":
            guard let json = state.withLock({ $0.json }) else {
                return .text("nothing has been read yet\n", status: 503)
            }
            return OperationsAnswer(type: "application/json", body: json + [0x0A])
        default: return .notFound
        }
    }

    /// Comes back after two seconds where the stream ends.
    private static let beginning = Array("retry: 2000\n\n".utf8)

    /// One event; JSON in one line has no line break that could begin another.
    private static func event(_ name: String, _ json: [UInt8]) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + json + [0x0A, 0x0A]
    }

    /// Only the page's own style and script run, told by a word that nobody can know beforehand.
    private func page() -> OperationsAnswer {
        let nonce = SHA256Digest(of: RandomBytes.make(32)).hex
        let policy = [
            "default-src 'none'", "style-src 'nonce-\(nonce)'", "script-src 'nonce-\(nonce)'", "connect-src 'self'",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        let first = state.withLock { $0.json } ?? Array("null".utf8)
        let text = Self.document.replacing("@NONCE@", with: nonce).replacing("@FIRST@", with: Self.quiet(first))
        return OperationsAnswer(
            type: "text/html; charset=utf-8",
            headers: ["Content-Security-Policy": policy.joined(separator: "; ")],
            body: Array(text.utf8)
        )
    }

    /// JSON in which nothing looks like the end of the element that holds it.
    private static func quiet(_ json: [UInt8]) -> String {
        String(decoding: json, as: UTF8.self).replacing("<", with: "\\u003c").replacing("&", with: "\\u0026")
    }

    private func isAdmitted(_ request: OperationsRequest) -> Bool {
        guard case .whoever(let digest) = admission else { return true }
        let words = (request.headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return false }
        // Digests are compared, so that the time it takes tells nothing of the token.
        switch words[0].lowercased() {
        case "bearer": return SHA256Digest(of: String(words[1])) == digest
        case "basic":
            // A browser asks for a name too, which may be any.
            guard let pair = Base64.decoded(String(words[1])), let colon = pair.firstIndex(of: 0x3A) else {
                return false
            }
            return SHA256Digest(of: Array(pair[(colon + 1)...])) == digest
        default: return false
        }
    }
}

/// The encoding of a browser's name and password.
enum Base64 {
    /// Nil for what is none.
    static func decoded(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0, digits.count <= 1_024 else { return nil }
        let padding = digits.reversed().prefix { $0 == 0x3D }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        for (place, digit) in digits.dropLast(padding).enumerated() {
            let value: UInt8
            switch digit {
            case 0x41...0x5A: value = digit - 0x41
            case 0x61...0x7A: value = digit - 0x61 + 26
            case 0x30...0x39: value = digit - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            default: return nil
            }
            bits = bits << 6 | Int(value)
            if place % 4 != 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (place % 4)))) }
        }
        return bytes
    }
}
