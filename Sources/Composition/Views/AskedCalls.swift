import Console
import JSONDocument
package import KnotDomain
package import LiveProviders

/// What services would be asked, as a report: each call with what it counts against a quota.
package struct AskedCalls {
    private let all: [(provider: ProviderName, call: ServiceCall)]

    package init(_ all: [(provider: ProviderName, call: ServiceCall)]) {
        self.all = all
    }

    package var report: TextReport {
        let calls = all.map { one -> JSONValue in
            [
                "provider": .string(one.provider.rawValue), "asks": .string(one.call.asks),
                "cost": .integer(one.call.cost),
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
            json: ["schema": "knot.asked/1", "calls": .array(calls), "cost": .integer(cost)],
            lines: lines + [sum]
        )
    }
}
