import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import TestSupport
import Testing

@testable import Catalogue

@Suite("The offers of a file") struct CandidateLinesTests {
    private struct Found {
        var offers: [CatalogueOffer] = []
        var problems: [String] = []
    }

    private static let header = "id,provider,type,title,url,currency"
    private static let cells = "catalogue,gift,Map,https://a.example/1,USD"

    private static func read(_ bytes: [UInt8], as name: String) throws -> Found {
        let folder = try ScratchFolder()
        #expect(FileManager.default.createFile(atPath: folder.file(name), contents: Data(bytes)))
        let lines = try CandidateLines(path: folder.file(name))
        var found = Found()
        while let entry = try lines.next() {
            if let offer = entry.offer { found.offers.append(offer) }
            found.problems += entry.problems.map { "\($0)" }
        }
        return found
    }

    private static func read(_ text: String, as name: String = "offers.csv") throws -> Found {
        try read(Array(text.utf8), as: name)
    }

    @Test func `that cannot be read is said to be missing`() {
        for path in ["/nonexistent/offers.csv", "/"] {
            #expect(throws: CatalogueFileError.self, "\(path)") { try CandidateLines(path: path) }
        }
    }

    @Test func `a bad line is named and does not stop the others`() throws {
        let long = #"{"id": ""# + String(repeating: "x", count: CandidateLines.mostBytes) + "\"}"
        let good =
            #"{"id": "ID", "provider": "catalogue", "type": "gift", "title": "Map", "#
            + #""url": "https://a.example/1", "currency": "USD"}"#
        let text = [
            good, "", "{", "{\"id\": 1}", long, good.replacing("\"Map\"", with: "\"a\u{0}\""),
            good.replacing("}", with: #", "check": "lost", "checked_price_cents": -1}"#), good,
        ].joined(separator: "\r\n")
        let found = try Self.read(text, as: "offers.jsonl")
        #expect(found.offers.count == 2)
        for place in [
            "line 3, column", "line 4: $.provider", "line 5: is longer", "line 6, column", "line 7: $.check",
            "line 7: $.checked_price_cents",
        ] {
            #expect(found.problems.contains { $0.contains(place) }, "\(place): \(found.problems)")
        }
        #expect(!found.problems.contains { $0.contains("line 8") })
    }

    @Test func `a first line with a quote that stays open is named, and takes no other with it`() throws {
        let good =
            #"{"id": "ID", "provider": "catalogue", "type": "gift", "title": "Map", "#
            + #""url": "https://a.example/1", "currency": "USD"}"#
        for first in ["\"oops", "\"title\",\"id", "[\"a\", \"b"] {
            let found = try Self.read([first, good, good].joined(separator: "\n"), as: "offers.jsonl")
            #expect(found.offers.count == 2 && found.problems.count == 1, "\(first)")
            #expect(found.problems.first?.hasPrefix("line 1, column") == true, "\(found.problems)")
        }
        let error = #expect(throws: CatalogueFileError.self) {
            try Self.read("\"id,provider\n\(Self.cells)", as: "offers.csv")
        }
        #expect(error?.problems.first.map { "\($0)" } == "line 1: cell 1: there is no closing quote")
    }

