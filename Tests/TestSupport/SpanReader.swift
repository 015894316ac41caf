package import Foundation
package import JSONDocument

/// An independent reader of OTLP/JSON: protobuf's own, with the definitions of OpenTelemetry, in Python.
package enum SpanReader {
    package static let absence = "set-up installs the reader of OpenTelemetry: .ci/setup tests"

    private static let program = Repository.root.appending(path: "Tests/TracingTests/read_spans.py").path
    private static let folder = "otlp-1.45.2"

    /// Where set-up has put it.
    private static var modules: String? {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/nonexistent") + "/.cache"
        let caches = [environment["KNOT_CACHE"], home + "/knot-recommend", "/var/cache/knot-recommend"]
        return caches.compactMap { $0.map { "\($0)/\(folder)" } }.first {
            FileManager.default.fileExists(atPath: $0 + "/opentelemetry")
        }
    }

    package static var isHere: Bool { modules != nil }

    /// What it found in a file of spans; throws where it refuses a line.
    package static func read(_ file: URL) throws -> JSONValue {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", program, file.path]
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "PYTHONPATH": modules ?? ""]
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Refusal(description: String(decoding: words.suffix(600), as: UTF8.self))
        }
        return try JSONParser.parse([UInt8](bytes))
    }

    /// Why it refused a line.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }
}
