import FileInput
package import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph
import TextReading
package import VectorSearch

/// A catalogue in a file as a provider: one candidate a line, with the fields of a fixture's.
///
/// It is searched by words, and by meaning too once its items have their vectors. What its line says to be gone is not in it.
package struct CatalogueFile: CandidateProvider {
    package static let mostBytes = 64 << 20
    package static let mostItems = 50_000
    /// A line holds the item of any provider, by its name.
    package var capabilities: [ProviderCapability] {
        ProviderCapability.known(besides: indexed.providers).map(\.inProcess)
    }

    package let candidates: [Candidate]
    /// By what of them may be searched.
    package let indexed: IndexedCatalogue
    private let places: [CandidateID: Int]
    /// Of whose pages nobody knows what they say.
    private let blocked: Set<CandidateID>
    private let phrases = CleanPhrases()

    /// Reads a file, or throws with every problem in it.
    package init(path: String) throws(CatalogueFileError) {
        let bytes = try Self.bytes(path)
        guard !path.lowercased().hasSuffix(".csv") || !Self.isTable(bytes) else {
            throw CatalogueFileError(
                .malformed,
                file: path,
                "is a table, and lines of JSON are needed; of a table, knot-recommend catalogue build makes a folder"
            )
        }
        try self.init(bytes, name: path)
    }

    /// Reads lines of JSON; blank ones say nothing.
    package init(_ bytes: [UInt8], name: String) throws(CatalogueFileError) {
        guard bytes.count <= Self.mostBytes else {
            throw CatalogueFileError(.tooLarge, file: name, "is larger than \(Self.mostBytes >> 20) MiB")
        }
        var candidates: [Candidate] = []
        var blocked: Set<CandidateID> = []
        var problems: [JSONProblem] = []
        var lines: [CandidateID: Int] = [:]
        for (place, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            let number = place + 1
            let read = Self.read(Array(line), number)
            problems += read.problems
            guard let offer = read.offer else { continue }
            let candidate = offer.candidate
            if let first = lines[candidate.id] {
                let message = "\"\(candidate.id)\" is on line \(first) already"
                problems.append(JSONProblem(path: "line \(number): $.id", message: message))
                continue
            }
            lines[candidate.id] = number
            if let available = offer.available { candidates.append(available) }
            if offer.isBlocked { blocked.insert(candidate.id) }
        }
        guard problems.isEmpty else {
            let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
            throw CatalogueFileError(.malformed, file: name, "has \(count)", problems: problems)
        }
        guard candidates.count <= Self.mostItems else {
            throw CatalogueFileError(.tooLarge, file: name, "has more than \(Self.mostItems) items")
        }
        try self.init(candidates, blocked, name: name)
    }

    private init(
        _ candidates: [Candidate],
        _ blocked: Set<CandidateID>,
        vectors: [Embedding?] = [],
        model: String? = nil,
        name: String
    ) throws(CatalogueFileError) {
        self.candidates = candidates
        self.blocked = blocked
        places = Dictionary(candidates.indices.map { (candidates[$0].id, $0) }) { first, _ in first }
        do throws(VectorSearchError) {
            indexed = try IndexedCatalogue(candidates, vectors: vectors, model: model)
        } catch {
            throw CatalogueFileError(.unsearchable, file: name, "cannot be made ready: \(error)")
        }
    }

    /// What an encoder gets of each item, in the items' order.
    package var texts: [String] { candidates.map { MeaningText.of($0) } }

    /// The same file with a vector of the model for each item, or nil where it has none.
    package func with(
        _ vectors: [Embedding?],
        model: String,
        name: String
    ) throws(CatalogueFileError) -> CatalogueFile {
        try CatalogueFile(candidates, blocked, vectors: vectors, model: model, name: name)
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await candidates(for: query, embedder: nil)
    }

    /// The answer by words, and by the embedder's vectors of the query's phrases where items have vectors of its model.
    package func candidates(
        for query: ProviderQuery,
        embedder: (any TextEmbedder)?
    ) async throws(StageFailure) -> [Candidate] {
        let wanted = CatalogueQuery(query, clean: phrases)
        guard wanted.limit > 0, let index = indexed[wanted.provider] else { return [] }
        let all = index.places(allowedBy: wanted)
        // Unknown words never exclude an item: without any phrase, the file's order is the answer.
        guard !wanted.phrases.isEmpty else { return try wanted.best(of: all.lazy.map { index.candidates[$0] }) }
        let found = try index.found(for: try await wanted.embeddedPhrases(embedder, for: [index]))
        // Where all there is fits into the answer, it is ordered and nothing left out, as with a vault's own.
        let isWhole = all.count <= wanted.limit
        var isOpen = [Bool](repeating: false, count: index.candidates.count)
        for place in all { isOpen[place] = true }
        var order: [Int] = []
        for hit in found where isOpen[hit.place] {
            order.append(hit.place)
            isOpen[hit.place] = false
        }
        let others = all.lazy.filter { isOpen[$0] }
        if isWhole { return try wanted.best(of: (order + others).lazy.map { index.candidates[$0] }) }
        return try wanted.best(of: order.lazy.map { index.candidates[$0] }) { others.map { index.candidates[$0] } }
    }

    /// The item with an id; nil where there is none that can be had.
    func item(withID id: CandidateID) -> CatalogueItem? {
        places[id].map { CatalogueItem(candidates[$0], isBlocked: blocked.contains(id)) }
    }

    private static func read(_ line: [UInt8], _ number: Int) -> (offer: CatalogueOffer?, problems: [JSONProblem]) {
        do throws(JSONSyntaxError) {
            let reader = JSONReader(try JSONParser.parse(line), path: "line \(number): $")
            let offer = CatalogueOffer(reading: reader)
            return (offer, reader.problems.list)
        } catch {
            let problem = JSONProblem(path: "line \(number), column \(error.column)", message: error.message)
            return (nil, [problem])
        }
    }

    /// Whether something else begins than an object.
    private static func isTable(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 != UInt8(ascii: "{") } ?? false
    }

    private static func bytes(_ path: String) throws(CatalogueFileError) -> [UInt8] {
        do throws(FileFault) {
            return try FileContents.read(path, limit: mostBytes)
        } catch {
            throw CatalogueFileError(error, file: path)
        }
    }
}

/// Why a catalogue's file cannot be used.
package struct CatalogueFileError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case missing
        case unreadable
        case notPermitted = "not_permitted"
        case malformed
        /// More bytes or items than a file may have; a table takes more.
        case tooLarge = "too_large"
        /// There is no room to make it ready for searching.
        case unsearchable
    }

    package let code: Code
    package let file: String
    package let message: String
    /// Each with its line: `line 3: $.title`.
    package let problems: [JSONProblem]

    package init(_ code: Code, file: String, _ message: String, problems: [JSONProblem] = []) {
        self.code = code
        self.file = file
        self.message = message
        self.problems = problems
    }

    /// A file that cannot be read.
    init(_ fault: FileFault, file: String) {
        let code: Code =
            switch fault.code {
            case .missing, .folder: .missing
            case .notPermitted: .notPermitted
            case .tooLarge: .tooLarge
            case .failed: .unreadable
            }
        self.init(code, file: file, fault.message)
    }

    package var description: String { "\(file): \(message)" }
}
