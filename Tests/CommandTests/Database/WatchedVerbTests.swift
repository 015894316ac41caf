import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// `serve`, and what `work` tells those who watch it.
@Suite(.tags(.database)) struct WatchedVerbTests {
    /// Asks a path of 127.0.0.1:$port and prints the whole answer.
    private static let ask = """
        ask() { exec 3<>/dev/tcp/127.0.0.1/$port; printf 'GET %s HTTP/1.1\\r\\nHost: localhost\\r\\n%b\\r\\n' "$1" "$2" >&3; cat <&3; };
        """

    private func run(
        _ script: String,
        _ environment: [String: String] = [:]
    ) async throws -> BuiltCommand.Outcome {
        try await withDatabase(.eighteen, .commandStocked) { database in
            try await DatabaseCommand.run(Self.ask + script, on: database.url, environment: environment)
        }
    }

    @Test func `serve prints where its page is, which tells what is in the queue`() async throws {
        let outcome = try await run(
            """
            "$KNOT" plan --all --as-of 2026-05-05T14:00:00Z --quiet > /dev/null || exit 9
            exec 4< <(exec "$KNOT" serve --listen 0); server=$!
            read -u 4 url; port=${url##*:}; port=${port%/}
            until answer=$(ask /overview.json) && [[ $answer == *knot.operations/1* ]]; do :; done
            echo "$answer" | tail -n 1
            ask / | grep -c 'Knot: the queue</h1>'
            kill $server
            """
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        let json = try JSONParser.parse(String(try #require(lines.first)))
        #expect(json["states"]?.array?.first?["state"] == "available")
        #expect(try #require(json["states"]?.array?.first?["jobs"]?.int) >= 3)
        #expect(lines.last == "1")
    }

    @Test func `serve shows others nothing without a token, and all with it`() async throws {
        let token = "0123456789abcdef"
        let outcome = try await run(
            """
            exec 4< <(exec "$KNOT" serve --listen 0.0.0.0:0); server=$!
            read -u 4 url; port=${url##*:}; port=${port%/}
            ask / | head -n 1; ask / 'Authorization: Bearer \(token)\\r\\n' | head -n 1
            kill $server
            """,
            ["KNOT_SERVE_TOKEN": token]
        )
        #expect(outcome.output == "HTTP/1.1 401 Unauthorized\r\nHTTP/1.1 200 OK\r\n", "\(outcome.errors)")
        let refused = try await run("\"$KNOT\" serve --listen 0.0.0.0:0")
        #expect(refused.code == ExitCode.configuration.rawValue && refused.errors.contains("KNOT_SERVE_TOKEN"))
        let short = try await run("\"$KNOT\" serve", ["KNOT_SERVE_TOKEN": "short-canary"])
        #expect(short.code == ExitCode.configuration.rawValue && !short.errors.contains("canary"))
        let wrong = try await run("\"$KNOT\" serve --listen here")
        #expect(wrong.code == ExitCode.usage.rawValue && wrong.errors.contains("127.0.0.1:9464"))
    }

    @Test func `work tells systemd that it is ready and that it ends, and goes where variables say`() async throws {
        let folder = try ScratchFolder()
        let manager = try NotifyListener(folder.file("notify"))
        let outcome = try await run(
            "\"$KNOT\" work --drain",
            ["NOTIFY_SOCKET": manager.name, "KNOT_DELIVERY": "outbox", "KNOT_OUTBOX": folder.path]
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let told = manager.told
        #expect(told.contains { $0.contains("READY=1") } && told.last?.contains("STOPPING=1") == true, "\(told)")
    }

    @Test(.timeLimit(.minutes(20)))
    func `work is not ready while the schema, its rights or the zones are not as it needs them`() async throws {
        let folder = try ScratchFolder()
        let zones = folder.file("zones")
        try FileManager.default.createSymbolicLink(atPath: zones, withDestinationPath: "/usr/share/zoneinfo")
        let broken = folder.file("broken")
        let mended = folder.file("mended")
        try await withDatabase(.eighteen, .commandStocked) { database in
            let script = """
                port=\(try LoopbackPort.free())
                "$KNOT" work --deliver outbox:\(folder.path) --listen $port > /dev/null 2>&1 & worker=$!
                until answer=$(ask /readyz 2> /dev/null) && [[ $answer == 'HTTP/1.1 200'* ]]; do sleep 0.1; done
                touch \(broken).please
                until [ -e \(broken) ]; do sleep 0.1; done
                for turn in $(seq 12000); do
                    answer=$(ask /readyz)
                    [[ $answer == *'migration 900_'* && $answer == *'api.renew'* && $answer == *'\(zones)'* ]] && break
                    sleep 0.1
                done
                echo "$answer" | head -n 1; echo "$answer" | tail -n 1; ask /livez | head -n 1
                touch \(mended).please
                until [ -e \(mended) ]; do sleep 0.1; done
                for turn in $(seq 12000); do
                    answer=$(ask /readyz); [[ $answer == 'HTTP/1.1 200'* ]] && break; sleep 0.1
                done
                echo "$answer" | head -n 1
                kill $worker; wait $worker
                """
            async let outcome = DatabaseCommand.run(
                Self.ask + script,
                on: database.url(user: "knot_worker"),
                environment: ["TZDIR": zones]
            )
            let renew = "execute on function api.renew(uuid[], uuid[], integer)"
            try await Self.wait(for: broken)
            try await database.run(
                """
                insert into knot.knot_migrations (number, name, checksum, engine_version, works_from)
                values (900, '900_later', 'x', 'test', 900)
                """
            )
            try await database.run("revoke \(renew) from knot_worker, public")
            try FileManager.default.removeItem(atPath: zones)
            try Data().write(to: URL(fileURLWithPath: broken))
            try await Self.wait(for: mended)
            try await database.run("delete from knot.knot_migrations where number = 900")
            try await database.run("grant \(renew) to knot_worker")
            try FileManager.default.createSymbolicLink(atPath: zones, withDestinationPath: "/usr/share/zoneinfo")
            try Data().write(to: URL(fileURLWithPath: mended))
            let lines = try await outcome.output.split(whereSeparator: \.isNewline).map(String.init)
            #expect(lines.count == 4 && lines[0].contains("503") && lines[2].contains("200"), "\(lines)")
            #expect(lines.last?.contains("200") == true, "\(lines)")
            let checks = try JSONParser.parse(Array((lines.count > 1 ? lines[1] : "{}").utf8))["checks"]
            #expect(checks?["schema"]?.string?.contains("900_later") == true, "\(lines)")
            #expect(checks?["rights"]?.string?.contains("api.renew") == true, "\(lines)")
            #expect(checks?["zones"]?.string?.contains(zones) == true, "\(lines)")
        }
    }

    /// Waits until a script asks for a file.
    private static func wait(for file: String) async throws {
        try await LastResort.wait { FileManager.default.fileExists(atPath: file + ".please") }
    }

    @Test func `work answers how it is, until it is told to stop`() async throws {
        let folder = try ScratchFolder()
        let outcome = try await run(
            """
            port=\(try LoopbackPort.free())
            "$KNOT" work --deliver outbox:\(folder.path) --listen $port \\
                --spans \(folder.file("spans")) 2> /dev/null & worker=$!
            until answer=$(ask /readyz 2> /dev/null) && [[ $answer == 'HTTP/1.1 200'* ]]; do :; done
            ask /livez | tail -n 1
            until ask /metrics | grep -q '^knot_jobs_due 0$'; do :; done
            ask /metrics | grep '^knot_claims_total' | grep -vc ' 0$'
            ask /metrics | grep '^knot_spans_lost_total'
            kill $worker; wait $worker; echo $?
            """
        )
        let expected = [#"{"status":"ok","checks":{"loop":"ok","queue":"ok"}}"#, "1", "knot_spans_lost_total 0"]
        #expect(outcome.output.split(separator: "\n").prefix(3).map(String.init) == expected, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n0\n"), "\(outcome.output)")
    }
}
