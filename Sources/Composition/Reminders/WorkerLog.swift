import ChoiceService
package import Console
import JSONDocument
import KnotDomain
package import Tracing
package import Worker

/// What a worker does, a line for each thing that matters: JSON for programs, words at a terminal.
///
/// Lines hold ids, codes and times; no name, no text of a vault, no token.
package final class WorkerLog: WorkerObserver, SpanSink {
    /// The name under which it holds jobs: `jobs show` tells it of each.
    private let worker: WorkerID
    private let sink: any ByteSink
    private let isJSON: Bool
    /// Only what somebody should look at.
    private let isQuiet: Bool

    package init(_ worker: WorkerID, _ sink: any ByteSink, isJSON: Bool, isQuiet: Bool) {
        self.worker = worker
        self.sink = sink
        self.isJSON = isJSON
        self.isQuiet = isQuiet
    }

    private enum Level: String {
        case info
        case warning
    }

    package func saw(_ event: WorkerEvent) {
        switch event {
        case .became(let phase):
            write(
                .info,
                phase.rawValue,
                "worker \(worker) is \(phase.rawValue)",
                ["worker": .string(worker.description)]
            )
        case .claimed(let jobs, let held):
            guard jobs > 0 else { return }
            write(.info, "claimed", "\(jobs) claimed, \(held) held", ["jobs": .integer(jobs), "held": .integer(held)])
        case .renewed: return
        case .queueFailed(let code):
            write(.warning, "queue_failed", "the queue failed: \(code)", ["code": .string(code)])
        case .rescued(let jobs, let dead):
            write(
                .warning,
                "rescued",
                "\(jobs) jobs of dead workers wait again, \(dead) are put aside",
                ["jobs": .integer(jobs), "dead": .integer(dead)]
            )
        case .leaseLost(let job):
            write(.warning, "lease_lost", "job \(job) is another's now", ["job_id": .string(job.description)])
        case .zoneUnknown(let job, let warning):
            write(.warning, "zone_unknown", warning, ["job_id": .string(job.description)])
        case .commitUnknown: write(.warning, "commit_unknown", "how a COMMIT ended is not known; its lease will tell")
        case .handedOver(let handover):
            write(
                handover.code == nil ? .info : .warning,
                "handed_over",
                "\(handover.way): \(handover.result)\(handover.code.map { " (\($0))" } ?? "")",
                [
                    "way": .string(handover.way), "result": .string(handover.result), "code": JSONValue(handover.code),
                    "duration_s": Self.seconds(handover.took), "trace_id": JSONValue(handover.traces.first),
                ]
            )
        case .ended(let ending): write(ending)
        }
    }

    /// Tells of calls to providers, which share the trace of the job that they are made for.
    package func take(_ spans: [Span]) {
        for span in spans where span.kind == .client {
            var facts = JSONObject()
            facts["provider"] = JSONValue(span.text("knot.provider"))
            facts["status"] = JSONValue(span.count("http.response.status_code"))
            var level = Level.info
            if case .error(let code) = span.status {
                level = .warning
                facts["code"] = .string(code)
            }
            facts["duration_s"] = Self.seconds(span.took)
            facts["trace_id"] = .string(span.place.trace.description)
            facts["span_id"] = .string(span.place.span.description)
            let who = span.text("knot.provider") ?? span.text("server.address") ?? "a service"
            write(level, "called", "\(who) was asked", .object(facts))
        }
    }

    private func write(_ ending: JobEnding) {
        let isWell: Bool =
            switch ending.outcome {
            case .completed, .snoozed, .cancelled: true
            case .retried, .dead, .lost, .released: false
            }
        write(
            isWell ? .info : .warning,
            "job_\(ending.outcome.rawValue)",
            "job \(ending.job) \(ending.outcome.rawValue), attempt \(ending.attempt)"
                + (ending.code.map { ", \($0)" } ?? ""),
            [
                "job_id": .string(ending.job.description), "attempt": .integer(ending.attempt),
                "code": JSONValue(ending.code), "duration_s": Self.seconds(ending.took),
                "waited_s": Self.seconds(ending.waited), "trace_id": .string(ending.trace),
            ]
        )
    }

    private static func seconds(_ time: Duration) -> JSONValue {
        let (seconds, attoseconds) = time.components
        return .number(((Double(seconds) + Double(attoseconds) / 1e18) * 1_000).rounded() / 1_000)
    }

    private func write(_ level: Level, _ event: String, _ words: String, _ facts: JSONValue = [:]) {
        if isQuiet, level == .info { return }
        var line = JSONObject()
        line["time"] = .string(MachineClock().now().iso8601)
        line["level"] = .string(level.rawValue)
        line["event"] = .string(event)
        line["msg"] = .string(words)
        for member in facts.object?.members ?? [] where member.value != .null { line[member.name] = member.value }
        let text =
            isJSON
            ? JSONWriter.text(.object(line), style: .compact)
            : "\(MachineClock().now().iso8601) \(level.rawValue): \(TerminalText.escaped(words, limit: 400))"
        ProgressLine.shared.erase()
        do throws(CommandError) {
            try sink.write(text + "\n")
        } catch {
            // A log that nobody takes must not keep reminders from anybody.
        }
    }
}
