import Composition
import Console
import FileInput
import Foundation
import TestSupport
import Testing

/// Files as they come: from standard input, through pipes, under odd names, closed to the reader.
@Suite(.onOwnThreads, .enabled(if: Repository.binary != nil, "the command is not built")) struct `What is read` {
    private static let vaults = Repository.root.appendingPathComponent("fixtures/vaults").path
    private static let plain = ["KNOT_MODEL": "none"]

    /// Every way to name an input, each with the file that it takes; `@` is its place.
    private static func inputs(_ folder: ScratchFolder) throws -> [(words: String, file: String)] {
        let fixture = folder.file("v.json")
        let files = FileManager.default
        for (from, to) in [
            ("dev-01.json", "v.json"), ("rates.json", "r.json"), ("readings/dev-01.json", "read.json"),
        ] {
            try files.copyItem(atPath: "\(vaults)/\(from)", toPath: folder.file(to))
        }
        let prepare = """
            "$KNOT" run --fixture '\(fixture)' --json --record '\(folder.file("c"))' > '\(folder.file("result"))' && \
            "$KNOT" expand classic > '\(folder.file("p.json"))' && echo '{"nodes": {}}' > '\(folder.file("e.json"))'
            """
        #expect(try BuiltCommand.run(prepare, environment: plain).code == 0)
        return [
            ("run --fixture @", "v.json"), ("run --fixture '\(fixture)' --rates @", "r.json"),
            ("run --fixture '\(fixture)' --readings @", "read.json"),
            ("run --fixture '\(fixture)' --pipeline @", "p.json"),
            ("run --fixture '\(fixture)' --experiment @", "e.json"), ("check @", "p.json"), ("expand @", "p.json"),
            ("refresh --from @ --fixture '\(fixture)' --reason too_cheap", "result"),
            ("explain --fixture @", "v.json"), ("explain --record @", "c"), ("replay @", "c"),
            ("replay --cassette @", "c"),
            ("evaluate @", "v.json"), ("evaluate @ --fixtures '\(vaults)'", "c"),
        ]
    }

    @Test func `may come from standard input and from a pipe, and is the same`() throws {
        let folder = try ScratchFolder()
        for (words, file) in try Self.inputs(folder) {
            let path = folder.file(file)
            func run(_ name: String, _ before: String = "", _ after: String = "") throws -> BuiltCommand.Outcome {
                let call = words.replacing("@", with: name)
                return try BuiltCommand.run("\(before)\"$KNOT\" \(call) --json\(after)", environment: Self.plain)
            }
            let straight = try run("'\(path)'")
            #expect(straight.code == 0, "\(words): \(straight.errors)")
            let ways = [
                try run("-", "", " < '\(path)'"), try run("-", "cat '\(path)' | "),
                try run("/dev/stdin", "cat '\(path)' | "), try run("<(cat '\(path)')"),
            ]
            for (number, way) in ways.enumerated() {
                #expect(way.code == 0, "\(words), way \(number): \(way.errors)")
                // Those name the file in what they print, as the source of the rates is named.
                let naming = ["evaluate", "check", "--rates"]
                guard !naming.contains(where: words.contains) else { continue }
                #expect(way.output == straight.output, "\(words), way \(number)")
            }
        }
    }

    @Test func `a result whose milestone the fixture has not is at fault itself`() throws {
        let script = """
            "$KNOT" run --fixture '\(Self.vaults)/dev-01.json' --json | \
            "$KNOT" refresh --from - --fixture '\(Self.vaults)/dev-02.json' --reason too_cheap
            """
        let outcome = try BuiltCommand.run(script, environment: Self.plain)
        #expect(outcome.code == 65 && outcome.errors.contains("milestone_id"), "\(outcome)")
    }

    @Test func `a provider that no source asks is named, and what is no provider's name is a problem`() throws {
        func run(_ provider: String) throws -> BuiltCommand.Outcome {
            let script = """
                sed 's/"provider": "yelp"/"provider": "\(provider)"/' '\(Self.vaults)/dev-01.json' | \
                "$KNOT" run --fixture -
                """
            return try BuiltCommand.run(script, environment: Self.plain)
        }
        #expect(try !run("yelp").errors.contains("no source"))
        let unasked = try run("pigeon")
        #expect(
            unasked.code == 0 && unasked.errors.contains("note: no source of the pipeline asks pigeon, so its"),
            "\(unasked)"
        )
        let odd = try run("Pigeon Post")
        #expect(odd.code == 65 && odd.errors.contains("$.candidates[1].provider: \"Pigeon Post\" is no"), "\(odd)")
    }

    @Test func `broken standard input is named as what it is`() throws {
        let outcome = try BuiltCommand.run("echo '{' | \"$KNOT\" run --fixture -")
        #expect(outcome.code == 65)
        let closed = try BuiltCommand.run("\"$KNOT\" run --fixture - <&-")
        #expect(closed.code == 74, "\(closed)")
    }

    @Test func `a name that is not UTF-8 is told with its bytes`() throws {
        let folder = try ScratchFolder()
        let script = "cd '\(folder.path)' && printf '{}' > $'caf\\xe9.json' && \"$KNOT\" "
        let named = try BuiltCommand.run("\(script) run --fixture $'caf\\xe9.json' --json")
        #expect(named.code == 64)
        #expect(named.errors.contains(#"a word of the command is not UTF-8: caf\xE9.json"#))
        #expect(named.output.contains("\"knot.error/1\""))
        let inFolder = try BuiltCommand.run("\(script) evaluate .")
        #expect(inFolder.code == 65)
        #expect(inFolder.errors.contains(#"caf\xE9.json"#) && inFolder.errors.contains("not UTF-8"))
        let variable = try BuiltCommand.run("\(script) config", environment: [:])
        #expect(variable.code == 0)
        let odd = try BuiltCommand.run("export KNOT_RATES=$'caf\\xe9.json'; \"$KNOT\" config")
        #expect(odd.code == 78 && odd.errors.contains("KNOT_RATES"), "\(odd)")
    }

    @Test func `a variable that is not UTF-8 is told by its name alone, since there may be a password in it`() throws {
        let address = #"$'postgresql://knot:se\xe9cret@localhost/knot'"#
        let odd = try BuiltCommand.run("export DATABASE_URL=\(address); \"$KNOT\" jobs stats --json")
        #expect(odd.code == 78 && odd.errors.contains("DATABASE_URL: is not UTF-8"), "\(odd)")
        #expect(!odd.errors.contains("cret") && !odd.output.contains("cret"), "\(odd)")
    }

    @Test func `every verb reads time zones where TZDIR says`() throws {
        let folder = try ScratchFolder()
        let fixture = Repository.root.appending(path: "fixtures/vaults/dev-01.json").path
        // In New York it is still the birthday's evening, in Tokyo the morning after.
        let call = "--fixture '\(fixture)' --as-of 2026-05-16T20:00:00Z --json"
        let zones = folder.file("America")
        let swap = "mkdir -p '\(zones)' && cp /usr/share/zoneinfo/Asia/Tokyo '\(zones)/New_York'"
        for (verb, day) in [("run", "\"occurrence\": \"2027-05-16\""), ("calendar", "\"from\": \"2026-05-17\"")] {
            let own = try BuiltCommand.run("\"$KNOT\" \(verb) \(call)", environment: Self.plain)
            #expect(!own.output.contains(day), "\(own)")
            let named = try BuiltCommand.run(
                "\(swap); export TZDIR='\(folder.path)'; \"$KNOT\" \(verb) \(call)",
                environment: Self.plain
            )
            #expect(named.output.contains(day), "\(named)")
        }
    }

    @Test func `a note that is not UTF-8 is refused with its line and never kept as another`() throws {
        let call = "\"$KNOT\" hint add --vault 00000000-0000-4000-8000-000000000001 --json"
        let odd = try BuiltCommand.run("printf 'a kite\\ncaf\\351\\n' | \(call)", environment: Self.plain)
        #expect(odd.code == 65 && odd.errors.contains(#"line 2 is not UTF-8: caf\xE9"#), "\(odd)")
        #expect(odd.output.contains("\"knot.error/1\""))
        let blank = try BuiltCommand.run("printf '\\357\\273\\277\\n \\n' | \(call)", environment: Self.plain)
        #expect(blank.code == 64 && blank.errors.contains("there is no hint to add"), "\(blank)")
    }

    @Test func `what may not be read is not said to be missing`() throws {
        let folder = try ScratchFolder()
        for name in ["v.json", "c.jsonl"] { _ = try folder.write("{}", to: name) }
        _ = try folder.write(#"{"extends": "./v.json"}"#, to: "on-it.pipeline")
        // Root may read everything: another user asks, where the system has the command for that.
        let script = """
            command -v setpriv >/dev/null || exit 0; cp "$KNOT" '\(folder.path)/knot' 2>/dev/null; \
            chmod 711 '\(folder.path)'; chmod 0 '\(folder.path)'/*.json*; cp '\(folder.path)/on-it.pipeline' '\(folder.path)/on-it.json'; chmod 755 '\(folder.path)/knot'; \
            mkdir -m 700 '\(folder.path)/closed'; cd /; \
            for words in 'run --fixture @/v.json' 'evaluate @/v.json' 'evaluate @/closed' 'replay @/v.json' \
              'run --fixture /dev/null --rates @/v.json' 'judge --fixtures @/closed' 'check @/v.json' \
              'expand @/v.json' 'graph --pipeline @/v.json' 'check --experiment @/v.json' 'check @/on-it.json' \
              'run --fixture /dev/zero --pipeline @/v.json' 'judge --pipeline @/v.json' \
              'evaluate @ --against @/v.json' 'completions --offer parameters --pipeline @/v.json'; do \
              setpriv --reuid=65534 --regid=65534 --clear-groups '\(folder.path)/knot' ${words//@/'\(folder.path)'} \
                >/dev/null 2>'\(folder.path)/said'; echo "$? $words: $(cat '\(folder.path)/said')"; done
            """
        let outcome = try BuiltCommand.run(script, environment: Self.plain)
        for line in outcome.output.split(separator: "\n") where !line.contains("/dev/null") {
            #expect(line.hasPrefix("77 "), "\(line)")
            #expect(!line.contains("no such"), "\(line)")
        }
    }

    @Test func `what a pipe gave once is given again`() throws {
        let folder = try ScratchFolder()
        let pipe = folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let bytes = Array("once".utf8)
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", "printf once > '\(pipe)'"]
        try writer.run()
        for _ in 1...3 { #expect(try FileContents.read(pipe) == bytes) }
        writer.waitUntilExit()
    }

    @Test(.tags(.database), .needs(.eighteen)) func `a missing file stops only itself`() async throws {
        let nowhere = ["DATABASE_URL": "postgresql://nobody@localhost:1/x"]
        let none = try BuiltCommand.run(
            "\"$KNOT\" import /nonexistent/a.json /nonexistent/b.json",
            environment: nowhere
        )
        #expect(none.code == 66 && none.errors.contains("a.json") && none.errors.contains("b.json"), "\(none)")
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let outcome = try await DatabaseCommand.run(
                "\"$KNOT\" import /nonexistent/a.json fixtures/vaults/dev-03.json /nonexistent/b.json",
                on: database.url
            )
            #expect(outcome.code == 66, "\(outcome)")
            #expect(outcome.output == "3 vaults: 1 added, 0 there already, 2 refused\n")
            #expect(outcome.errors.contains("a.json") && outcome.errors.contains("b.json"))
        }
    }
}
