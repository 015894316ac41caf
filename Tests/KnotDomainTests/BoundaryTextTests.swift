import KnotDomain
import Testing

@Suite struct BoundaryTextTests {
    @Test(arguments: [
        ("", ""), (" \n\t ", ""), ("\0", ""), ("\u{200B}\u{FEFF}", ""), ("a\0b\u{1}c\u{7F}d\u{9B}e", "abcde"),
        ("  two   words \r\n here ", "two words here"),
        ("non\u{A0}breaking\u{2028}line\u{3000}wide", "non breaking line wide"),
        ("left\u{202E}right\u{202C} \u{2066}x\u{2069}\u{200F}", "leftright x"),
        ("soft\u{AD}hy\u{2060}phen", "softhyphen"),
        ("tag\u{E0041}\u{E007F}s", "tags"), ("hang\u{3164}ul", "hangul"),
        ("<b>bold</b> &amp; {{x}}", "<b>bold</b> &amp; {{x}}"),
        ("Café ñandú 日本 🎁", "Café ñandú 日本 🎁"), ("👩\u{200D}🚀 go", "👩\u{200D}🚀 go"), ("a\u{200D}b", "ab"),
        ("❤\u{FE0F}", "❤\u{FE0F}"),
        ("a\u{FE0F}b", "ab"), ("next\u{85}line", "next line"),
    ])
    func `keeps what is visible on one line`(text: String, expected: String) {
        #expect(Array(BoundaryText.clean(text, limit: 100).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(arguments: [
        ("abcdef", 3, "abc"), ("ab cdef", 3, "ab"), ("äöü", 3, "ä"), ("日本語", 5, "日"),
        ("e\u{301}e\u{301}", 4, "e\u{301}"),
        ("👩\u{200D}🚀👩\u{200D}🚀", 12, "👩\u{200D}🚀"), ("x", 0, ""), ("abc", 3, "abc"), ("abc  ", 3, "abc"),
    ])
    func `cuts at a character's border`(text: String, limit: Int, expected: String) {
        #expect(BoundaryText.clean(text, limit: limit) == expected)
    }

    @Test func `cuts a heap of marks that is longer than the limit`() {
        let heap = "e" + String(repeating: "\u{301}", count: 10_000)
        let clean = BoundaryText.clean(heap, limit: 100)
        #expect((90...100).contains(clean.utf8.count))
    }

    @Test func `needs no longer for a megabyte than for its limit`() {
        for piece in ["long ", "é", " ", "\u{200B}"] {
            // The best of many: a machine that is busy is not so all the time.
            func time(_ bytes: Int) -> Duration {
                let text = String(repeating: piece, count: bytes / piece.utf8.count)
                let times = (0..<100).map { _ in
                    ContinuousClock().measure { #expect(BoundaryText.clean(text, limit: 500).utf8.count <= 500) }
                }
                return times.min() ?? .zero
            }
            _ = time(10_000)
            let (short, long) = (time(10_000), time(1_000_000))
            #expect(long < short * 10 + .microseconds(100), "\(piece.debugDescription): \(short) and \(long)")
        }
    }

    @Test func `is idempotent and within its limit for random texts`() {
        let seed: UInt64 = 4
        var generator = SeededGenerator(seed: seed)
        let scalars: [Unicode.Scalar] = [
            "a", " ", "\n", "\0", "\u{200D}", "🚀", "👩", "\u{FE0F}", "\u{301}", "é", "日", "\u{202E}", "🇬", "🇧",
            "\u{1F3FD}", "\u{AD}",
        ]
        for _ in 0..<5_000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                view.append(scalars.randomElement(using: &generator) ?? "a")
            }
            let limit = Int.random(in: 0...40, using: &generator)
            let once = BoundaryText.clean(String(view), limit: limit)
            #expect(once.utf8.count <= limit, "seed \(seed)")
            #expect(BoundaryText.clean(once, limit: limit) == once, "seed \(seed): \(Array(view))")
        }
    }
}
