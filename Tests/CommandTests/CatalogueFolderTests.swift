import Foundation
import JSONDocument
import TestSupport
import Testing
import VectorSearch

/// Offers in a folder, by the built command.
@Suite(.onOwnThreads) struct `A catalogue in a folder` {
    private static func line(_ id: String, _ title: String = "Star map") -> String {
        """
        {"id": "\(id)", "provider": "shopify", "type": "gift", "title": "\(title)", \
        "url": "https://a.example/a", "currency": "EUR"}

        """
    }

    private static func run(_ words: String, _ folder: ScratchFolder) throws -> BuiltCommand.Outcome {
        try BuiltCommand.run(
            "\"$KNOT\" catalogue \(words)",
            environment: ["IN": folder.path, "KNOT_MODEL": "none"]
        )
    }

    private static func json(_ words: String, _ folder: ScratchFolder) throws -> JSONValue {
        try JSONParser.parse(Array(try run(words + " --json", folder).output.utf8))
    }

    @Test(arguments: ["status", "check", "search map", "remove a"])
    func `that is not there is said to be missing, and nothing is made`(_ action: String) throws {
        let folder = try ScratchFolder()
        let outcome = try Self.run("\(action) --catalogue $IN/typo", folder)
        #expect(outcome.code == 66, "\(outcome)")
        #expect(try folder.names.isEmpty)
    }

