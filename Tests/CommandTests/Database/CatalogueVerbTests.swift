import Composition
import Foundation
import JSONDocument
import TestSupport
import Testing

/// Offers for everybody, by the built command on a real server.
@Suite(.tags(.database)) struct CatalogueVerbTests {
    private typealias Knot = (String) async throws -> BuiltCommand.Outcome

    private func withFiles(_ body: (Knot, TestDatabase, ScratchFolder) async throws -> Void) async throws {
        let folder = try ScratchFolder()
        try await withDatabase(.eighteen, .commandMigrated) { database in
            try await body(
                {
                    try await DatabaseCommand.run($0, on: database.url, environment: ["IN": folder.path])
                },
                database,
                folder
            )
        }
    }

    private static func line(_ id: String, _ title: String = "Map") -> String {
        """
        {"id": "\(id)", "provider": "catalogue", "type": "gift", "title": "\(title)", \
        "url": "https://a.example/\(id)", "currency": "USD"}

        """
    }

    private func json(_ outcome: BuiltCommand.Outcome) throws -> JSONValue {
        try JSONParser.parse(Array(outcome.output.utf8))
    }

    private func count(_ database: TestDatabase) async throws -> Int {
        Int(try await database.run("select count(*) from public.catalogue_items")[0][0] ?? "") ?? -1
    }

    @Test func `words that mean nothing are refused before anything is opened`() async throws {
        try await withFiles { knot, _, folder in
            _ = try folder.write(Self.line("a"), to: "a:b.jsonl")
            for words in [
                "", "export $IN/x.jsonl", "import", "import - --source ''", "import -", "import '$IN/a:b.jsonl'",
                "import - --source a:b", "import - --source \(String(repeating: "x", count: 201))",
                "import - --source \"$(printf 'a\\tb')\"",
            ] {
                let outcome = try await knot("DATABASE_URL=postgresql:///none \"$KNOT\" catalogue \(words) < /dev/null")
                #expect(outcome.code == 64, "\(words): \(outcome)")
            }
            #expect(try await knot("\"$KNOT\" catalogue import $IN/none.jsonl").code == 66)
        }
    }

    @Test func `files whose names differ before their ending are of two sources, which are told`() async throws {
        try await withFiles { knot, database, folder in
            for (name, id) in [("shop.us.jsonl", "a"), ("shop.eu.jsonl", "b"), ("plain", "c")] {
                _ = try folder.write(Self.line(id), to: name)
                for flags in ["--replace --dry-run", "--replace"] {
                    let outcome = try await knot("\"$KNOT\" catalogue import $IN/\(name) \(flags)")
                    let source = name.replacing(".jsonl", with: "")
                    #expect(outcome.output.hasPrefix("1 offer of \(source): 1 added"), "\(outcome)")
                    #expect(outcome.output.contains("0 withdrawn"), "\(outcome)")
                }
            }
            let sources = try await database.run("select distinct source from public.catalogue_items order by 1")
            #expect(sources == [["plain"], ["shop.eu"], ["shop.us"]])
            let both = try json(try await knot("\"$KNOT\" catalogue import $IN/shop.us.jsonl $IN/plain --json"))
            #expect(both["sources"] == ["plain", "shop.us"])
        }
    }

    @Test func `a line that begins where no year is is named, and the others come in`() async throws {
        try await withFiles { knot, database, folder in
            let late = ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:60Z"].map {
                Self.line($0).replacing("\"currency\"", with: "\"starts_at\": \"\($0)\", \"currency\"")
            }
            let lines = [Self.line("a"), late.joined(), Self.line("b")].joined()
            _ = try folder.write(lines, to: "lines.jsonl")
            for flag in ["--dry-run", ""] {
                let outcome = try await knot("\"$KNOT\" catalogue import $IN/lines.jsonl --json \(flag)")
                let told = try json(outcome)
                #expect(outcome.code == 65 && told["added"] == 2 && told["refused"] == 3, "\(outcome)")
                let problems = told["failures"]?.array?.first?["problems"]?.array ?? []
                #expect(problems.map { $0["path"]?.string } == (2...4).map { "line \($0): $.starts_at" })
            }
            #expect(try await count(database) == 2)
        }
    }

    @Test func `offers come in from lines and tables, and the same again changes nothing`() async throws {
        try await withFiles { knot, database, folder in
            let lines = (0..<5_000).map { Self.line("l\($0)") }.joined()
            _ = try folder.write(lines, to: "lines.jsonl")
            _ = try folder.write(
                "id,provider,type,title,url,currency\na,yelp,date,\"T, a\",https://a.example,USD\n",
                to: "t.csv"
            )
            let dry = try json(try await knot("\"$KNOT\" catalogue import $IN/lines.jsonl --dry-run --json"))
            #expect(dry["added"] == 5_000 && dry["dry_run"] == true)
            #expect(try await count(database) == 0)
            for added in [5_001, 0] {
                let whole = try json(try await knot("\"$KNOT\" catalogue import $IN/lines.jsonl $IN/t.csv --json"))
                #expect(whole["added"]?.int == added && whole["unchanged"]?.int == 5_001 - added)
                #expect(whole["read"] == 5_001 && whole["failures"]?.array == [])
            }
            let sources = try await database.run("select distinct source from public.catalogue_items order by 1")
            #expect(sources == [["lines"], ["t"]])
            let piped = try await knot(
                "head -n 7 $IN/lines.jsonl | \"$KNOT\" catalogue import - --source lines --replace"
            )
            #expect(piped.code == 0 && piped.output.contains("4993 withdrawn"), "\(piped)")
            #expect(try await count(database) == 8)
        }
    }

    @Test func `with a bad line the others come in, and nothing is withdrawn`() async throws {
        try await withFiles { knot, database, folder in
            let path = try folder.write(Self.line("a") + Self.line("b") + Self.line("c"), to: "shop.jsonl")
            #expect(try await knot("\"$KNOT\" catalogue import \(path)").code == 0)
            _ = try folder.write(Self.line("a") + "{}\n" + Self.line("d") + Self.line("a"), to: "shop.jsonl")
            let outcome = try await knot("\"$KNOT\" catalogue import \(path) --replace --json")
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains("\(path): line 2: $.id: is missing"), "\(outcome.errors)")
            #expect(outcome.errors.contains("line 4: $.id: \"a\" came before"), "\(outcome.errors)")
            #expect(outcome.errors.contains("nothing was withdrawn"))
            let found = try json(outcome)
            #expect(found["refused"] == 2 && found["added"] == 1 && found["withdrawn"] == 0)
            #expect(try await count(database) == 4)
            _ = try folder.write("", to: "shop.jsonl")
            let empty = try await knot("\"$KNOT\" catalogue import \(path) --replace")
            #expect(empty.code == 65 && empty.errors.contains("nothing was withdrawn"), "\(empty)")
            #expect(try await count(database) == 4)
        }
    }

    @Test func `killed at any moment, it goes on where it was`() async throws {
        try await withFiles { knot, database, folder in
            let path = try folder.write((0..<9_000).map { Self.line("l\($0)") }.joined(), to: "lines.jsonl")
            for count in [1_000, 3_100, 4_500, 6_200, 8_999] {
                // The pipe is full until the command has read on, so that it is killed in the midst of its work.
                _ = try await knot(
                    """
                    mkfifo $IN/\(count); "$KNOT" catalogue import $IN/\(count) --source lines & pid=$!
                    exec 3> $IN/\(count); head -n \(count) \(path) >&3; kill -9 $pid; exec 3>&-; wait $pid
                    """
                )
                let rest = try await database.run("select count(*) % 2000 from public.catalogue_items")
                #expect(rest == [["0"]], "a piece is stored whole or not at all")
            }
            let rest = try json(try await knot("\"$KNOT\" catalogue import \(path) --json"))
            #expect(rest["read"] == 9_000 && rest["failures"]?.array == [])
            #expect(try await count(database) == 9_000)
        }
    }

    @Test func `import says that offers for everybody go by catalogue import`() async throws {
        try await withFiles { knot, _, folder in
            for (name, text) in [
                ("one.jsonl", Self.line("a")), ("two.json", Self.line("a") + Self.line("b")),
                ("t.csv", "id,provider,type,title,url,currency\n"),
            ] {
                let path = try folder.write(text, to: name)
                let outcome = try await knot("\"$KNOT\" import \(path)")
                #expect(outcome.code == 65 && outcome.errors.contains("catalogue import"), "\(outcome)")
            }
        }
    }
}
