import Arguments
package import ChoiceService
package import Console
import Digest
import FileInput
import HTTPClient
package import Tracing

/// Where the spans of a call go: a file or a collector, as `--spans` says and the variables of OpenTelemetry.
package struct SpanExport: Sendable {
    /// What OpenTelemetry's own variables say besides.
    package static let environment = [
        "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_SERVICE_NAME", "OTEL_SDK_DISABLED",
    ]
    /// What is still waiting at the end may take so long.
    private static let farewell = Duration.seconds(5)

    package let exporter: SpanExporter
    private let place: String
    private let carrying: Task<Void, Never>

    /// Does something with spans where `--spans` asks for them, and hands on at its end what still waits.
    package static func following<Value: Sendable>(
        to place: String?,
        _ context: CommandContext,
        _ body: (SpanExport?) async throws(CommandError) -> Value
    ) async throws(CommandError) -> Value {
        let spans = try asked(place, context)
        do throws(CommandError) {
            let value = try await body(spans)
            await spans?.finish(context)
            return value
        } catch {
            await spans?.finish(context)
            throw error
        }
    }

    /// Whether a place is a collector's address, and no file.
    package static func isAddress(_ place: String) -> Bool { place.hasPrefix("http://") || place.hasPrefix("https://") }

    /// Nil where nobody asked for spans; a file or an address that cannot be used is said before any work is done.
    private static func asked(_ place: String?, _ context: CommandContext) throws(CommandError) -> SpanExport? {
        guard let place, context.environment["OTEL_SDK_DISABLED"]?.lowercased() != "true" else { return nil }
        let isAddress = isAddress(place)
        return SpanExport(
            to: isAddress ? try endpoint(place, context) : try file(place),
            at: isAddress ? "the collector" : place,
            resource(context)
        )
    }

    private init(to carrier: any SpanCarrier, at place: String, _ resource: SpanDocument.Resource) {
        let exporter = SpanExporter(resource, to: carrier)
        self.exporter = exporter
        self.place = place
        carrying = Task { await exporter.run() }
    }

    /// Hands on what still waits, for a moment at most, and says where spans were lost.
    private func finish(_ context: CommandContext) async {
        exporter.finish()
        let (exporter, carrying) = (exporter, carrying)
        let clock = Task {
            do { try await ContinuousClock().sleep(for: Self.farewell) } catch { return }
            exporter.giveUp()
            // What is under way has more time than that while the work goes on.
            carrying.cancel()
        }
        await carrying.value
        clock.cancel()
        let lost = exporter.counts.lost
        let spans = lost == 1 ? "1 span is lost" : "\(lost) spans are lost"
        if lost > 0 { context.note("\(spans): \(place) did not take what was drawn") }
    }

    private static func file(_ path: String) throws(CommandError) -> SpanFile {
        do throws(SpanFile.Refusal) {
            return try SpanFile(path)
        } catch {
            throw CommandError(
                .inputOutput,
                "spans cannot be written there: \(error.reason)",
                at: path,
                todo: "name a file that can be appended to, or the address of a collector"
            )
        }
    }

    private static func endpoint(_ text: String, _ context: CommandContext) throws(CommandError) -> SpanEndpoint {
        let url: HTTPURL
        do throws(HTTPURL.Refusal) {
            url = try HTTPURL(text)
        } catch {
            throw CommandError(
                .usage,
                "the collector's address is none: \(error.rawValue)",
                at: FlagName.spans.typed,
                todo: "write it as http://127.0.0.1:4318"
            )
        }
        let headers = headers(context.environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "")
        guard url.scheme == .https || url.isLoopback else {
            throw CommandError(
                .configuration,
                "\(headers.isEmpty ? "they" : "their key") would cross a network that anybody may read",
                at: headers.isEmpty ? FlagName.spans.typed : "OTEL_EXPORTER_OTLP_HEADERS",
                todo: "use https:// for a collector that is not on this machine"
            )
        }
        do throws(HTTPFailure) {
            return SpanEndpoint(url: SpanEndpoint.place(of: url), headers: headers, sender: try HTTPClient())
        } catch {
            throw .noHTTP(error)
        }
    }

    /// `name=value` pairs with commas between them, as OpenTelemetry has them; values are secrets.
    private static func headers(_ text: String) -> [HTTPHeader] {
        pairs(text).map { HTTPHeader($0.name, "", secret: Secret($0.value)) }
    }

    private static func pairs(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let name = parts[0].filter { !$0.isWhitespace }
            return name.isEmpty ? nil : (name, decoded(String(parts[1])))
        }
    }

    /// Without spaces around it, and with `%20` read as a space.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        let trimmed = bytes.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        return String(decoding: Array(trimmed), as: UTF8.self)
    }

    private static func resource(_ context: CommandContext) -> SpanDocument.Resource {
        var resource = SpanDocument.Resource(
            service: "knot-recommend",
            version: ProgramVersion.number,
            instance: String(SHA256Digest(of: RandomBytes.make(32)).hex.prefix(32))
        )
        for pair in pairs(context.environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "") {
            if pair.name == "service.name" {
                resource.service = pair.value
            } else {
                resource.further.append(.text(pair.name, pair.value))
            }
        }
        if let name = context.environment["OTEL_SERVICE_NAME"], !name.isEmpty { resource.service = name }
        return resource
    }
}

extension ChoiceService {
    /// The same service, whose runs draw spans where somebody wants them.
    package func following(_ spans: SpanExport?) -> ChoiceService { following(spans?.exporter as (any SpanSink)?) }

    /// The same service, whose runs draw spans; unchanged where nobody wants them.
    package func following(_ sink: (any SpanSink)?) -> ChoiceService {
        guard let sink else { return self }
        var service = self
        service.follower = RunSpans(to: sink)
        return service
    }
}
