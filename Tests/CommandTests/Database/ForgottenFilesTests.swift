import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// Whenever forgetting or recording is stopped, the next `forget` leaves nothing about the vault on this machine.
@Suite(.tags(.database)) struct ForgottenFilesTests {
    private let vault = DatabaseCommand.first

    /// A database with a vault that was recorded and traced, and the folder of the files.
    private func withRecording(
        _ body: (_ run: (String, [String: String]) async throws -> BuiltCommand.Outcome, ScratchFolder, TestDatabase)
            async throws -> Void
    ) async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let scratch = try ScratchFolder()
            let state = ["XDG_STATE_HOME": scratch.file("state")]
            func run(_ script: String, _ more: [String: String]) async throws -> BuiltCommand.Outcome {
                try await DatabaseCommand.run(script, on: database.url, environment: state.merging(more) { $1 })
            }
            try await body(run, scratch, database)
        }
    }

    private func record(_ scratch: ScratchFolder) -> String {
        "\"$KNOT\" run --vault \(vault) --record '\(scratch.file("r.cassette"))' --trace '\(scratch.file("t.ndjson"))'"
    }

    /// Files that name the vault, wherever they lie in the folder.
    private func left(_ scratch: ScratchFolder) async throws -> String {
        try await DatabaseCommand.run("grep -rl \(vault) '\(scratch.path)' || true", on: "").output
    }

    @Test(arguments: ["forget_begun", "forget_deleted", "forget_removed", "forget_listed"])
    func `what a forget that was killed has left, the next one removes`(point: String) async throws {
        try await withRecording { run, scratch, database async throws in
            #expect(try await run(record(scratch), [:]).code == 0)
            let forget = "\"$KNOT\" forget --vault \(vault) --yes"
            // The shell tells of the signal by its number.
            #expect(try await run("(\(forget)); exit $?", ["KNOT_FAIL_POINT": point]).code == 137)
            let next = try await run(forget, [:])
            // At the last point nothing is left to do.
            #expect(next.code == (point == "forget_listed" ? 66 : 0), "\(next)")
            #expect(try await left(scratch) == "")
            #expect(try await database.run("select 1 from partner_vaults where id = '\(vault)'").isEmpty)
            #expect(try await run(forget, [:]).code == 66)
        }
    }

    @Test(arguments: ["record_noted", "record_written"])
    func `what a run that was killed has left, a forget removes`(point: String) async throws {
        try await withRecording { run, scratch, _ async throws in
            let killed = try await run("(\(record(scratch))); exit $?", ["KNOT_FAIL_POINT": point])
            #expect(killed.code == 137)
            // A writer that is stopped in the middle leaves its half beside the file.
            let head = "{\"schema\":\"knot.cassette/1\",\"request\":{\"vault_id\":\"\(vault)\",\"as"
            _ = try scratch.write(head, to: ".r.cassette.0123456789ab.tmp")
            #expect(try await run("\"$KNOT\" forget --vault \(vault) --yes", [:]).code == 0)
            #expect(try await left(scratch) == "")
        }
    }

    @Test func `a vault that is forgotten while a run records it leaves no file behind`() async throws {
        try await withRecording { run, scratch, _ async throws in
            let go = scratch.file("go")
            let script = """
                KNOT_WAIT_POINT='record_noted=\(go)' \(record(scratch)) > /dev/null 2>&1 & writer=$!
                until grep -qs t.ndjson '\(scratch.file("state"))'/knot-recommend/written.ndjson; do :; done
                "$KNOT" forget --vault \(vault) --yes & forgetter=$!
                while "$KNOT" vault show --vault \(vault) > /dev/null 2>&1; do :; done
                touch '\(go)'
                wait $writer; echo "run $?"
                wait $forgetter; echo "forget $?"
                """
            let outcome = try await run(script, [:])
            #expect(outcome.output.contains("run 66") && outcome.output.contains("forget 0"), "\(outcome)")
            #expect(try await left(scratch) == "")
        }
    }

    @Test func `notices that wait in the outbox go with their vault, and those of others stay`() async throws {
        try await withRecording { run, scratch, database async throws in
            let outbox = scratch.file("outbox")
            try FileManager.default.createDirectory(atPath: outbox, withIntermediateDirectories: true)
            func notice(_ vault: String) -> String {
                "{\"schema\":\"knot.notice/1\",\"id\":\"n\",\"user_id\":\"u\",\"vault_id\":\"\(vault)\",\"title\":\"Dot\"}"
            }
            let other = "00000000-0000-4000-8000-0000000000ff"
            for (name, vault) in [("a.json", vault), (".b.json.1.2.part", vault), ("c.json", other)] {
                _ = try scratch.write(notice(vault), to: "outbox/\(name)")
            }
            let settings = ["KNOT_OUTBOX": outbox]
            let trial = try await run("\"$KNOT\" forget --vault \(vault) --dry-run", settings)
            #expect(trial.code == 0 && trial.output.contains("a.json"), "\(trial)")
            #expect(try await left(scratch).split(separator: "\n").count == 2)
            let gone = try await run("\"$KNOT\" forget --vault \(vault) --yes", settings)
            #expect(gone.code == 0 && gone.output.contains("the file \(outbox)/a.json"), "\(gone)")
            #expect(try await left(scratch) == "")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outbox) == ["c.json"])
            #expect(try await run("\"$KNOT\" forget --vault \(vault) --yes", settings).code == 66)
        }
    }

    @Test func `a report on a recording goes with its vault, one on another vault's stays`() async throws {
        try await withRecording { run, scratch, _ async throws in
            #expect(try await run(record(scratch), [:]).code == 0)
            let page = scratch.file("page.html")
            let evaluate = "\"$KNOT\" evaluate '\(scratch.file("r.cassette"))' --model none --quiet --report '\(page)'"
            #expect(try await run(evaluate, [:]).code == 0)
            let forgotten = try await run("\"$KNOT\" forget --vault \(vault) --yes", [:])
            #expect(forgotten.code == 0 && forgotten.output.contains("the file \(page)"), "\(forgotten)")
            #expect(try await left(scratch) == "")
        }
        try await withRecording { run, scratch, _ async throws in
            #expect(try await run(record(scratch), [:]).code == 0)
            let page = scratch.file("page.html")
            let evaluate = "\"$KNOT\" evaluate --model none --quiet --report '\(page)'"
            let fixture = "fixtures/vaults/dev-02.json"
            let script = "\(evaluate) '\(scratch.file("r.cassette"))' && \(evaluate) \(fixture)"
            #expect(try await run(script, [:]).code == 0)
            let forgotten = try await run("\"$KNOT\" forget --vault \(vault) --yes", [:])
            #expect(
                forgotten.output.contains("left alone, for it is about something else now: \(page)"),
                "\(forgotten)"
            )
        }
    }

    @Test func `a recording through a link is removed where it lies`() async throws {
        try await withRecording { run, scratch, _ async throws in
            let script =
                "mkdir '\(scratch.file("there"))' && touch '\(scratch.file("there/real"))' && "
                + "ln -s '\(scratch.file("there/real"))' '\(scratch.file("r.cassette"))' && \(record(scratch))"
            #expect(try await run(script, [:]).code == 0)
            #expect(try await run("\"$KNOT\" forget --vault \(vault) --yes", [:]).code == 0)
            #expect(try await left(scratch) == "")
        }
    }
}
