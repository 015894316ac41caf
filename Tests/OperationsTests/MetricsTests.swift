import TestSupport
import Testing

@testable import Operations
@testable import Worker

/// Prometheus's text as its own description has it, read strictly: what is not allowed there is nil.
struct ReadMetrics {
    struct Sample: Hashable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private(set) var types: [String: String] = [:]
    private(set) var samples: [Sample] = []

    init?(_ text: String) {
        guard text.hasSuffix("\n") else { return nil }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("# HELP ") { continue }
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, ["counter", "gauge", "histogram"].contains(words[3]),
                    types[String(words[2])] == nil
                else { return nil }
                types[String(words[2])] = String(words[3])
                continue
            }
            guard let sample = Self.sample(Array(line)), !samples.contains(where: { $0.isSameSeries(as: sample) })
            else {
                return nil
            }
            samples.append(sample)
        }
    }

    /// The value of a series; nil where there is none.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private static func sample(_ line: [Character]) -> Sample? {
        var rest = line[...]
        let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") })
        rest = rest.dropFirst(name.count)
        guard let first = name.first, !first.isNumber else { return nil }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
                rest = rest.dropFirst(label.count)
                guard !label.isEmpty, rest.popFirst() == "=", rest.popFirst() == "\"" else { return nil }
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    switch rest.popFirst() {
                    case "\\": value.append("\\")
                    case "\"": value.append("\"")
                    case "n": value.append("\n")
                    default: return nil
                    }
                }
                guard labels[label] == nil else { return nil }
                labels[label] = value
                if rest.first == "," { rest = rest.dropFirst() } else if rest.first != "}" { return nil }
            }
            rest = rest.dropFirst()
        }
        guard rest.popFirst() == " " else { return nil }
        let number = String(rest)
        guard let value = number == "+Inf" ? .infinity : Double(number) else { return nil }
        return Sample(name: name, labels: labels, value: value)
    }
}

extension ReadMetrics.Sample {
    fileprivate func isSameSeries(as other: Self) -> Bool { name == other.name && labels == other.labels }
}

@Suite("What a worker has come to, in numbers")
struct MetricsTests {
    private func ending(_ outcome: JobEnding.Outcome, _ code: String?, took: Duration, waited: Duration) -> WorkerEvent
    {
        .ended(
            JobEnding(job: JobID("j"), attempt: 1, outcome: outcome, code: code, took: took, waited: waited, trace: "")
        )
    }

    private func read(_ monitor: WorkerMonitor) throws -> ReadMetrics {
        let request = try OperationsRequest(head: Array("GET /metrics HTTP/1.1\r\n\r\n".utf8)[...])
        let answer = try #require(monitor.answer(request))
        #expect(answer.type == "text/plain; version=0.0.4; charset=utf-8" && answer.status == 200)
        return try #require(ReadMetrics(String(decoding: answer.body, as: UTF8.self)))
    }

    @Test func `every outcome is there from the beginning, at zero`() throws {
        let metrics = try read(WorkerMonitor(versions: ["knot_build_info": "1.2"]))
        for outcome in JobEnding.Outcome.allCases {
            #expect(metrics.value("knot_jobs_total", ["outcome": outcome.rawValue]) == 0)
        }
        #expect(metrics.value("knot_build_info", ["version": "1.2"]) == 1)
        #expect(try #require(metrics.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(metrics.value("process_cpu_seconds_total")) > 0)
    }

