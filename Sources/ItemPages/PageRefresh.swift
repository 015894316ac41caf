import TextReading

/// Where a page leads by itself, without a redirect of its server: `<meta http-equiv="refresh" content="0; url=/gone">`.
package struct PageRefresh: Sendable, Equatable {
    package let url: String

    /// Whoever waits longer reads the page.
    private static let mostSeconds = 60
    /// Scripts that lead on, in a page that shows nothing.
    private static let scripts = PhraseFinder(
        ["location.href", "location.replace(", "location.assign(", "window.location", "document.location"],
        areWords: false
    )

    /// Nil for a page that only reloads itself, and for what browsers make nothing of.
    package init?(_ content: String) {
        let text = content.utf8.drop { $0 <= 0x20 }
        let digits = text.prefix { (0x30...0x39).contains($0) }
        guard let seconds = Int(Substring(digits)), seconds <= Self.mostSeconds else { return nil }
        // A part of a second, then whatever parts the time from the place.
        var rest = text[digits.endIndex...].drop { (0x30...0x39).contains($0) || $0 == 0x2E }
        rest = rest.drop { $0 <= 0x20 || $0 == 0x3B || $0 == 0x2C }
        if rest.prefix(3).map({ $0 | 0x20 }) == Array("url".utf8) {
            let value = rest.dropFirst(3).drop { $0 <= 0x20 }
            if value.first == 0x3D { rest = value.dropFirst().drop { $0 <= 0x20 } }
        }
        if let quote = rest.first, quote == 0x22 || quote == 0x27 { rest = rest.dropFirst().prefix { $0 != quote } }
        let place = String(Substring(rest)).prefix { !$0.isWhitespace }
        guard !place.isEmpty else { return nil }
        url = String(place)
    }

    /// Whether a page that shows nothing has a script that leads elsewhere, or may.
    static func isScripted(_ page: PageText, markup: [UInt8]) -> Bool {
        page.visibleCount == 0 && scripts.isIn(markup)
    }
}
