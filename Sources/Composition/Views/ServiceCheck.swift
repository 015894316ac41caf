import Console
import JSONDocument
import KnotDomain
package import LiveProviders
import Recommendation
import StageGraph

/// One small call to each service that is set up, and what it came to.
package struct ServiceCheck: Sendable {
    /// What one small call to a service came to.
    private struct Finding: Sendable {
        let name: String
        /// Why it fails, or what of it does.
        var failure: StageFailure?
        var count = 0
        var milliseconds = 0
    }

    /// The code of a service that was not asked, since it is set up so that it cannot be.
    private static let unusable = "not_usable"
    /// The code of a service that answers only in part, as a run calls it.
    private static let partial = "provider_partial"

    private let findings: [Finding]

    /// Asks them all at once.
    package init(_ services: LiveServices) async {
        findings = await withTaskGroup(of: (Int, Finding).self) { group in
            for (place, entry) in services.entries.enumerated() {
                if let service = entry.service {
                    group.addTask { (place, await Self.finding(service)) }
                } else if let why = entry.problem {
                    let failure = StageFailure(.request, code: Self.unusable, why)
                    group.addTask { (place, Finding(name: entry.capability.name.rawValue, failure: failure)) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// One thing that every service has, in a town that every service knows.
    private static func finding(_ service: any LiveService) async -> Finding {
        let capability = service.capability
        let start = ContinuousClock.now
        let query = ProviderQuery(
            provider: capability.name,
            phrases: ["jazz"],
            types: Array(capability.types.prefix(1)),
            budget: nil,
            place: capability.searchesPlaces ? Place(city: "New York", state: "NY", country: "US") : nil,
            until: nil,
            limit: 1
        )
        var finding = Finding(name: capability.name.rawValue)
        do throws(StageFailure) {
            finding.count = try await service.candidates(for: query).count
            // A run goes on with the rest of a service, and whoever asks whether it answers wants to know of the part.
            let lacking = query.shortfalls.sentences
            if !lacking.isEmpty {
                finding.failure = StageFailure(.provider, code: partial, lacking.joined(separator: "; "))
            }
        } catch {
            finding.failure = error
        }
        finding.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return finding
    }

    /// 69 where one fails, also in part, else 78 where one cannot be asked.
    package var report: TextReport {
        let failures = findings.compactMap(\.failure)
        let isBroken = failures.contains { $0.code != Self.unusable }
        let rows = findings.map { finding -> JSONValue in
            [
                "name": .string(finding.name), "answers": .bool(finding.failure == nil),
                "code": JSONValue(finding.failure?.code), "detail": JSONValue(finding.failure?.detail),
                "found": .integer(finding.count), "milliseconds": .integer(finding.milliseconds),
            ]
        }
        return TextReport(
            json: ["schema": "knot.providers-check/1", "providers": .array(rows)],
            lines: findings.flatMap(Self.lines),
            exitCode: isBroken ? .unavailable : failures.isEmpty ? .done : .configuration
        )
    }

    private static func lines(_ finding: Finding) -> [String] {
        let said = finding.failure.map { "fails: \($0.code): \($0.detail)" } ?? "answers, \(finding.count) found"
        let text = TextLayout.wrapped(TerminalText.safe("\(said) (\(finding.milliseconds) ms)"), to: 64)
        return text.enumerated().map { index, line in
            TextLayout.padded(index == 0 ? finding.name : "", to: 14) + line
        }
    }
}
