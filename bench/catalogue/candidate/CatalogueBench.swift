import Catalogue
import Glibc
import JSONDocument
import KnotDomain
import VectorSearch

/// Makes catalogues of a seed and measures searching them.
///
///     knot-catalogue-bench files FOLDER OFFERS     offers.jsonl and vectors.knot, as somebody else would bring them
///     knot-catalogue-bench make FOLDER OFFERS [MODEL]   a catalogue, straight from the generator
///     knot-catalogue-bench search FOLDER VAULTS [THREADS]
///     knot-catalogue-bench questions FOLDER VAULTS   what others are asked beside it, with its own answers and times
///     knot-catalogue-bench selectivity FOLDER ROUNDS
///     knot-catalogue-bench prove FOLDER OFFERS FILTERS [SEED]
///     knot-catalogue-bench cold FOLDER OFFERS SEARCHES   proves searches of which nothing is in memory, and times them
///     knot-catalogue-bench hidden FOLDER OTHERS FIXTURES TEXTS...
///
/// A result is one line of JSON.
@main
struct CatalogueBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let count = Int(arguments[3]) else {
            print("usage: knot-catalogue-bench files|make|search|questions|selectivity|prove|cold|hidden FOLDER COUNT")
            exit(64)
        }
        let fourth = arguments.count > 4 ? Int(arguments[4]) : nil
        switch arguments[1] {
        case "files": try files(arguments[2], count)
        case "make": try make(arguments[2], count, model: arguments.count > 4 ? arguments[4] : GeneratedOffers.ownModel)
        case "questions": try QuestionsBench.run(folder: arguments[2], vaults: count)
        case "selectivity": try SelectivityBench.run(folder: arguments[2], rounds: count)
        case "prove":
            let seed = arguments.count > 5 ? UInt64(arguments[5]) ?? 1 : 1
            try FilterProof.run(folder: arguments[2], offers: count, filters: fourth ?? 1_000, seed: seed)
        case "cold": try ColdProof.run(folder: arguments[2], offers: count, searches: fourth ?? 40)
        case "hidden" where arguments.count > 5:
            let bench = try HiddenBench(folder: arguments[2], fixtures: arguments[4])
            try await bench.run(others: count, texts: Array(arguments[5...]))
        default: try search(arguments[2], vaults: count, threads: fourth ?? 1)
        }
    }

    private static let batch = 8_192

    private static func make(_ folder: String, _ count: Int, model: String) throws {
        var source = GeneratedOffers(seed: 20_261_123, model: model)
        let clock = ContinuousClock()
        let writer = try CatalogueWriter(folder: folder, startsAnew: true, threads: 2)
        var generating = Duration.zero
        var building = Duration.zero
        for start in stride(from: 0, to: count, by: batch) {
            var items: [CatalogueItem] = []
            generating += clock.measure { items = source.items(start..<min(start + batch, count)) }
            building += try clock.measure { try writer.add(items) }
        }
        building += try clock.measure { try writer.commit() }
        report([
            "offers": .integer(count), "generating_s": .number(seconds(generating)),
            "building_s": .number(seconds(building)), "most_mib": .integer(mostMemory()),
        ])
    }

    /// The same offers in files: lines of JSON, a file of embeddings with their ids, and the embeddings' bare floats.
    private static func files(_ folder: String, _ count: Int) throws {
        _ = unsafe mkdir(folder, 0o777)
        var source = GeneratedOffers(seed: 20_261_123)
        guard let lines = unsafe fopen(folder + "/offers.jsonl", "w"),
            let floats = unsafe fopen(folder + "/vectors.f32", "w")
        else { exit(73) }
        var matrix = try EmbeddingMatrix(
            model: GeneratedOffers.ownModel,
            dimension: GeneratedOffers.dimension,
            capacity: count
        )
        for start in stride(from: 0, to: count, by: batch) {
            for item in source.items(start..<min(start + batch, count)) {
                var line = JSONWriter.bytes(item.candidate.json)
                line.append(0x0A)
                _ = unsafe fwrite(line, 1, line.count, lines)
                if let vector = item.vector {
                    let values = Array(vector.values.prefix(GeneratedOffers.dimension))
                    try matrix.append(values.span, id: item.candidate.id.text)
                    _ = unsafe fwrite(values, MemoryLayout<Float>.size, values.count, floats)
                }
            }
        }
        _ = unsafe fclose(lines)
        _ = unsafe fclose(floats)
        try ExactIndex(matrix, usesCodes: false).write(to: folder + "/vectors.knot")
    }

    private static func search(_ folder: String, vaults: Int, threads: Int) throws {
        let clock = ContinuousClock()
        var snapshot = try CatalogueSnapshot(folder: folder)
        let openings = try (0..<9).map { _ in try clock.measure { snapshot = try CatalogueSnapshot(folder: folder) } }
        var source = GeneratedOffers(seed: 7)
        var walls: [Double] = []
        var processor: [Double] = []
        var parts: [String: [Double]] = ["words": [], "meaning": [], "unfiltered": [], "items": []]
        var shares: [Double] = []
        for vault in 0..<vaults + 3 {
            var query = SnapshotQuery(source.phrases(24))
            query.filter = source.filter()
            query.threads = threads
            query.limit = 600
            let start = cpuTime()
            var answer: SnapshotAnswer?
            let wall = try clock.measure { answer = try snapshot.search(query) }
            let used = cpuTime() - start
            guard let answer, vault >= 3 else { continue }
            walls.append(seconds(wall) * 1_000)
            processor.append(used * 1_000)
            shares.append(Double(answer.allowed) / Double(snapshot.count))
            parts["items"]?.append(seconds(try clock.measure { _ = try snapshot.offers(answer.hits) }) * 1_000)
            var words = query
            words.phrases = query.phrases.map { CatalogueIndex.Phrase(text: $0.text, vector: nil) }
            parts["words"]?.append(seconds(try clock.measure { _ = try snapshot.search(words) }) * 1_000)
            var meaning = query
            meaning.phrases = query.phrases.map { CatalogueIndex.Phrase(text: "", vector: $0.vector) }
            parts["meaning"]?.append(seconds(try clock.measure { _ = try snapshot.search(meaning) }) * 1_000)
            var open = query
            open.filter = CatalogueFilter()
            parts["unfiltered"]?.append(seconds(try clock.measure { _ = try snapshot.search(open) }) * 1_000)
        }
        report([
            "offers": .integer(snapshot.count), "vaults": .integer(vaults), "threads": .integer(threads),
            "segments": .integer(snapshot.segmentCount),
            "open_ms": .number(median(openings.map { seconds($0) * 1_000 })),
            "search_ms": .number(median(walls)), "search_ms_most": .number(walls.max() ?? 0),
            "cpu_ms": .number(median(processor)), "allowed_share": .number(median(shares)),
            "words_ms": .number(median(parts["words"] ?? [])), "meaning_ms": .number(median(parts["meaning"] ?? [])),
            "unfiltered_ms": .number(median(parts["unfiltered"] ?? [])),
            "items_ms": .number(median(parts["items"] ?? [])), "most_mib": .integer(mostMemory()),
        ])
    }

    static func report(_ value: JSONValue) { print(JSONWriter.text(value)) }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    /// Processor time of all threads of this process.
    static func cpuTime() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func mostMemory() -> Int {
        var usage = rusage()
        _ = unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1_024
    }
}
