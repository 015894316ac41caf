import Testing
import TextEncoding

@Suite("Texts as keys") struct ExactTextTests {
    @Test func `equal texts of other bytes are two keys`() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(ExactText(composed) != ExactText(decomposed))
        #expect(ExactText(composed) == ExactText("caf\u{E9}"))
    }

    @Test func `a text is not its own beginning`() {
        #expect(ExactText("tea") != ExactText("teapot"))
        #expect(ExactText("") != ExactText("t"))
    }
}
