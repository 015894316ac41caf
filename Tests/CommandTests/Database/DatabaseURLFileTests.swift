import Composition
import Console
import Foundation
import PostgresClient
import TestSupport
import Testing

/// A URL that is kept as a secret in a file.
@Suite(.tags(.database), .needs(.eighteen)) struct `A database that a file names` {
    @Test func `is used, whatever stands before the line and ends it`() async throws {
        let scratch = try ScratchFolder()
        try await withDatabase(.eighteen, .commandMigrated) { database in
            for (start, end) in [("", ""), ("", "\n"), ("\u{FEFF}", "\r\n")] {
                try Data((start + database.url + end).utf8).write(to: URL(fileURLWithPath: scratch.file("url")))
                let outcome = try await DatabaseCommand.run(
                    "\"$KNOT\" run --all",
                    on: "",
                    environment: ["DATABASE_URL_FILE": scratch.file("url")]
                )
                #expect(outcome.code == 0 && outcome.output.hasPrefix("0 of 0 vaults"), "\(outcome)")
            }
        }
    }

    @Test func `may be named by pairs with spaces between them, as DATABASE_URL may`() async throws {
        let scratch = try ScratchFolder()
        try await withDatabase(.eighteen, .commandMigrated) { database in
            let target = try ConnectionTarget(url: database.url)
            let pairs =
                "host='\(target.host)' port=\(target.port) user=\(target.user) dbname=\(target.database) connect_timeout=5"
            try Data(" \(pairs) \n\n".utf8).write(to: URL(fileURLWithPath: scratch.file("url")))
            let outcome = try await DatabaseCommand.run(
                "\"$KNOT\" run --all",
                on: "",
                environment: ["DATABASE_URL_FILE": scratch.file("url")]
            )
            #expect(outcome.code == 0 && outcome.output.hasPrefix("0 of 0 vaults"), "\(outcome)")
        }
    }

    @Test func `that is missing or holds something else says so, and does not show it`() async throws {
        let scratch = try ScratchFolder()
        let missing = try await DatabaseCommand.run(
            "\"$KNOT\" run --all",
            on: "",
            environment: ["DATABASE_URL_FILE": scratch.file("none")]
        )
        #expect(missing.code == 66 && missing.errors.hasPrefix("error: no such file, "), "\(missing)")
        try Data("a secret\nand another".utf8).write(to: URL(fileURLWithPath: scratch.file("url")))
        let broken = try await DatabaseCommand.run(
            "\"$KNOT\" run --all",
            on: "",
            environment: ["DATABASE_URL_FILE": scratch.file("url")]
        )
        #expect(broken.code == 78 && !broken.errors.contains("secret"), "\(broken)")
        try Data("postgresql://knot:se".utf8 + [0xE9] + "cret@localhost/knot".utf8)
            .write(to: URL(fileURLWithPath: scratch.file("url")))
        let odd = try await DatabaseCommand.run(
            "\"$KNOT\" run --all",
            on: "",
            environment: ["DATABASE_URL_FILE": scratch.file("url")]
        )
        #expect(odd.code == 78 && odd.errors.contains("DATABASE_URL_FILE") && !odd.errors.contains("cret"), "\(odd)")
    }

    @Test func `is not asked where DATABASE_URL is set`() async throws {
        let outcome = try await DatabaseCommand.run(
            "\"$KNOT\" run --all",
            on: "postgresql://knot@/knot?host=/nonexistent",
            environment: ["DATABASE_URL_FILE": "/nonexistent/url"]
        )
        #expect(outcome.code == 69, "\(outcome)")
    }
}