    @Test func `is not made for a file that is not there, nor searched for nothing`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write(Self.line("a"), to: "a.jsonl")
        for words in ["build $IN/none.jsonl", "add $IN/a.jsonl $IN/none.jsonl"] {
            #expect(try Self.run("\(words) --catalogue $IN/c", folder).code == 66, "\(words)")
            #expect(try folder.names == ["a.jsonl"])
        }
        #expect(try Self.run("build $IN/a.jsonl --catalogue $IN/c", folder).code == 0)
        #expect(try Self.run("search ' ' --catalogue $IN/c", folder).code == 64)
        #expect(try Self.run("search map --catalogue $IN/c --model none --threads 2", folder).code == 0)
        for words in ["status --model none", "check --threads 2", "add $IN/a.jsonl --model none"] {
            #expect(try Self.run("\(words) --catalogue $IN/c", folder).code == 64, "\(words)")
        }
    }

    @Test func `is not emptied by a file without offers`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write(Self.line("a"), to: "a.jsonl")
        #expect(try Self.run("build $IN/a.jsonl --catalogue $IN/c", folder).code == 0)
        for text in ["", "\n \n", "id,provider,type,title,url,currency\n"] {
            _ = try folder.write(text, to: "none.csv")
            let outcome = try Self.run("build $IN/none.csv --catalogue $IN/c", folder)
            #expect(outcome.code == 65 && outcome.output.contains("nothing was changed"), "\(outcome)")
            #expect(try Self.json("status --catalogue $IN/c", folder)["offers"] == 1)
        }
    }

    @Test func `is checked where nothing can be written, too`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write(Self.line("a"), to: "a.jsonl")
        #expect(try Self.run("build $IN/a.jsonl --catalogue $IN/c", folder).code == 0)
        func meanwhile(_ words: String) throws -> BuiltCommand.Outcome {
            try BuiltCommand.run(
                "flock \"$IN/c/.lock\" \"$KNOT\" catalogue \(words) --catalogue $IN/c --json",
                environment: ["IN": folder.path, "KNOT_MODEL": "none"]
            )
        }
        #expect(try meanwhile("add $IN/a.jsonl").code == 75)
        let outcome = try meanwhile("check")
        #expect(outcome.code == 0)
        let status = try JSONParser.parse(Array(outcome.output.utf8))
        #expect(status["verified"] == true && status["offers"] == 1)
    }

    @Test func `has no offer that its file says to be gone, and others at the price that was found`() throws {
        let folder = try ScratchFolder()
        func line(_ id: String, _ check: String, _ price: Int? = nil) -> String {
            let found = price.map { ", \"checked_price_cents\": \($0)" } ?? ""
            return Self.line(id).replacing(
                "\"currency\"",
                with: "\"price_cents\": 100, \"check\": \"\(check)\"\(found), \"currency\""
            )
        }
        let lines = [
            line("a", "available"), line("b", "sold_out"), line("c", "closed"), line("d", "gone"),
            line("e", "blocked"), line("f", "price_changed", 250), line("g", "price_changed"), line("h", "available"),
            line("h", "gone"), line("i", "gone"), line("i", "available"),
        ]
        _ = try folder.write(lines.joined(), to: "a.jsonl")
        let built = try Self.json("build $IN/a.jsonl --catalogue $IN/c", folder)
        #expect(built["read"] == 11 && built["added"] == 6 && built["unavailable"] == 5 && built["offers"] == 5)
        let found = try Self.json("search 'star map' --catalogue $IN/c", folder)
        var prices: [String: Int?] = [:]
        for hit in found["offers"]?.array ?? [] {
            prices[hit["candidate"]?["id"]?.string ?? ""] = .some(hit["candidate"]?["price_cents"]?.int)
        }
        #expect(prices == ["a": 100, "e": 100, "f": 250, "g": nil, "i": 100])
        _ = try folder.write(line("a", "sold_out"), to: "now.jsonl")
        let changed = try Self.json("add $IN/now.jsonl --catalogue $IN/c", folder)
        #expect(changed["unavailable"] == 1 && changed["removed"] == 1 && changed["offers"] == 4)
    }

    @Test func `says of each id that is taken out once whether it was there`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write(Self.line("a") + Self.line("b"), to: "a.jsonl")
        #expect(try Self.run("build $IN/a.jsonl --catalogue $IN/c", folder).code == 0)
        let removed = try Self.json("remove nope b b --catalogue $IN/c", folder)
        #expect(removed["read"] == 2 && removed["removed"] == 1 && removed["missing"] == 1)
        #expect(removed["unchanged"] == 0 && removed["offers"] == 1)
        let words = try Self.run("remove a nope nope --catalogue $IN/c", folder)
        #expect(words.output.contains("1 removed, 1 was not there; 0 in all"), "\(words)")
    }

    @Test func `is searched for as many offers as are wanted`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write((0..<600).map { Self.line("a\($0)") }.joined(), to: "a.jsonl")
        #expect(try Self.run("build $IN/a.jsonl --catalogue $IN/c", folder).code == 0)
        for most in [1, 10, 200, 201, 500] {
            let found = try Self.json("search 'star map' --limit \(most) --catalogue $IN/c", folder)
            #expect(found["offers"]?.array?.count == most)
        }
    }

    @Test func `says how many vectors of a file its offers took, and what is wrong with such a file`() throws {
        let folder = try ScratchFolder()
        var matrix = try EmbeddingMatrix(model: "m", dimension: 64, capacity: 2)
        for (place, id) in ["a", "x"].enumerated() {
            var numbers = [Float](repeating: 0, count: 64)
            numbers[place] = 1
            try matrix.append(numbers.span, id: id)
        }
        try matrix.write(to: folder.file("vectors"))
        let file = try folder.write(Self.line("a") + Self.line("b"), to: "a.jsonl")
        let outcome = try Self.run("build $IN/a.jsonl --catalogue $IN/c --vectors $IN/vectors", folder)
        #expect(outcome.output.contains("1 of 2 vectors used"), "\(outcome)")
        let told = try Self.json("add $IN/a.jsonl --catalogue $IN/c --vectors $IN/vectors", folder)
        #expect(told["vectors"] == 1)
        #expect(try Self.json("add $IN/a.jsonl --catalogue $IN/c", folder)["vectors"] == .null)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file("vectors"))))
        bytes[bytes.count - 300] ^= 1
        try Data(bytes).write(to: URL(filePath: folder.file("flipped")))
        let places = [folder.file("none"), file, folder.path, "/dev/null", folder.file("flipped")]
        for (path, code) in zip(places, [66, 65, 65, 65, 65]) {
            let broken = try Self.run("build $IN/a.jsonl --catalogue $IN/new --vectors \(path)", folder)
            #expect(broken.code == code && broken.errors.contains("the vectors cannot be used"), "\(broken)")
            #expect(!broken.errors.contains("build it again"))
            #expect(!FileManager.default.fileExists(atPath: folder.file("new")))
        }
    }

    @Test func `is not made in a folder that is missing, nor where a link leads nowhere`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write(Self.line("a"), to: "a.jsonl")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "nowhere")
        for name in ["$IN/none/c", "$IN/a.jsonl/c", "$IN/link"] {
            let outcome = try Self.run("build $IN/a.jsonl --catalogue \(name)", folder)
            #expect(outcome.code == 66 && outcome.errors.contains("make the folder"), "\(name): \(outcome)")
        }
    }

    @Test func `takes no offer whose id is longer than ids are, and takes them out as they are typed`() throws {
        let folder = try ScratchFolder()
        let long = String(repeating: "x", count: 200)
        _ = try folder.write(Self.line(long) + Self.line(long + "1") + Self.line(" b  b "), to: "a.jsonl")
        let outcome = try Self.json("add $IN/a.jsonl --catalogue $IN/c", folder)
        #expect(outcome["added"] == 2 && outcome["refused"] == 1)
        let problems = outcome["failures"]?.array?.first?["problems"]?.array ?? []
        #expect(problems.map { $0["path"]?.string } == ["line 2: $.id"], "\(problems)")
        let removed = try Self.json("remove ' b  b ' \(long) \(long)1 --catalogue $IN/c", folder)
        #expect(removed["removed"] == 2 && removed["offers"] == 0)
    }

    @Test func `takes no offer that begins where no year is, and names its line`() throws {
        let folder = try ScratchFolder()
        let late = Self.line("b").replacing(
            "\"currency\"",
            with: "\"starts_at\": \"9999-12-31T23:59:59-05:00\", \"currency\""
        )
        _ = try folder.write(Self.line("a") + late + Self.line("c"), to: "a.jsonl")
        let outcome = try Self.json("add $IN/a.jsonl --catalogue $IN/c", folder)
        #expect(outcome["added"] == 2 && outcome["refused"] == 1)
        let problems = outcome["failures"]?.array?.first?["problems"]?.array ?? []
        #expect(problems.map { $0["path"]?.string } == ["line 2: $.starts_at"], "\(problems)")
    }

    @Test func `says of each offer that was read what became of it`() throws {
        let folder = try ScratchFolder()
        let lines = [Self.line("a"), Self.line("b"), "[]\n", Self.line("a"), Self.line("a", "Sea map"), "{}\n"]
        _ = try folder.write(lines.joined(), to: "a.jsonl")
        let outcome = try Self.json("add $IN/a.jsonl --catalogue $IN/c", folder)
        #expect(outcome["read"] == 6 && outcome["added"] == 2 && outcome["changed"] == 1)
        #expect(outcome["unchanged"] == 1 && outcome["refused"] == 2 && outcome["offers"] == 2)
        let problems = outcome["failures"]?.array?.first?["problems"]?.array ?? []
        #expect(problems.count { $0["path"]?.string?.hasPrefix("line 3") == true } == 1, "\(problems)")
    }
}
