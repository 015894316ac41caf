import Foundation
import JSONDocument
import TestSupport
import Testing

/// The commands of an operator, from nothing to a notice.
@Suite("An operator's way", .onOwnThreads, .tags(.database)) struct OperatorsWayTests {
    private static let work = "knot-recommend work --drain --deliver outbox:notices"
    private static let commands = [
        "knot-recommend dev-db start", "knot-recommend migrate",
        "knot-recommend import fixtures/vaults/dev-01.json", "knot-recommend plan --all", "knot-recommend rehearse",
        "mkdir -p notices", work, "knot-recommend jobs stats", "knot-recommend units",
    ]

    @Test func `leads from nothing to a reminder that is sent, command by command`() async throws {
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
        for command in Self.commands {
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
        let sent = try call(Self.work)
        #expect(sent.code == 0, "\(sent.errors)")
        let notices = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/notices")
            .filter { $0.hasSuffix(".json") }
        #expect(notices.count == 1, "\(sent)")
        let file = folder.appendingPathComponent("notices/\(try #require(notices.first))")
        let notice = try JSONParser.parse([UInt8](Data(contentsOf: file)))
        #expect(notice["choices"]?.array?.count == 3)
    }
}
