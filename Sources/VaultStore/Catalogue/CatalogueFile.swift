import FoundationEssentials
import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph

/// A catalogue in a file as a provider: one candidate a line, with the fields of a fixture's, searched by words.
package struct CatalogueFile: CandidateProvider {
    package static let mostBytes = 64 << 20
    package static let mostItems = 50_000

    private let index: CatalogueIndex

    package var candidates: [Candidate] { index.candidates }

    /// Reads a file, or throws with every problem in it.
    package init(path: String) throws(CatalogueFileError) {
        try self.init(Self.bytes(path), name: path)
    }

    /// Reads lines of JSON; blank ones say nothing.
    package init(_ bytes: [UInt8], name: String) throws(CatalogueFileError) {
        guard bytes.count <= Self.mostBytes else {
            throw CatalogueFileError(.tooLarge, file: name, "is larger than \(Self.mostBytes >> 20) MiB")
        }
        var candidates: [Candidate] = []
        var problems: [JSONProblem] = []
        var lines: [CandidateID: Int] = [:]
        for (place, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            let number = place + 1
            let read = Self.read(Array(line), number)
            problems += read.problems
            guard let candidate = read.candidate else { continue }
            if let first = lines[candidate.id] {
                let message = "\"\(candidate.id)\" is on line \(first) already"
                problems.append(JSONProblem(path: "line \(number): $.id", message: message))
                continue
            }
            lines[candidate.id] = number
            candidates.append(candidate)
        }
        guard problems.isEmpty else {
            let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
            throw CatalogueFileError(.malformed, file: name, "has \(count)", problems: problems)
        }
        guard candidates.count <= Self.mostItems else {
            throw CatalogueFileError(.tooLarge, file: name, "has more than \(Self.mostItems) items")
        }
        index = CatalogueIndex(candidates)
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let wish = CatalogueWish(query)
        // Of words of which nothing is known nothing can be ruled out: without any, the file's order is the answer.
        let ranked =
            wish.phrases.isEmpty
            ? Array(index.candidates.indices)
            : RankFusion.merge(index.rankings(for: wish.phrases), count: index.candidates.count)
        let found = ranked.lazy.map { index.candidates[$0] }.filter { wish.allows($0) }.prefix(wish.limit)
        guard found.count < wish.limit else { return Array(found) }
        // Where all there is fits into the answer, words give the order and leave nothing out, as with a vault's own.
        let all = index.candidates.filter { wish.allows($0) }
        guard all.count <= wish.limit else { return Array(found) }
        let ids = Set(found.map(\.id))
        return Array(found) + all.filter { !ids.contains($0.id) }
    }

    private static func read(_ line: [UInt8], _ number: Int) -> (candidate: Candidate?, problems: [JSONProblem]) {
        do throws(JSONSyntaxError) {
            let reader = JSONReader(try JSONParser.parse(line), path: "line \(number): $")
            let candidate = Candidate(reading: reader)
            return (candidate, reader.problems.list)
        } catch {
            let problem = JSONProblem(path: "line \(number), column \(error.column)", message: error.message)
            return (nil, [problem])
        }
    }

    private static func bytes(_ path: String) throws(CatalogueFileError) -> [UInt8] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
            throw CatalogueFileError(.missing, file: path, "there is no such file")
        }
        do {
            return Array(try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe))
        } catch {
            throw CatalogueFileError(.unreadable, file: path, "cannot be read")
        }
    }
}
