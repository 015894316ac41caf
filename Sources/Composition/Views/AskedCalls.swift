import Console
import JSONDocument
package import KnotDomain
package import LiveProviders

/// What services would be asked, as a report: each call with what it counts against a quota.
package struct AskedCalls {
    private let all: [(provider: ProviderName, call: ServiceCall)]
    /// What is left of quotas that outlive a process.
    private let left: [ProviderName: Int]
    /// The model of a service of embeddings that would be told the texts; nil where none is.
    private let embedder: String?

    package init(
        _ all: [(provider: ProviderName, call: ServiceCall)],
        left: [ProviderName: Int] = [:],
        embedder: String? = nil
    ) {
        self.all = all
        self.left = left
        self.embedder = embedder
    }

    /// What the calls of each provider count, of those that have not enough left for theirs.
    private var wanting: [(provider: ProviderName, cost: Int, left: Int)] {
        Dictionary(grouping: all, by: \.provider).sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { name, own in
            let cost = own.reduce(0) { $0 + $1.call.cost }
            return left[name].flatMap { $0 < cost ? (name, cost, $0) : nil }
        }
    }

    private var remarks: [String] {
        let told = embedder.map { "the phrases and the texts of offers would be told to the service of \($0)" }
        return [told].compactMap(\.self)
            + wanting.map {
                "\($0.provider.rawValue) has \($0.left) calls left today, and the run's count \($0.cost): not all are sent"
            }
    }

    package var report: TextReport {
        let calls = all.map { one -> JSONValue in
            [
                "provider": .string(one.provider.rawValue), "asks": .string(one.call.asks),
                "cost": .integer(one.call.cost), "quota_left": JSONValue(left[one.provider]),
            ]
        }
        let cost = all.reduce(0) { $0 + $1.call.cost }
        let lines = all.flatMap { one in
            TextLayout.wrapped(TerminalText.safe(one.call.asks), to: 64).enumerated().map { index, line in
                TextLayout.padded(index == 0 ? one.provider.rawValue : "", to: 14) + line
            }
        }
        let sum = "\(all.count) calls, which count \(cost) against quotas; nothing was sent"
        return TextReport(
            json: [
                "schema": "knot.asked/1", "calls": .array(calls), "cost": .integer(cost),
                "embedder": JSONValue(embedder),
            ],
            lines: lines + remarks.flatMap { TextLayout.wrapped(TerminalText.safe($0), to: 78) } + [sum]
        )
    }
}
