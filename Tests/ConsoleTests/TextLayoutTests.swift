import TestSupport
import Testing

@testable import Console

@Suite struct `Layout of text` {
    @Test(arguments: [("abc", 3), ("手袋", 4), ("e\u{301}", 1), ("", 0), ("ｆ", 2), ("한", 2), ("❤️", 2), ("🎁", 2)])
    func `counts columns as a terminal does`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func `cuts with dots and never past the width`() {
        #expect(TextLayout.truncated("abcdefgh", to: 6) == "abc...")
        #expect(TextLayout.truncated("abc", to: 3) == "abc")
        #expect(DisplayWidth.of(TextLayout.truncated("手編みの手袋", to: 8)) <= 8)
        #expect(TextLayout.truncated("abcdef", to: 2) == "..")
    }

    @Test func `breaks at spaces, inside a word only when it must`() {
        #expect(TextLayout.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(TextLayout.wrapped("abcdefghij k", to: 4) == ["abcd", "efgh", "ij k"])
        #expect(TextLayout.wrapped("", to: 10).isEmpty)
        #expect(TextLayout.wrapped("手手手", to: 4) == ["手手", "手"])
    }

    @Test func `says when lines are left out`() {
        let lines = TextLayout.wrapped("one two three four", to: 5, lines: 2)
        #expect(lines == ["one", "two..."] || lines == ["one", "tw..."])
    }

    @Test func `never makes a line wider than asked, whatever the text`() {
        var generator = SeededRandom(seed: 11)
        let pieces = ["a", "手", " ", "e\u{301}", "🎁", "supercalifragilistic", "👩‍👩‍👧"]
        for _ in 0..<500 {
            let text = (0..<30).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            let width = Int.random(in: 8...30, using: &generator)
            let lines = TextLayout.wrapped(text, to: width)
            #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "seed 11, width \(width): \(text)")
            #expect(
                lines.joined().filter { $0 != " " } == text.filter { $0 != " " },
                "seed 11, width \(width): \(text)"
            )
        }
    }
}
