import Arguments
import ChoiceService
import Composition
import Console
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import Verbs

extension Verb {
    static let providers = Verb(
        name: .providers,
        summary: "List the online services that `--live` asks, or test their keys",
        actions: [
            VerbAction(
                "list",
                "List each service with its state, quota and variables; send nothing",
                examples: ["knot-recommend providers list"]
            ),
            VerbAction(
                "check",
                "Send one small request to each configured service",
                description: """
                    Each request counts against the service's quota. Exits with 69 if a request fails, even for one \
                    of several shops. Otherwise exits with 78 if a service is misconfigured.
                    """,
                examples: ["knot-recommend providers check"]
            ),
        ],
        description: """
            Keys come from environment variables, or from the files named by the same variables with `_FILE`. They \
            are never shown.
            """,
        examples: [
            "knot-recommend providers list",
            "knot-recommend providers check",
        ],
        exitCodes: [.unavailable, .configuration, .internalFault],
        perform: ProvidersVerb.perform
    )
}

/// `providers`: the services outside, as they are set up here.
enum ProvidersVerb {
    enum Action: String, CaseIterable {
        case list
        case check
    }

    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let action = arguments.operands.first.flatMap(Action.init(rawValue:)) else {
            throw .usage(.providers, "there is no action", todo: "say list or check")
        }
        // An old reply would say of a service that is down that it answers.
        let services = try LiveOutside(context, replies: action == .check ? .unused : .kept).services
        switch action {
        case .list: return try await list(services, context).finish(context)
        case .check:
            guard services.entries.contains(where: { $0.service != nil || $0.problem != nil }) else {
                throw .noService(at: "providers check")
            }
            context.progress("asking \(services.all.count) services")
            return try await ServiceCheck(services).report.finish(context)
        }
    }

    // MARK: List

    private static func list(_ services: LiveServices, _ context: CommandContext) async -> TextReport {
        var lines: [String] = []
        let left = await services.callsLeft(context.environment)
        for entry in services.entries {
            let (state, why) = words(entry.setup)
            let rest = left[entry.capability.name].map { ", \($0) calls left today" } ?? ""
            lines.append(TextLayout.padded(entry.capability.name.rawValue, to: 14) + state + rest)
            lines += TextLayout.wrapped(TerminalText.safe(facts(entry.capability)), to: 64).map { indent + $0 }
            if let why { lines += TextLayout.wrapped(TerminalText.safe(why), to: 64).map { indent + $0 } }
        }
        let rows = services.entries.map { entry -> JSONValue in
            let (state, why) = words(entry.setup)
            let capability = entry.capability
            return [
                "name": .string(capability.name.rawValue), "state": .string(state),
                "types": JSONValue(capability.types.map(\.rawValue)),
                "searches_places": .bool(capability.searchesPlaces),
                "searches_prices": .bool(capability.searchesPrices),
                "most_candidates": JSONValue(capability.mostCandidates),
                "quota_calls": JSONValue(capability.quota?.calls),
                "quota_left": JSONValue(left[capability.name]),
                "quota_seconds": JSONValue(capability.quota.map { Int($0.period / .seconds(1)) }),
                "missing": missing(entry.setup), "why": JSONValue(why),
            ]
        }
        return TextReport(json: ["schema": "knot.providers/1", "providers": .array(rows)], lines: lines)
    }

    private static let indent = String(repeating: " ", count: 14)

    private static func words(_ setup: LiveServices.Setup) -> (state: String, why: String?) {
        switch setup {
        case .ready: ("ready", nil)
        case .missing(let variables): ("not set up", "set \(variables.joined(separator: " and "))")
        case .missingEither(let variables): ("not set up", "set \(variables.joined(separator: " or "))")
        case .unusable(let why): ("not usable", why)
        }
    }

    private static func missing(_ setup: LiveServices.Setup) -> JSONValue {
        switch setup {
        case .missing(let variables), .missingEither(let variables): JSONValue(variables)
        case .ready, .unusable: []
        }
    }

    private static func facts(_ capability: ProviderCapability) -> String {
        var facts = [capability.types.map { "\($0.rawValue)s" }.joined(separator: ", ")]
        if capability.searchesPlaces { facts.append("near a town") }
        if capability.searchesPrices { facts.append("within a budget") }
        if let quota = capability.quota {
            facts.append("\(quota.calls) calls \(period(quota.period))")
        }
        return facts.joined(separator: "; ")
    }

    private static func period(_ time: Duration) -> String {
        switch time {
        case .seconds(1): "a second"
        case .seconds(60): "a minute"
        case .seconds(3_600): "an hour"
        case .seconds(86_400): "a day"
        default: "in \(Int(time / .seconds(1))) s"
        }
    }
}
