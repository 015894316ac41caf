import Digest
package import HTTPClient
import JSONDocument
package import KnotDomain
package import StageGraph

/// What services and pages answered in a live run, enough to make the run again without network and keys.
///
/// It has no keys, no tokens, no addresses that were configured, and of what was asked only a digest and the names of
/// parameters. What the services answered is there in their own words.
package struct TrafficTape: Sendable, Equatable {
    /// What came back of one call.
    package enum Answer: Sendable, Equatable {
        case reply(TapedReply)
        case failure(HTTPFailure)
        /// The run did not wait for what came back.
        case none
    }

    package enum Entry: Sendable, Equatable {
        /// A call, by its digest; `asked` is the method and the place, then the names of what it was asked by.
        case call(service: String, digest: String, asked: [String], Answer)
        /// The addresses of a name.
        case addresses(of: String, [String])
        /// A look at a page that came to nothing, whatever was sent for it.
        case failedLook(url: String, StageFailure)
    }

    /// The services that were set up, with what sets each up besides keys and addresses.
    package let services: [ProviderName: [String: String]]
    /// The origins that pages need no vetting at; nil where no pages were looked at.
    package let pages: [String]?
    package let entries: [Entry]

    package init(services: [ProviderName: [String: String]], pages: [String]?, entries: [Entry]) {
        self.services = services
        self.pages = pages
        self.entries = entries
    }
}

/// A reply as it is written down.
package struct TapedReply: Sendable, Equatable {
    package let status: Int
    /// The few that adapters read, by their names in small letters.
    package let headers: [String: String]
    package let body: [UInt8]
    package let isCut: Bool
    /// Seconds that it had been kept for, where it was not new.
    package let age: Int?

    package init(status: Int, headers: [String: String], body: [UInt8], isCut: Bool, age: Int?) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isCut = isCut
        self.age = age
    }

    package var response: HTTPResponse {
        var response = HTTPResponse(
            status: status,
            headers: HTTPHeaders(headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }),
            body: body,
            isCut: isCut
        )
        response.age = age.map { .seconds($0) }
        return response
    }
}

/// Why a tape cannot be used.
package struct TrafficTapeError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The end of the file is missing.
        case torn
        /// The bytes are not those that were written.
        case corrupt
        /// It is no tape, or one of another version.
        case foreign
    }

    package let code: Code
    /// Counted from 1.
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
}

extension TrafficTape {
    static let schema = "knot.traffic/1"

    /// One line for the header, one for each entry, and one with the digest of all before it.
    package func ndjson() -> [UInt8] {
        let setUp = services.sorted { $0.key.rawValue < $1.key.rawValue }.map { service, variables in
            JSONObject.Member(name: service.rawValue, value: Self.object(variables))
        }
        let header: JSONValue = [
            "schema": .string(Self.schema), "private": true, "pages": pages.map { JSONValue($0) } ?? .null,
            "services": .object(JSONObject(setUp)),
        ]
        var output: [UInt8] = []
        for value in [header] + entries.map(\.json) {
            output += JSONWriter.bytes(value, style: .compact)
            output.append(0x0A)
        }
        let footer: JSONValue = [
            "entries": .integer(entries.count), "sha256": .string(SHA256Digest(of: output).hex),
        ]
        return output + JSONWriter.bytes(footer, style: .compact) + [0x0A]
    }

    static func object(_ texts: [String: String]) -> JSONValue {
        let sorted = texts.sorted { $0.key < $1.key }
        return .object(JSONObject(sorted.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
    }

    static func texts(_ value: JSONValue?) -> [String: String] {
        guard let object = value?.object else { return [:] }
        return Dictionary(object.names.compactMap { name in object[name]?.string.map { (name, $0) } }) { $1 }
    }

    /// Reads what `ndjson` wrote; a file that was cut short or changed is refused with the line that shows it.
    package init(ndjson bytes: [UInt8]) throws(TrafficTapeError) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = lines.first, !first.isEmpty else {
            throw TrafficTapeError(code: .foreign, line: 1, message: "the file is empty")
        }
        let header = try Self.parse(first, line: 1, isLast: lines.count == 1)
        guard let schema = header["schema"]?.string, schema.hasPrefix("knot.traffic/") else {
            throw TrafficTapeError(code: .foreign, line: 1, message: "this is no recorded traffic")
        }
        guard schema == Self.schema else {
            let message = "this is traffic of another version than \(Self.schema)"
            throw TrafficTapeError(code: .foreign, line: 1, message: message)
        }
        let place = lines.count - 1
        guard lines.count >= 3, lines.last?.isEmpty == true else {
            let message = "it ends before its last line: it was cut short"
            throw TrafficTapeError(code: .torn, line: lines.count, message: message)
        }
        let footer = try Self.parse(lines[place - 1], line: place, isLast: true)
        guard let digest = footer["sha256"]?.string, let count = footer["entries"]?.int else {
            let message = "the line with the digest is missing: it was cut short"
            throw TrafficTapeError(code: .torn, line: place, message: message)
        }
        guard SHA256Digest(of: Array(bytes[..<lines[place - 1].startIndex])).hex == digest else {
            throw TrafficTapeError(code: .corrupt, line: place, message: "the digest does not fit: it was changed")
        }
        var entries: [Entry] = []
        for number in 1..<(place - 1) {
            guard let entry = Entry(json: try Self.parse(lines[number], line: number + 1, isLast: false)) else {
                throw TrafficTapeError(code: .corrupt, line: number + 1, message: "this line is no call")
            }
            entries.append(entry)
        }
        guard entries.count == count else {
            throw TrafficTapeError(code: .corrupt, line: place, message: "the number of its lines does not fit")
        }
        var services: [ProviderName: [String: String]] = [:]
        for name in header["services"]?.object?.names ?? [] {
            if let service = ProviderName(rawValue: name) { services[service] = Self.texts(header["services"]?[name]) }
        }
        self.init(services: services, pages: header["pages"]?.array.map { $0.compactMap(\.string) }, entries: entries)
    }

    private static func parse(
        _ line: ArraySlice<UInt8>,
        line number: Int,
        isLast: Bool
    ) throws(TrafficTapeError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(line))
        } catch {
            let message = "column \(error.column): \(error.message)"
            throw TrafficTapeError(code: isLast ? .torn : .corrupt, line: number, message: message)
        }
    }
}
