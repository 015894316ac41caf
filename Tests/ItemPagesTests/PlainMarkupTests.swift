import TestSupport
import Testing

@testable import ItemPages

@Suite("The words of a text with markup")
struct PlainMarkupTests {
    private func words(_ html: String) -> String {
        PlainMarkup.text(of: html).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(
        arguments: [
            ("<p>Thrown by <b>hand</b></p>", "Thrown by hand"), ("5 < 7, I <3 you", "5 < 7, I <3 you"),
            ("Don&#8217;t &amp; won&rsquo;t", "Don’t & won’t"), ("Caf&eacute;&hellip;", "Café…"),
            ("&lt;b&gt;", "<b>"), ("a<!-- b > c -->d", "a d"), ("a<!-- b", "a"),
            ("a<STYLE>.b { color: red }</Style >c", "a c"), ("a<script>if (1 < 2) b()</script>c", "a c"),
            ("a <b c", "a <b c"), ("", ""), ("<", "<"), ("&", "&"), ("&;&#;&#x;", "&;&#;&#x;"),
        ]
    )
    func `are what a reader of the page would see`(html: String, text: String) {
        #expect(words(html) == text)
    }

    /// Each of these once took time in proportion to the square of its length.
    @Test(arguments: ["&", "<", "<a", "<!--", "<style>", "</", "&#", "<script></script", "é<", "><"])
    func `take no more time than the text is long`(piece: String) {
        func time(_ count: Int) -> Duration {
            let html = String(repeating: piece, count: count)
            return ThreadTime.measure { _ = PlainMarkup.text(of: html) }
        }
        _ = time(100)
        #expect(time(100_000 / piece.utf8.count) < .seconds(10), "\(piece)")
    }
}