    @Test func `a row that is none is named and does not stop the others`() throws {
        let rows = [
            "a,\(Self.cells)", "b", "\"c\"d,\(Self.cells)", "e\"f,\(Self.cells)", "g,\(Self.cells)",
            "h,\(Self.cells.replacing("Map", with: "\"open"))", "i,\(Self.cells)",
        ]
        let found = try Self.read(([Self.header] + rows).joined(separator: "\n"))
        #expect(found.offers.map(\.candidate.id.text) == ["a", "g"])
        for place in [
            "line 3: has 1 cells", "line 4: cell 1: there is more", "line 5: cell 1: a quote",
            "line 7: cell 4: there is no",
        ] {
            #expect(found.problems.contains { $0.contains(place) }, "\(place): \(found.problems)")
        }
        let odd = try Self.read(Array("\(Self.header)\n".utf8) + [0xFF] + Array(",\(Self.cells)\n".utf8), as: "o.csv")
        #expect(odd.offers.isEmpty && odd.problems.count == 1 && odd.problems[0].contains("cell 1 is not UTF-8"))
    }

    @Test func `a table's first row names known fields, each once, and the needed ones`() throws {
        for (header, message) in [
            (Self.header + ",colour", "\"colour\" is no field"), (Self.header + ",title", "\"title\" occurs twice"),
            (Self.header + ",location.city,location_city", "\"location_city\" occurs twice"),
            (
                "id,title",
                "there is no column provider, type, url, currency; needed are id, provider, type, title, url, currency"
            ),
            (Self.header + ",price_cent", "\"price_cent\" is no field of an offer; did you mean \"price_cents\"?"),
        ] {
            do {
                _ = try Self.read("\(header)\n")
                Issue.record("\(header) was taken")
            } catch let error as CatalogueFileError {
                #expect(error.code == .malformed)
                #expect(error.problems.contains { "\($0)".contains(message) }, "\(error.problems)")
            }
        }
    }

    @Test func `a cell may hold quotes, commas and lines, and ends of lines are of either kind`() throws {
        let text =
            "\u{FEFF}\(Self.header),tags,price_cents,description,location_city,rating\r\n"
            + "a,catalogue,gift,\"A \"\"map\"\", old\",https://a.example/1,USD,old | map |,1200,\"two\r\nlines\",Oslo,4.5\r\n"
            + "日本,catalogue,date,\"\u{301}x\",https://a.example/2,JPY,,,,,\n"
        let found = try Self.read(text)
        #expect(found.problems == [] && found.offers.count == 2)
        let first = try #require(found.offers.first?.candidate)
        #expect(first.title == "A \"map\", old" && first.tags == ["old", "map"] && first.priceCents == 1_200)
        #expect(first.description == "two lines" && first.location?.city == "Oslo" && first.rating == 4.5)
        #expect(found.offers[1].candidate.id.text == "日本" && found.offers[1].candidate.priceCents == nil)
    }

    @Test(arguments: ["0x1p3", "inf", "nan", "4,5", "four"])
    func `a cell for a number that is no decimal one is refused with its row`(cell: String) throws {
        let text = "\(Self.header),rating\na,catalogue,gift,A map,https://a.example/1,USD,\"\(cell)\"\n"
        let found = try Self.read(text)
        #expect(found.offers.isEmpty && found.problems.contains { "\($0)".contains("rating") }, "\(found)")
    }

    @Test func `a table says of the judged candidates what lines of JSON say`() throws {
        let offers = try JudgedFixtures.all().flatMap(\.fixture.candidates)
        let lines = offers.map { JSONWriter.text($0.json) }.joined(separator: "\n")
        var table = CSVWriting.row([
            "id", "provider", "type", "title", "description", "url", "image_url", "price_cents", "currency", "merchant",
            "location.city", "location_state", "location.country", "starts_at", "rating", "review_count",
            "ships_in_days", "tags",
        ])
        for offer in offers {
            table += CSVWriting.row([
                offer.id.text, offer.provider.rawValue, offer.type.rawValue, offer.title, offer.description ?? "",
                offer.url, offer.imageURL ?? "", offer.priceCents.map { "\($0)" } ?? "", offer.currency.code,
                offer.merchant ?? "", offer.location?.city ?? "", offer.location?.state ?? "",
                offer.location?.country ?? "", offer.startsAt?.iso8601 ?? "", offer.rating.map { "\($0)" } ?? "",
                offer.reviewCount.map { "\($0)" } ?? "", offer.shipsInDays.map { "\($0)" } ?? "",
                offer.tags.joined(separator: "|"),
            ])
        }
        let (json, csv) = (try Self.read(lines, as: "offers.jsonl"), try Self.read(table, as: "offers.txt"))
        #expect(json.offers.map(\.candidate) == offers && json.problems == [])
        #expect(csv.offers == json.offers && csv.problems == [])
    }

    @Test func `of nothing there is nothing`() throws {
        for text in ["", "\n \r\n", "\u{FEFF}"] {
            let found = try Self.read(text)
            #expect(found.offers.isEmpty && found.problems.isEmpty)
        }
    }
}

/// A table as another program writes it: every cell in quotes.
private enum CSVWriting {
    static func row(_ cells: [String]) -> String {
        cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\r\n"
    }
}
