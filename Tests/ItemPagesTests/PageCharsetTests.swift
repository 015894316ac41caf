import KnotDomain
import Recommendation
import Testing

@testable import ItemPages

@Suite("A page in older letters")
struct PageCharsetTests {
    /// That something is sold out, by the name of the letters that it is written in.
    static let soldOut: [(name: String, bytes: [UInt8])] =
        [
            ("windows-1251", [0xED, 0xE5, 0xF2, 0x20, 0xE2, 0x20, 0xED, 0xE0, 0xEB, 0xE8, 0xF7, 0xE8, 0xE8]),
            ("koi8-r", [0xCE, 0xC5, 0xD4, 0x20, 0xD7, 0x20, 0xCE, 0xC1, 0xCC, 0xC9, 0xDE, 0xC9, 0xC9]),
            (
                "iso-8859-2",
                [
                    0x70, 0x72, 0x6F, 0x64, 0x75, 0x6B, 0x74, 0x20, 0x6E, 0x69, 0x65, 0x64, 0x6F, 0x73, 0x74, 0xEA,
                    0x70, 0x6E, 0x79,
                ]
            ),
            ("iso-8859-15", [0xE9, 0x70, 0x75, 0x69, 0x73, 0xE9]),
            ("windows-1254", [0x74, 0xFC, 0x6B, 0x65, 0x6E, 0x64, 0x69]),
            (
                "windows-1256",
                [
                    0xDB, 0xED, 0xD1, 0x20,
                    0xE3, 0xCA, 0xE6, 0xDD, 0xD1,
                ]
            ),
            ("Shift_JIS", [0x94, 0x84, 0x82, 0xE8, 0x90, 0xD8, 0x82, 0xEA]),
            ("EUC-JP", [0xB4, 0xB0, 0xC7, 0xE4]),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x3A, 0x5F, 0x38, 0x4B, 0x40, 0x5A, 0x24, 0x6C, 0x1B, 0x28, 0x42]),
            ("euc-kr", [0xC7, 0xB0, 0xC0, 0xFD]),
            ("ks_c_5601-1987", [0xC7, 0xB0, 0xC0, 0xFD]),
            ("gb2312", [0xCA, 0xDB, 0xF3, 0xC0]),
            ("GB18030", [0xD2, 0xD1, 0xCA, 0xDB, 0xCD, 0xEA]),
            ("big5", [0xB0, 0xE2, 0xC1, 0x6A]),
        ]

    private func page(_ words: [UInt8], head: String = "") -> [UInt8] {
        Array("<html><head>\(head)<title>Kettle</title></head><body><p>".utf8) + words + Array("</p></body>".utf8)
    }

    private func reading(_ page: [UInt8], _ type: String? = nil) -> PageReading {
        PageReading(page, contentType: type, of: PageItem(title: "Kettle", currency: .usd))
    }

    @Test(arguments: soldOut)
    func `is read where its header or the page itself names them`(name: String, bytes: [UInt8]) {
        #expect(reading(page(bytes), "text/html; charset=\(name)").signal == .outOfStock)
        #expect(reading(page(bytes), "text/html;charset=\"\(name.uppercased())\"").signal == .outOfStock)
        let heads = [
            "<meta charset=\(name)>", "<meta http-equiv='Content-Type' content='text/html; charset=\(name)'>",
        ]
        for head in heads { #expect(reading(page(bytes, head: head)).signal == .outOfStock, "\(head)") }
        // The header counts before the page.
        #expect(reading(page(bytes, head: "<meta charset=utf-8>"), "text/html; charset=\(name)").signal == .outOfStock)
    }

    @Test(arguments: soldOut)
    func `is read as far as it goes where it is cut or broken`(name: String, bytes: [UInt8]) {
        let whole = page(bytes)
        for length in whole.indices { _ = reading(Array(whole[..<length]), "text/html; charset=\(name)") }
        let broken = whole + [0xFF, 0x80, 0xFF] + Array("<p>x".utf8) + [0x81]
        #expect(reading(broken, "text/html; charset=\(name)").signal == .outOfStock)
    }

    @Test func `is read to its end however long it is`() {
        let filler = [UInt8](repeating: 0xC0, count: 15_000) + [0x20]
        let words = PageCharsetTests.soldOut[0]
        #expect(reading(page(filler + Array("</p><p>".utf8) + words.bytes), words.name).kind == .unclear)
        let type = "text/html; charset=\(words.name)"
        #expect(reading(page(filler + Array("</p><p>".utf8) + words.bytes), type).signal == .outOfStock)
    }

    /// Of western pages few letters are beyond ASCII, and they stand among others.
    @Test func `that it does not name is western, or nobody reads it`() {
        let french = Array("<p>Ce produit est ".utf8) + [0xE9] + Array("puis".utf8) + [0xE9] + Array("</p>".utf8)
        #expect(reading(page(french)).signal == .outOfStock)
        let finnish = Array("m".utf8) + [0xE4, 0xE4] + Array("r".utf8) + [0xE4] + Array(" hyv".utf8) + [0xE4, 0xE4]
        #expect(reading(page(finnish)).kind == .item)
        for one in Self.soldOut where ["windows-1251", "Shift_JIS", "euc-kr", "gb2312"].contains(one.name) {
            #expect(reading(page(one.bytes)).kind == .unclear, "\(one.name)")
        }
        let mixed = Array("Ce produit est épuisé. Désolé, à très bientôt, où ça, là, été, même".utf8) + [0x20, 0xE9]
        #expect(reading(page(mixed)).signal == .outOfStock)
        #expect(reading(page(Self.soldOut[0].bytes), "text/html; charset=x-user-defined").kind == .unclear)
    }

    @Test func `has the offers of its linked data`() throws {
        let name = try #require(Self.soldOut.first { $0.name == "Shift_JIS" })
        let script =
            Array(#"<script type="application/ld+json">{"@type":"Product","name":"Kettle "#.utf8) + name.bytes
            + Array(#"","offers":{"availability":"InStock","price":"20.00","priceCurrency":"USD"}}</script>"#.utf8)
        let found = reading(page([0x78]) + script, "text/html; charset=Shift_JIS")
        #expect(found.signal == .inStock && found.price == .minorUnits(2_000))
    }
}
