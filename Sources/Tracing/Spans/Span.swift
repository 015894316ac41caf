import Digest

/// One piece of work with its beginning and end, as OpenTelemetry draws it: names, counts and codes, and no text of a vault,
/// of a provider or of a page.
package struct Span: Sendable, Equatable {
    /// Its number in OTLP.
    package enum Kind: Int, Sendable {
        case inside = 1
        /// A call to somebody else.
        case client = 3
        /// Work on what came out of a queue.
        case consumer = 5
    }

    package enum Status: Sendable, Equatable {
        case unset
        case ok
        /// With a code, never a sentence.
        case error(String)
    }

    package var place: SpanPlace
    package var parent: SpanID?
    /// Other traces that it belongs to as well.
    package var links: [SpanPlace] = []
    package var name: String
    package var kind: Kind
    package var start: UnixTime
    package var end: UnixTime
    package var status: Status = .unset
    package var attributes: [SpanAttribute]

    package init(
        _ name: String,
        _ kind: Kind,
        at place: SpanPlace,
        under parent: SpanID?,
        from start: UnixTime,
        to end: UnixTime,
        _ attributes: [SpanAttribute] = []
    ) {
        self.name = name
        self.kind = kind
        self.place = place
        self.parent = parent
        self.start = start
        self.end = max(start, end)
        self.attributes = attributes
    }
}

extension Span {
    package var took: Duration { .nanoseconds(Int64(clamping: end.nanoseconds - start.nanoseconds)) }

    /// The text of an attribute.
    package func text(_ name: String) -> String? {
        attributes.lazy.compactMap { if $0.name == name, case .text(let text) = $0.value { text } else { nil } }.first
    }

    /// The count of an attribute.
    package func count(_ name: String) -> Int? {
        attributes.lazy.compactMap { if $0.name == name, case .count(let count) = $0.value { count } else { nil } }
            .first
    }
}

/// A fact about a span, under a name of the semantic conventions where they have one.
package struct SpanAttribute: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case text(String)
        case count(Int)
        case number(Double)
        case flag(Bool)
    }

    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    package static func text(_ name: String, _ text: String) -> Self { Self(name, .text(text)) }
    package static func count(_ name: String, _ count: Int) -> Self { Self(name, .count(count)) }

    /// In seconds, to the millisecond.
    package static func seconds(_ name: String, _ time: Duration) -> Self {
        Self(name, .number((time / .milliseconds(1)).rounded() / 1_000))
    }
}

/// Which span of which trace: what its children need to know of it.
package struct SpanPlace: Sendable, Hashable {
    package let trace: TraceID
    package let span: SpanID

    package init(_ trace: TraceID, _ span: SpanID) {
        self.trace = trace
        self.span = span
    }

    /// Of a trace that begins here.
    package static var new: SpanPlace { SpanPlace(.random, .random) }

    /// A part of this span that has a name, always the same for the same name.
    package func part(_ name: String) -> SpanPlace {
        SpanPlace(trace, SpanID(SHA256Digest(of: "\(trace)|\(span)|\(name)")))
    }
}

/// 16 bytes, one of which at least is not zero, as 32 hexadecimal digits.
package struct TraceID: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package static var random: TraceID { TraceID(SHA256Digest(of: RandomBytes.make(32))) }

    private init(_ digest: SHA256Digest) { description = String(digest.hex.prefix(32)) }

    /// Nil for any other text.
    package init?(_ text: String) {
        guard Hexadecimal.isID(text, digits: 32) else { return nil }
        description = text
    }

    /// The span of the whole that the trace is of, where others must know it before it ends.
    package var root: SpanPlace { SpanPlace(self, SpanID(SHA256Digest(of: "\(self)|root"))) }
}

/// 8 bytes, one of which at least is not zero, as 16 hexadecimal digits.
package struct SpanID: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package static var random: SpanID { SpanID(SHA256Digest(of: RandomBytes.make(32))) }

    init(_ digest: SHA256Digest) { description = String(digest.hex.prefix(16)) }

    /// Nil for any other text.
    package init?(_ text: String) {
        guard Hexadecimal.isID(text, digits: 16) else { return nil }
        description = text
    }
}

private enum Hexadecimal {
    static func isID(_ text: String, digits: Int) -> Bool {
        let bytes = text.utf8
        return bytes.count == digits && bytes.contains { $0 != 0x30 }
            && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// Whoever takes spans: it must be quick, and never fails.
package protocol SpanSink: Sendable {
    func take(_ spans: [Span])
}

/// Several sinks as one.
package struct SpanSinks: SpanSink {
    private let all: [any SpanSink]

    package init(_ all: [any SpanSink]) { self.all = all }

    package func take(_ spans: [Span]) { for sink in all { sink.take(spans) } }
}

/// Under which span a task works, so that whatever it calls can say where it belongs.
package struct SpanScope: Sendable {
    @TaskLocal package static var current: SpanScope?

    package let place: SpanPlace
    /// The name of the provider that is asked.
    package let provider: String?
    package let sink: any SpanSink

    package init(_ place: SpanPlace, provider: String?, _ sink: any SpanSink) {
        self.place = place
        self.provider = provider
        self.sink = sink
    }
}