    @Test func `counters say how often each thing was seen, whatever was seen`() throws {
        let seed: UInt64 = 9_464
        var random = SeededRandom(seed: seed)
        let monitor = WorkerMonitor(versions: [:])
        var outcomes: [String: Double] = [:]
        var deaths: [String: Double] = [:]
        var (held, claimed, notices, lost, took) = (0, 0, 0, 0, 0.0)
        for _ in 0..<2_000 {
            switch Int.random(in: 0...4, using: &random) {
            case 0:
                (held, claimed) = (Int.random(in: 0...9, using: &random), claimed + 3)
                monitor.saw(.claimed(jobs: 3, held: held))
            case 1:
                notices += 1
                let handover = Handover(way: "outbox", result: "delivered", code: nil, took: .milliseconds(3))
                monitor.saw(.handedOver(handover))
            case 2:
                lost += 1
                monitor.saw(.leaseLost(JobID("j")))
            default:
                let outcome = try #require(JobEnding.Outcome.allCases.randomElement(using: &random))
                let time = Duration.milliseconds(Int.random(in: 0...100_000, using: &random))
                let code = "code_\(Int.random(in: 0...9, using: &random))"
                monitor.saw(ending(outcome, code, took: time, waited: .seconds(-5)))
                outcomes[outcome.rawValue, default: 0] += 1
                if outcome == .dead { deaths[code, default: 0] += 1 }
                took += time / .seconds(1)
            }
        }
        let metrics = try read(monitor)
        for (outcome, count) in outcomes { #expect(metrics.value("knot_jobs_total", ["outcome": outcome]) == count) }
        for (code, count) in deaths { #expect(metrics.value("knot_dead_letter_total", ["code": code]) == count) }
        #expect(metrics.value("knot_held_jobs") == Double(held))
        #expect(metrics.value("knot_claimed_jobs_total") == Double(claimed))
        #expect(metrics.value("knot_leases_lost_total") == Double(lost))
        #expect(metrics.value("knot_notices_total", ["way": "outbox", "result": "delivered"]) == Double(notices))
        let sum = try #require(metrics.value("knot_job_duration_seconds_sum"))
        #expect(abs(sum - took) < 1e-6 * took, "seed \(seed)")
        #expect(metrics.value("knot_job_wait_seconds_sum") == 0, "a clock that was set back makes nothing negative")
    }

    @Test func `a histogram grows from bucket to bucket up to its count`() throws {
        let monitor = WorkerMonitor(versions: [:])
        for milliseconds in [0, 10, 11, 50, 1_000, 1_001, 9_000_000] {
            monitor.saw(ending(.completed, nil, took: .milliseconds(milliseconds), waited: .zero))
        }
        let metrics = try read(monitor)
        let buckets = metrics.samples.filter { $0.name == "knot_job_duration_seconds_bucket" }.map(\.value)
        #expect(buckets == [2, 4, 4, 4, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7])
        #expect(metrics.value("knot_job_duration_seconds_bucket", ["le": "+Inf"]) == 7)
        #expect(metrics.value("knot_job_duration_seconds_count") == 7)
        #expect(metrics.types["knot_job_duration_seconds"] == "histogram")
    }

    @Test func `codes beyond sixty-four count as others, so that nobody can fill the memory of who collects`() throws {
        let monitor = WorkerMonitor(versions: [:])
        for number in 0..<1_000 {
            monitor.saw(ending(.dead, "code_\(number)", took: .zero, waited: .zero))
        }
        let deaths = try read(monitor).samples.filter { $0.name == "knot_dead_letter_total" }
        #expect(deaths.count == 65 && deaths.map(\.value).reduce(0, +) == 1_000)
        #expect(deaths.contains { $0.labels == ["code": "other"] && $0.value == 936 })
    }

    @Test func `a label's value may be anything`() throws {
        let hostile = "a\"b\\c\nd{e}=\u{202E},é"
        let text = MetricsText.text([MetricFamily("knot_x", .gauge, "Help \\ \n\"", by: "label", [hostile: 3])])
        #expect(try #require(ReadMetrics(text)).value("knot_x", ["label": hostile]) == 3)
    }

    @Test func `spans that are lost are told, and nothing is said of spans where none are drawn`() throws {
        let monitor = WorkerMonitor(versions: [:])
        #expect(try read(monitor).value("knot_spans_lost_total") == nil)
        monitor.ask { .init(exported: 12, lost: 3) }
        let metrics = try read(monitor)
        #expect(metrics.value("knot_spans_exported_total") == 12 && metrics.value("knot_spans_lost_total") == 3)
        #expect(metrics.types["knot_spans_lost_total"] == "counter")
    }

    @Test func `the levels of the queue are there once they were counted`() throws {
        let monitor = WorkerMonitor(versions: [:])
        #expect(try read(monitor).value("knot_jobs_due") == nil)
        monitor.saw(.init(jobs: ["waiting": 7, "dead": 1], due: 3, oldestDue: .milliseconds(1_500)))
        let metrics = try read(monitor)
        #expect(metrics.value("knot_queue_jobs", ["state": "waiting"]) == 7)
        #expect(metrics.value("knot_jobs_due") == 3 && metrics.value("knot_oldest_due_seconds") == 1.5)
    }
}
