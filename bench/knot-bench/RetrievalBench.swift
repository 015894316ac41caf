import FoundationEssentials
import JSONDocument
import Retrieval
import TextEncoding

/// `knot-bench retrieval`: ranks public, judged data with no-ops, words, the encoder and hybrids, and keeps the figures.
struct RetrievalBench {
    private var shared = ProcessInfo.processInfo.environment["KNOT_SHARED"] ?? "../shared"
    private var folder = "bench/results/\(Machine.day)-\(Machine.cpuSlug)"
    private var cache = ".build/retrieval.embeddings"
    private var model: String?
    private var precisions = ["f32", "int8"]
    private var threads = Machine.cores
    private let checks: Bool
    private let takesAll: Bool
    private let usesWordsOnly: Bool

    /// Each set is searched as a catalogue on the disk as well, one after another in this folder.
    private static let catalogue = ".build/retrieval-catalogue"

    static let usage = """
        knot-bench retrieval [--check] [--all] [--words-only] [--model DIR] [--precision f32|int8] [--threads N]
            [--shared DIR] [--cache FILE] [--results DIR]
        """

    init(_ arguments: ArraySlice<String>) throws {
        let switches = ["--check", "--all", "--words-only"]
        checks = arguments.contains("--check")
        takesAll = arguments.contains("--all")
        usesWordsOnly = arguments.contains("--words-only")
        var arguments = arguments.filter { !switches.contains($0) }[...]
        while let flag = arguments.popFirst() {
            switch (flag, arguments.popFirst()) {
            case ("--shared", let value?): shared = value
            case ("--results", let value?): folder = value
            case ("--cache", let value?): cache = value
            case ("--model", let value?): model = value
            case ("--precision", let value?) where EncoderPrecision(rawValue: value) != nil: precisions = [value]
            case ("--threads", let value?): threads = Int(value) ?? threads
            default: throw BenchUsage(Self.usage)
            }
        }
    }

    /// False when data or model are missing, or when a bar was to be checked and is not met.
    func run() throws -> Bool {
        do {
            return try measure()
        } catch let error as RetrievalError {
            print(error)
            return false
        } catch let error as EmbeddingCacheError {
            print(error)
            return false
        }
    }

    private func measure() throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        let datasets = Datasets(shared: shared)
        var sets = try datasets.products() + [datasets.movies(), datasets.utterances()]
        if takesAll { sets += try [datasets.movies(allQueries: true), datasets.utterances(allQueries: true)] }
        let known = usesWordsOnly ? nil : try EmbeddingCache(limit: 20_000, file: openCache())
        let encoders = try known.map { known in
            try precisions.map { precision in
                try EncodedSets(model: model, precision: precision, threads: threads, cache: known)
            }
        }
        var figures: [RetrievalFigure] = []
        for set in sets {
            var run = RetrievalRun(set)
            for encoder in encoders ?? [] { try encoder.encode(set, into: &run, folder: Self.catalogue) }
            figures += try RetrievalFigure.all(run, of: set)
            print("\(set.name): \(set.topics.count) queries after \(clock.now - start)")
        }
        for note in known?.notes ?? [] { print(note) }
        if let counts = known?.counts {
            print("embeddings: \(counts.misses) made, \(counts.fileHits) from \(cache)")
        }
        let names = encoders.map { $0.map(\.name).joined(separator: ", ") } ?? "no encoder"
        let heading =
            "\(Machine.cpu), \(Machine.cores) cores; Swift \(Machine.compiler), commit \(Machine.commit); models: \(names)."
        let report = RetrievalReport(heading: heading, sets: sets, figures: figures)
        try keep(report, models: names)
        print(report.barTable)
        print("took \(clock.now - start); kept in \(folder)/retrieval.md")
        return !checks || report.isFine
    }

    /// Somebody else may be writing it: then it is read.
    private func openCache() throws -> EmbeddingCacheFile {
        do throws(EmbeddingCacheError) {
            return try EmbeddingCacheFile(path: cache, for: .appending)
        } catch {
            guard error.code == .inUse else { throw error }
            print(error)
            return try EmbeddingCacheFile(path: cache, for: .reading)
        }
    }

    private func keep(_ report: RetrievalReport, models: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(report.markdown.utf8).write(to: URL(filePath: "\(folder)/retrieval.md"), options: .atomic)
        var lines: [UInt8] = []
        for figure in report.figures {
            var members = figure.json.object?.members ?? []
            members.append(JSONObject.Member(name: "models", value: .string(models)))
            members.append(JSONObject.Member(name: "commit", value: .string(Machine.commit)))
            lines += JSONWriter.bytes(.object(JSONObject(members))) + [0x0A]
        }
        try Data(lines).write(to: URL(filePath: "\(folder)/retrieval.jsonl"), options: .atomic)
    }
}
