import Foundation
import JSONDocument
import TestSupport
import Testing

/// The README's section for who runs reminders, followed from its first line to a notice.
@Suite("An operator's way", .onOwnThreads, .tags(.database)) struct OperatorsWayTests {
    /// The lines of the first block of commands under a heading.
    private static func commands(under heading: String) throws -> [String] {
        let text = try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
        let section = try #require(text.split(separator: "\n\(heading)\n").last.map(String.init))
        let block = try #require(section.split(separator: "```").dropFirst().first)
        return block.split(separator: "\n").dropFirst().map { line in
            String(line.split(separator: " #", maxSplits: 1)[0]).trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func `leads from nothing to a reminder that is sent, command by command`() async throws {
        let commands = try Self.commands(under: "### From nothing to reminders that go out by themselves")
        let work = try #require(commands.first { $0.contains(" work ") })
        #expect(commands.count >= 7 && commands[0].hasSuffix("dev-db start") && work.hasSuffix("outbox:notices"))

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("way-\(UUID().uuidString.prefix(8))")
        // The server runs as a user of its own, who has to enter.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["KNOT_DEV_DB": folder.path + "/db", "KNOT_MODEL": "none"]
        let root = Repository.root.path
        func call(_ command: String) throws -> BuiltCommand.Outcome {
            let script = command.replacing("knot-recommend", with: "\"$KNOT\"", maxReplacements: 1)
                .replacing("fixtures/", with: "'\(root)'/fixtures/")
            return try BuiltCommand.run("cd '\(folder.path)' && \(script)", environment: environment)
        }
        defer { _ = try? call("knot-recommend dev-db stop") }
        for command in commands {
            let outcome = try call(command)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
        }

        // The birthday of that vault, and a queue whose clock has come to the evening of its reminder's day.
        let plan = try call("knot-recommend plan --all --as-of 2026-05-08T10:00:00Z --json")
        #expect(try JSONParser.parse(Array(plan.output.utf8))["new"]?.int ?? 0 > 0, "\(plan)")
        let url = try call("knot-recommend dev-db url").output.trimmingCharacters(in: .newlines)
        _ = try await PlainConnection.run(
            """
            create or replace function knot.clock() returns timestamptz language sql stable
                set search_path = pg_catalog, pg_temp as 'select timestamptz ''2026-05-10 00:30Z'''
            """,
            on: url
        )
        let sent = try call(work)
        #expect(sent.code == 0, "\(sent.errors)")
        let notices = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/notices")
            .filter { $0.hasSuffix(".json") }
        #expect(notices.count == 1, "\(sent)")
        let file = folder.appendingPathComponent("notices/\(try #require(notices.first))")
        let notice = try JSONParser.parse([UInt8](Data(contentsOf: file)))
        #expect(notice["choices"]?.array?.count == 3)
    }
}
