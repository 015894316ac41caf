import Foundation
import TestSupport
import Testing

@testable import TextEncoding

@Suite("The tokenizer of BERT")
struct BertTokenizerTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        let settings: TokenizerSettings
        var testDescription: String { name }

        init(_ name: String, _ change: (inout TokenizerSettings) -> Void = { _ in }) {
            self.name = name
            var settings = TokenizerSettings()
            change(&settings)
            self.settings = settings
        }
    }

    static let ways = [
        Way("uncased"),
        Way("cased") {
            $0.lowersCase = false
            $0.stripsAccents = false
        },
        Way("accents") { $0.stripsAccents = false },
        Way("stripped") { $0.lowersCase = false },
        Way("together") { $0.separatesIdeographs = false },
        Way("uncleaned") { $0.cleansText = false },
    ]

    @Test func `cuts every text as the reference does`() throws {
        let texts = try EncoderFixture.shared.get().texts
        #expect(texts.count >= 1_000)
        let model = try EncoderFixture.model()
        let settings = try ModelSettingsReader(directory: model).read()
        let pieces = try TokenizerReader(folder: model).source(settings.tokenizer).pieces
        let tokenizer = try BertTokenizer(pieces, settings: settings.tokenizer)
        for text in texts {
            let (numbers, isTruncated) = tokenizer.tokens(of: text.text, limit: settings.mostTokens)
            #expect(numbers == text.tokens, "\(text.text.debugDescription.prefix(200))")
            #expect(isTruncated == text.isCut, "\(text.text.debugDescription.prefix(200))")
        }
    }

    @Test(arguments: ways)
    func `reads texts in every way that models may be set to`(way: Way) throws {
        let tokenizer = try Self.ofCharacters(way.settings)
        for text in try EncoderFixture.shared.get().texts {
            let numbers = tokenizer.tokens(of: text.text).numbers
            #expect(Self.digest(numbers) == text.ways[way.name], "\(text.text.debugDescription.prefix(200))")
        }
    }

    @Test func `is the same from a list of pieces and from one document`() throws {
        let model = try EncoderFixture.model()
        let folder = try ModelFolder()
        try FileManager.default.copyItem(atPath: model + "/tokenizer.json", toPath: folder.path + "/tokenizer.json")
        let reader = TokenizerReader(folder: folder.path)
        let settings = try reader.settings()
        let beside = try TokenizerReader(folder: model).settings()
        #expect(Set(settings.literals) == Set(beside.literals))
        #expect(settings.lowersCase && settings.stripsAccents && settings.separatesIdeographs && settings.cleansText)
        let one = try BertTokenizer(try reader.source(settings).pieces, settings: settings)
        let other = try BertTokenizer(try TokenizerReader(folder: model).source(beside).pieces, settings: beside)
        for text in try EncoderFixture.shared.get().texts {
            #expect(one.tokens(of: text.text).numbers == other.tokens(of: text.text).numbers)
        }
    }

    @Test(arguments: 0..<8)
    func `takes any text without harm`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let way = Self.ways[Int(seed) % Self.ways.count]
        let tokenizer = try Self.ofCharacters(way.settings)
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in
                // Many bytes that begin or continue something, so that most sequences are broken somewhere.
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : [0xE2, 0xCC, 0x81, 0x5B][Int.random(in: 0..<4, using: &random)]
            }
            let limit = Int.random(in: 2..<40, using: &random)
            let text = String(decoding: bytes, as: UTF8.self)
            let whole = tokenizer.tokens(of: text)
            let cut = tokenizer.tokens(of: text, limit: limit)
            #expect(!whole.isTruncated)
            #expect(cut.isTruncated == (whole.numbers.count > limit), "seed \(seed): \(bytes)")
            #expect(
                cut.numbers == (cut.isTruncated ? whole.numbers.prefix(limit - 1) + [tokenizer.end] : whole.numbers),
                "seed \(seed): \(bytes)"
            )
        }
    }

    @Test func `reads no more of a long text than it keeps`() throws {
        let tokenizer = try Self.ofCharacters(TokenizerSettings())
        let letters = String(repeating: "a", count: 4 << 20)
        let marks = "a" + String(repeating: "\u{302E}", count: 1 << 20)
        let taken = ThreadTime.measure {
            #expect(
                tokenizer.tokens(of: letters, limit: 256).numbers == [
                    tokenizer.start, tokenizer.unknown, tokenizer.end,
                ]
            )
            #expect(
                tokenizer.tokens(of: marks, limit: 256).numbers == [tokenizer.start, tokenizer.unknown, tokenizer.end]
            )
            #expect(tokenizer.tokens(of: String(repeating: "! ", count: 1 << 20), limit: 256).isTruncated)
        }
        // Linear work takes well below a second.
        #expect(taken < .seconds(30))
    }

    @Test func `refuses a vocabulary without its special tokens`() throws {
        let pieces = WordPieces(["[UNK]", "[CLS]", "a"].map { Array($0.utf8) }, continuation: "##")
        let missing = #expect(throws: BertTokenizer.MissingPiece.self) {
            try BertTokenizer(pieces, settings: TokenizerSettings())
        }
        #expect(missing?.piece == "[SEP]")
    }

    @Test(arguments: ["\n", "\r\n"], [true, false])
    func `reads a piece from each line of a file, empty ones too`(end: String, isClosed: Bool) {
        let list = ["[UNK]", "glove", "", "##s", "é", "", "g"]
        let file = list.joined(separator: end) + (isClosed ? end : "")
        let pieces = WordPieces(lines: Array(file.utf8), continuation: "##")
        #expect(pieces.count == list.count && pieces.longest == 5)
        #expect(["glove", "##s", "é", "", "g", "h"].map(pieces.number) == [1, 3, 4, 5, 6, nil])
        #expect(WordPieces(lines: [], continuation: "##").count == 0)
    }

    @Test func `takes the longest piece first, and the whole word for unknown when a part is`() throws {
        let list = ["[UNK]", "[CLS]", "[SEP]", "glove", "gloves", "##s", "##sy", "g", "##l"]
        let tokenizer = try BertTokenizer(
            WordPieces(list.map { Array($0.utf8) }, continuation: "##"),
            settings: TokenizerSettings()
        )
        #expect(
            tokenizer.tokens(of: "Gloves glovess glovesy GLOVE gl glx").numbers == [1, 4, 4, 5, 0, 3, 7, 8, 0, 2]
        )
    }

    private static func ofCharacters(_ settings: TokenizerSettings) throws -> BertTokenizer {
        let list = try String(contentsOfFile: EncoderFixture.folder + "/characters.txt", encoding: .utf8)
        let pieces = list.utf8.split(separator: 0x0A).map { Array($0) }
        return try BertTokenizer(WordPieces(pieces, continuation: "##"), settings: settings)
    }

    private static func digest(_ numbers: [UInt32]) -> String {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for number in numbers {
            for shift in stride(from: 0, to: 32, by: 8) {
                value = (value ^ UInt64(number >> UInt32(shift) & 0xFF)) &* 0x100_0000_01B3
            }
        }
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
