import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import knot_recommend

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
