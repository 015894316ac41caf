package import HTTPClient
import JSONDocument
import Synchronization

/// Puts a name in the place of every key, token and configured address, in whatever is written down of calls.
///
/// What it leaves is the same with another key at another address, so that a call can be known again without either.
package final class Scrubber: Sendable {
    /// A text that is never written, and the name that stands in its place.
    package struct Hidden: Sendable, Hashable {
        package let text: String
        /// The variable that it comes from.
        package let name: String
        /// A secret is searched for in every way that it can be written; an address only as it is.
        package let isSecret: Bool

        package init(_ text: String, as name: String, isSecret: Bool) {
            self.text = text
            self.name = name
            self.isSecret = isSecret
        }
    }

    /// Shorter texts stand in many a word.
    package static let leastLength = 8

    private struct Pattern {
        let bytes: [UInt8]
        let name: [UInt8]
        /// The variable of an address; nil for a secret.
        let variable: String?
        /// Whether it is hidden in what its own service is asked alone.
        ///
        /// An address of this machine says nothing of anybody, and what lies there is found under it only.
        let isOfThisMachine: Bool

        /// Whether it is hidden in a call to a service, or in anything else where none is named.
        func isHidden(of service: String?) -> Bool {
            guard let variable else { return true }
            if let service, variable.hasPrefix("KNOT_\(service.uppercased())_") { return true }
            return !isOfThisMachine
        }

        func stands(in text: [UInt8], at place: Int) -> Bool {
            guard place + bytes.count <= text.count else { return false }
            for number in bytes.indices where text[place + number] != bytes[number] { return false }
            return true
        }
    }

    private struct Patterns {
        var known: Set<Hidden> = []
        /// By their first byte, the longest first.
        var byFirst: [UInt8: [Pattern]] = [:]
        /// Secrets as they may come back.
        var secrets = SecretAutomaton()

        mutating func add(_ hidden: Hidden) {
            // A secret is hidden under one name, whatever it is of; an address may be that of several services.
            let one = hidden.isSecret ? Hidden(hidden.text, as: "", isSecret: true) : hidden
            guard hidden.text.utf8.count >= Scrubber.leastLength else { return }
            if hidden.isSecret, secrets.add(hidden.text) { return }
            guard known.insert(one).inserted else { return }
            var forms = [hidden.text]
            if hidden.isSecret {
                forms.append(HTTPRequest.encoded(hidden.text))
                forms.append(String(JSONWriter.text(.string(hidden.text)).dropFirst().dropLast()))
            }
            for form in Set(forms) {
                let bytes = Array(form.utf8)
                // Two services may have one key, which is not to tell them apart.
                let name = hidden.isSecret ? "secret" : hidden.name
                byFirst[bytes[0], default: []].append(
                    Pattern(
                        bytes: bytes,
                        name: Array("{\(name)}".utf8),
                        variable: hidden.isSecret ? nil : hidden.name,
                        isOfThisMachine: !hidden.isSecret && (try? HTTPURL(form))?.isLoopback == true
                    )
                )
                byFirst[bytes[0]]?.sort { $0.bytes.count > $1.bytes.count }
            }
        }
    }

    private let patterns: Mutex<Patterns>

    package init(_ hidden: [Hidden]) {
        var patterns = Patterns()
        for one in hidden { patterns.add(one) }
        patterns.secrets.settle()
        self.patterns = Mutex(patterns)
    }

    /// Hides one more from now on, as a token that came in a reply.
    package func hide(_ secret: String) {
        patterns.withLock { $0.add(Hidden(secret, as: "", isSecret: true)) }
    }

    /// Hides whatever a request proves itself with, as a token that was asked for.
    package func hideSecrets(of request: HTTPRequest) {
        for header in request.headers where header.shownValue != header.value {
            for word in header.value.split(whereSeparator: { " ,;".contains($0) }) { hide(String(word)) }
        }
    }

    /// In one pass, whatever is hidden; in a call to a service its own addresses have their own names.
    package func scrubbed(_ bytes: [UInt8], askedOf service: String? = nil) -> [UInt8] {
        replaced(bytes, askedOf: service).bytes
    }

    /// The same of secrets alone: an address may be that of a shop whose offers are shown.
    package func withoutSecrets(_ bytes: [UInt8]) -> [UInt8] { replaced(bytes, onlySecrets: true).bytes }

    package func withoutSecrets(_ text: String) -> String {
        String(decoding: withoutSecrets(Array(text.utf8)), as: UTF8.self)
    }

    private static let secretName = Array("{secret}".utf8)

    private func replaced(
        _ bytes: [UInt8],
        askedOf service: String? = nil,
        onlySecrets: Bool = false
    ) -> (bytes: [UInt8], holdsSecret: Bool) {
        var byFirst: [UInt8: [Pattern]]
        let secrets: SecretAutomaton
        (byFirst, secrets) = patterns.withLock { ($0.byFirst, $0.secrets) }
        for (first, patterns) in byFirst {
            let hidden = onlySecrets ? patterns.filter { $0.variable == nil } : patterns
            byFirst[first] = hidden.isEmpty ? nil : Self.ordered(hidden, askedOf: service)
        }
        var escaped = secrets.places(in: bytes)[...]
        guard !byFirst.isEmpty || !escaped.isEmpty else { return (bytes, false) }
        var holdsSecret = false
        var isFirst = [Bool](repeating: false, count: 256)
        for byte in byFirst.keys { isFirst[Int(byte)] = true }
        var result: [UInt8] = []
        // What comes before it is in the result; nothing is copied where nothing is hidden.
        var copied = 0
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            while let secret = escaped.first, secret.lowerBound < place { escaped = escaped.dropFirst() }
            let end = escaped.first.flatMap { $0.lowerBound == place ? $0.upperBound : nil } ?? place
            let found = isFirst[Int(byte)] ? byFirst[byte]?.first { $0.stands(in: bytes, at: place) } : nil
            let plainEnd = found.map { place + $0.bytes.count } ?? place
            guard max(plainEnd, end) > place else {
                place += 1
                continue
            }
            let name = end > plainEnd ? Self.secretName : found?.name ?? Self.secretName
            result += bytes[copied..<place]
            result += name
            holdsSecret = holdsSecret || name == Self.secretName
            place = max(plainEnd, end)
            copied = place
        }
        return copied == 0 ? (bytes, false) : (result + bytes[copied...], holdsSecret)
    }

    /// Those that are hidden there; of one address with two names the service's own comes first.
    private static func ordered(_ patterns: [Pattern], askedOf service: String?) -> [Pattern] {
        let hidden = patterns.filter { $0.isHidden(of: service) }
        guard let service else { return hidden }
        let own = "KNOT_\(service.uppercased())_"
        // Sorting keeps no order of equals here, so that all that decides is compared.
        return hidden.enumerated().sorted { one, other in
            if one.element.bytes.count != other.element.bytes.count {
                return one.element.bytes.count > other.element.bytes.count
            }
            let isOwn = (one.element.variable?.hasPrefix(own) == true, other.element.variable?.hasPrefix(own) == true)
            return isOwn.0 != isOwn.1 ? isOwn.0 : one.offset < other.offset
        }.map(\.element)
    }

    package func scrubbed(_ text: String, askedOf service: String? = nil) -> String {
        String(decoding: scrubbed(Array(text.utf8), askedOf: service), as: UTF8.self)
    }

    /// Whether there is a secret in it; an address that is hidden is none.
    package func holdsSecret(in bytes: [UInt8]) -> Bool { replaced(bytes).holdsSecret }

    /// Whether any of it is hidden.
    package func hides(anyOf bytes: [UInt8]) -> Bool { scrubbed(bytes) != bytes }
}
