import Console
import Digest
import FileInput
import FoundationEssentials
import HintRules
package import JSONDocument
import KnotDomain
import Recommendation
import Threads

/// Reads fixtures and what stands beside them from files.
package struct FixtureLoader: Sendable {
    private let readings: ReadingsChoice
    private let ratesFile: String?

    package init(readings: ReadingsChoice = .beside, ratesFile: String? = nil) {
        self.readings = readings
        self.ratesFile = ratesFile
    }

    package func load(_ path: String) throws(FixtureError) -> FixtureCase {
        let url = URL(filePath: path)
        let stem = url.deletingPathExtension().lastPathComponent
        // Nothing lies beside standard input.
        let folder = FileContents.isStandardInput(path) ? nil : url.deletingLastPathComponent().path
        let bytes = try Self.bytes(path)
        let fixture = try Self.document(bytes, path) { Fixture(reading: $0) }
        let (reader, readingBytes) = try reader(stem: stem, folder: folder, of: fixture.vault)
        let (rates, ratesBytes) = try rates(folder: folder)
        let digest = SHA256Digest(
            of: [bytes, readingBytes, ratesBytes].flatMap { SHA256Digest(of: $0).bytes }
        )
        return FixtureCase(
            stem: stem,
            fixture: fixture,
            reader: reader,
            rates: rates,
            digest: digest.hex,
            occasion: fixture.request.map(OccasionChoice.init) ?? .tier(.justBecause)
        )
    }

    /// The fixtures in the order of their files, read on so many threads; of several faults the first file's is thrown, with
    /// the others.
    package func load(_ paths: [String], threads: Int) throws(FixtureError) -> [FixtureCase] {
        let parts = ThreadParts.map(ThreadParts.split(paths.count, into: threads)) { part in
            paths[part].map { path in Result { () throws(FixtureError) in try load(path) } }
        }
        var cases: [FixtureCase] = []
        var faults: [FixtureError] = []
        for result in parts.joined() {
            switch result {
            case .success(let one): cases.append(one)
            case .failure(let fault): faults.append(fault)
            }
        }
        guard var first = faults.first else { return cases }
        first.others = Array(faults.dropFirst())
        throw first
    }

    /// The fixture files of a folder by name; readings and rates lie beside them and are none.
    package static func files(in folder: String) throws(FixtureError) -> [String] {
        try names(in: folder, ending: ".json").filter { $0 != "rates.json" }.map { "\(folder)/\($0)" }
    }

    func reader(stem: String, folder: String?, of vault: Vault) throws(FixtureError) -> (any HintReader, [UInt8]) {
        let known = Set(vault.hints.map(\.id))
        func recorded(_ path: String) throws(FixtureError) -> (any HintReader, [UInt8]) {
            let bytes = try Self.bytes(path)
            let reading = try Self.document(bytes, path) { VaultReading(reading: $0, knownHints: known) }
            return (RecordedReader(reading), bytes)
        }
        switch readings {
        case .rules: return (RulesReader(), [])
        case .beside:
            guard let folder else { return (RulesReader(), []) }
            let path = "\(folder)/readings/\(stem).json"
            return FileManager.default.fileExists(atPath: path) ? try recorded(path) : (RulesReader(), [])
        case .path(let path):
            var isFolder = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            return try recorded(isFolder ? "\(path)/\(stem).json" : path)
        }
    }

    package static func recordings(in folder: String) throws(FixtureError) -> [String] {
        try names(in: folder, ending: ".cassette").map { "\(folder)/\($0)" }
    }

    /// The names of a folder; one of them that no text can hold is told and never passed over.
    private static func names(in folder: String, ending: String) throws(FixtureError) -> [String] {
        let contents: FolderContents
        do throws(FileFault) {
            contents = try FolderContents(of: folder)
        } catch {
            let fault = error.code == .missing ? FileFault(.missing, "there is no such folder") : error
            throw FixtureError(fault, file: folder)
        }
        if let odd = contents.unspeakable.first(where: { $0.hasSuffix(ending) }) {
            throw FixtureError(.malformed, file: "\(folder)/\(odd)", "has a name that is not UTF-8")
        }
        let names = contents.names.filter { $0.hasSuffix(ending) }
        // Whoever opened a pipe would wait for somebody to write to it.
        if let odd = names.first(where: { FileStatus(path: "\(folder)/\($0)")?.kind == .other }) {
            throw FixtureError(.malformed, file: "\(folder)/\(odd)", "is a pipe or a device and no file")
        }
        return names
    }

    private func rates(folder: String?) throws(FixtureError) -> (Rates, [UInt8]) {
        let beside = folder.map { "\($0)/rates.json" }.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
        guard let path = ratesFile ?? beside else {
            return (.embedded, [])
        }
        let bytes = try Self.bytes(path)
        let name = URL(filePath: path).lastPathComponent
        return (try Self.document(bytes, path) { Rates(reading: $0, source: name) }, bytes)
    }

    package static func bytes(_ path: String) throws(FixtureError) -> [UInt8] {
        do throws(FileFault) {
            return try FileContents.read(path)
        } catch {
            throw FixtureError(error, file: path)
        }
    }

    /// Parses a document and reports every problem in it.
    package static func document<Value>(
        _ bytes: [UInt8],
        _ path: String,
        _ read: (JSONReader) -> Value?
    ) throws(FixtureError) -> Value {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw FixtureError(
                .malformed,
                file: path,
                "is not JSON",
                problems: [JSONProblem(path: "line \(error.line), column \(error.column)", message: error.message)]
            )
        }
        let reader = JSONReader(value)
        guard let result = read(reader), reader.problems.list.isEmpty else {
            let count = reader.problems.list.count
            throw FixtureError(
                .malformed,
                file: path,
                "has \(count) problem\(count == 1 ? "" : "s")",
                problems: reader.problems.list
            )
        }
        return result
    }
}

/// Why a fixture, its readings or its rates cannot be used.
package struct FixtureError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case missing
        case notPermitted = "not_permitted"
        case unreadable
        case malformed
    }

    package let code: Code
    package let file: String
    package let message: String
    package let problems: [JSONProblem]
    /// What is wrong with other files of the same call.
    package internal(set) var others: [FixtureError] = []

    package init(_ code: Code, file: String, _ message: String, problems: [JSONProblem] = []) {
        self.code = code
        self.file = file
        self.message = message
        self.problems = problems
    }

    package var description: String { "\(file): \(message)" }
}

extension FixtureError {
    /// A file that could not be read.
    init(_ fault: FileFault, file: String) {
        let code: Code =
            switch fault.code {
            case .missing, .folder: .missing
            case .notPermitted: .notPermitted
            case .tooLarge: .malformed
            case .failed: .unreadable
            }
        self.init(code, file: file, fault.message)
    }
}

/// Where readings come from.
package enum ReadingsChoice: Sendable, Hashable {
    /// Recorded ones beside the fixture where there are any, else the rules.
    case beside
    case rules
    /// A file, or a folder with one file for each fixture.
    case path(String)
}
