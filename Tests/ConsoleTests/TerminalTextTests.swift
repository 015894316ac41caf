import TestSupport
import Testing

@testable import Console

@Suite struct `Text for a terminal` {
    @Test(arguments: [
        ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"), ("a\u{0}b\u{7}c\u{9B}d\u{7F}", "abcd"),
        ("one\r\ntwo\tthree", "one two three"),
        ("\u{202E}evil\u{202C}\u{2066}x\u{2069}", "evilx"), ("  a \u{A0}\u{3000} b  ", "a b"),
        ("\u{FEFF}x\u{200B}y", "xy"),
        ("\u{E0041}\u{E000}z", "z"), ("\u{2028}a\u{2029}b", "a b"),
    ])
    func `strips what steers a terminal or a reader`(hostile: String, safe: String) {
        #expect(TerminalText.safe(hostile) == safe)
    }

    @Test func `keeps accents, scripts and emoji`() {
        for text in ["Zoë", "手編みの手袋", "e\u{301}", "👩‍👩‍👧", "שלום", "❤️"] {
            #expect(TerminalText.safe(text) == text)
        }
    }

    @Test func `keeps only a few accents on one letter`() {
        let smear = "a" + String(repeating: "\u{301}", count: 5_000)
        #expect(TerminalText.safe(smear).unicodeScalars.count == 5)
    }

    @Test func `looks at no more than the limit`() {
        #expect(TerminalText.safe(String(repeating: "x", count: 1 << 20), limit: 10).count == 10)
    }

    @Test func `never lets a control through, whatever comes`() {
        var generator = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<50 {
                let value = UInt32.random(in: 0...0x2100, using: &generator)
                if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
            }
            let text = String(scalars)
            let safe = TerminalText.safe(text) + TerminalText.escaped(text, limit: 100)
            let isClean = safe.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !(0x202A...0x202E).contains($0.value)
            }
            #expect(isClean, "seed 7: \(safe)")
        }
    }

    @Test func `writes steering characters out where it quotes`() {
        #expect(TerminalText.escaped("a\u{1B}[1m\nb", limit: 100) == "a\\u{1B}[1m\\nb")
        #expect(TerminalText.escaped("abcdef", limit: 3) == "abc...")
    }
}
