import FileInput
import HTTPClient

/// Settings that are missing or wrong, all of them at once; no value is shown.
package struct DeliverySettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        package let variable: String
        /// As it stands in a sentence about the variable.
        package let message: String

        package var description: String { "\(variable) \(message)" }
    }

    package let problems: [Problem]

    package var description: String {
        "Notices cannot be delivered: " + problems.map(\.description).joined(separator: "; ") + "."
    }
}

/// Reads settings out of variables, or out of the files they name, and notes what is wrong with them.
struct DeliverySettings {
    private let values: (String) -> Result<Secret?, Secret.Unreadable>
    private(set) var problems: [DeliverySettingsError.Problem] = []

    init(_ variable: (String) -> String?) {
        var known: [String: Result<Secret?, Secret.Unreadable>] = [:]
        for name in DeliveryWays.variables.map(\.name) {
            do throws(Secret.Unreadable) {
                known[name] = .success(try Secret.named(name, in: variable))
            } catch {
                known[name] = .failure(error)
            }
        }
        values = { [known] in known[$0] ?? .success(nil) }
    }

    mutating func note(_ variable: String, _ message: String) {
        problems.append(.init(variable: variable, message: message))
    }

    private mutating func value(_ variable: String) -> Secret? {
        switch values(variable) {
        case .success(let value): return value
        case .failure(let error):
            problems.append(.init(variable: error.variable, message: "gives nothing: \(error.reason)"))
            return nil
        }
    }

    mutating func optional(_ variable: String) -> String? { value(variable)?.exposed }

    mutating func required(_ variable: String) -> String? {
        let before = problems.count
        let value = value(variable)?.exposed
        if value == nil, problems.count == before { note(variable, "is not set") }
        return value
    }

    /// A secret of at least so many bytes; nil where none is set.
    mutating func optional(secret variable: String, bytes: Int) -> Secret? {
        guard let value = value(variable) else { return nil }
        if value.exposed.utf8.count < bytes { note(variable, "has fewer than \(bytes) bytes: take a longer one") }
        return value
    }

    mutating func required(secret variable: String, bytes: Int) -> Secret? {
        let before = problems.count
        let value = optional(secret: variable, bytes: bytes)
        if value == nil, problems.count == before { note(variable, "is not set, and \(variable)_FILE names no file") }
        return value
    }

    mutating func choice(_ variable: String, among all: [String], default standard: String?) -> String? {
        guard let value = standard == nil ? required(variable) : optional(variable) ?? standard else { return nil }
        if all.contains(value) { return value }
        note(variable, "is none of \(all.joined(separator: ", "))")
        return nil
    }

    mutating func count(_ variable: String, in range: ClosedRange<Int>, default standard: Int) -> Int {
        guard let text = optional(variable) else { return standard }
        if let value = Int(text), range.contains(value) { return value }
        note(variable, "is no number from \(range.lowerBound) to \(range.upperBound)")
        return standard
    }

    mutating func url(_ variable: String) -> HTTPURL? {
        guard let text = required(variable) else { return nil }
        do throws(HTTPURL.Refusal) {
            return try HTTPURL(text)
        } catch {
            note(variable, "is no address: \(error.rawValue)")
            return nil
        }
    }

    /// Letters and digits, so many.
    mutating func word(_ variable: String, of length: Int) -> String? {
        guard let text = required(variable) else { return nil }
        if text.utf8.count == length, text.utf8.allSatisfy(Self.isWordByte) { return text }
        note(variable, "is not \(length) letters and digits")
        return nil
    }

    /// A bundle id: letters, digits, hyphens and dots.
    mutating func topic(_ variable: String) -> String? {
        guard let text = required(variable) else { return nil }
        if text.utf8.count <= 255, text.utf8.allSatisfy({ Self.isWordByte($0) || $0 == 0x2D || $0 == 0x2E }) {
            return text
        }
        note(variable, "is no bundle id, such as com.example.app")
        return nil
    }

    /// The path of a file that can be read; nil where none is named.
    mutating func file(_ variable: String) -> String? {
        guard let path = optional(variable) else { return nil }
        do throws(FileFault) {
            try FileContents.look(at: path, takesFolders: false)
            return path
        } catch {
            note(variable, "names a file that cannot be used: \(error.message)")
            return nil
        }
    }

    mutating func client(_ authorities: String?) -> HTTPClient? {
        do throws(HTTPFailure) {
            return try HTTPClient(.init(authorities: authorities))
        } catch {
            note("KNOT_DELIVERY", "cannot be used: \(error)")
            return nil
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
