import Console
import Testing

@testable import Arguments

@Suite struct `The words of a command` {
    @Test func `that are not UTF-8 are shown, and the first of them is named`() {
        let all = [Array("knot".utf8), [0x61, 0xFF], Array("b".utf8), [0xFE]]
        let (words, problem) = CommandWords.words(of: all)
        #expect(words.count == 3 && words[1] == "b")
        #expect(problem?.place == "word 1")
    }

    @Test func `are those that the kernel keeps, the empty ones among them`() {
        let kept = Array("./knot\0run\0\0--vault=é\0".utf8)
        #expect(CommandWords.words(of: CommandWords.parts(of: kept)).words == ["run", "", "--vault=é"])
        #expect(CommandWords.words(of: CommandWords.parts(of: [])).words.isEmpty)
    }

    @Test func `are found where the program is asked for its own`() {
        #expect(CommandWords.current().words == Array(CommandLine.arguments.dropFirst()))
    }
}
