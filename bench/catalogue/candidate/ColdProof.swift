import Catalogue
import Glibc
import JSONDocument
import KnotDomain
import VectorSearch

/// Searches of a catalogue of which nothing is in memory: that they are right, and what they read of the disk.
///
/// Before each search the system is told to let go of every page of the catalogue's files, so that it comes from the disk
/// whatever memory the machine has. The offers are made again from their seed, batch after batch, so that looking at all of
/// them takes no memory either.
enum ColdProof {
    private static let batch = 8_192
    private static let seed: UInt64 = 20_261_123
    private static let depth = 50

    /// What is asked, and the best that looking at all has found so far.
    private struct Asked {
        let phrase: CatalogueIndex.Phrase
        let filter: PlainCatalogue.Filter
        var words: [(row: Int, score: Double)] = []
        var near: [(row: Int, score: Float)] = []
        var allowed = 0
    }

    /// Ends the process at the first difference.
    static func run(folder: String, offers: Int, searches: Int) throws {
        var source = GeneratedOffers(seed: 7)
        var random = SplitMix(state: 1)
        var asked = source.phrases(searches).map { Asked(phrase: $0, filter: PlainCatalogue.Filter(of: &random)) }
        let statistics = try build(folder, offers, asked.map(\.phrase))
        try lookAtAll(&asked, offers, statistics)
        let files = try files(of: folder)
        let speed = try files.map { try plainReading($0) }.reduce((bytes: 0, seconds: 0.0)) {
            ($0.bytes + $1.bytes, $0.seconds + $1.seconds)
        }
        var parts: [String: [Double]] = [:]
        for (number, asked) in asked.enumerated() {
            for file in files { try letGo(of: file) }
            let read = bytesRead()
            let (clock, used) = (ContinuousClock(), CatalogueBench.cpuTime())
            var found: [PhraseRanking] = []
            let wall = try clock.measure {
                var query = SnapshotQuery([asked.phrase])
                query.filter = asked.filter.catalogueFilter
                query.depth = depth
                found = try CatalogueSnapshot(folder: folder).rankings(query)
            }
            let bytes = Double(bytesRead() - read)
            parts["wall_s", default: []].append(CatalogueBench.seconds(wall))
            parts["cpu_s", default: []].append(CatalogueBench.cpuTime() - used)
            parts["read_mb", default: []].append(bytes / 1e6)
            parts["mb_per_s", default: []].append(bytes / 1e6 / CatalogueBench.seconds(wall))
            guard
                found[0].words.elementsEqual(asked.words, by: { $0.ordinal == UInt64($1.row) && $0.score == $1.score }),
                found[0].near.elementsEqual(
                    asked.near,
                    by: { $0.ordinal == UInt64($1.row) && Float($0.score).bitPattern == $1.score.bitPattern }
                )
            else {
                print("search \(number): it is not what looking at every offer finds")
                exit(70)
            }
        }
        func median(_ part: String) -> JSONValue { .number(CatalogueBench.median(parts[part] ?? [])) }
        func most(_ part: String) -> JSONValue { .number(parts[part]?.max() ?? 0) }
        CatalogueBench.report([
            "proof": "cold", "offers": .integer(offers), "searches": .integer(searches),
            "rankings": .integer(2 * searches), "differences": 0, "files_gb": .number(Double(speed.bytes) / 1e9),
            "plain_reading_mb_per_s": .number(Double(speed.bytes) / 1e6 / speed.seconds),
            "median_share": .number(CatalogueBench.median(asked.map { Double($0.allowed) / Double(offers) })),
            "wall_s": median("wall_s"), "most_wall_s": most("wall_s"), "cpu_s": median("cpu_s"),
            "read_mb": median("read_mb"), "most_read_mb": most("read_mb"), "mb_per_s": median("mb_per_s"),
            "anonymous_mib": .integer(anonymousMemory()),
        ])
    }

    // MARK: Looking at all

    private static func build(
        _ folder: String,
        _ offers: Int,
        _ phrases: [CatalogueIndex.Phrase]
    ) throws -> PlainCatalogue.Statistics {
        var source = GeneratedOffers(seed: seed)
        var statistics = PlainCatalogue.Statistics()
        let writer = try CatalogueWriter(folder: folder, startsAnew: true, threads: 2)
        for start in stride(from: 0, to: offers, by: batch) {
            let items = source.items(start..<min(start + batch, offers))
            var plain = PlainCatalogue()
            for item in items { plain.add(item) }
            statistics.add(plain.statistics(of: phrases))
            try writer.add(items)
        }
        try writer.commit()
        return statistics
    }

    private static func lookAtAll(
        _ asked: inout [Asked],
        _ offers: Int,
        _ statistics: PlainCatalogue.Statistics
    ) throws {
        var source = GeneratedOffers(seed: seed)
        for start in stride(from: 0, to: offers, by: batch) {
            var plain = PlainCatalogue()
            for item in source.items(start..<min(start + batch, offers)) { plain.add(item) }
            for place in asked.indices {
                let scores = plain.scores(of: asked[place].phrase, statistics)
                let isAllowed = plain.allowed(by: asked[place].filter)
                asked[place].allowed += isAllowed.count { $0 }
                let words = PlainCatalogue.best(scores.words, isAllowed, depth, above: 0)
                let near = PlainCatalogue.best(scores.cosines, isAllowed, depth)
                asked[place].words = merged(asked[place].words, words, from: start)
                asked[place].near = merged(asked[place].near, near, from: start)
            }
        }
    }

    /// The best of those so far and of later ones, whose rows begin at a number.
    private static func merged<Score: Comparable>(
        _ known: [(row: Int, score: Score)],
        _ later: [(row: Int, score: Score)],
        from start: Int
    ) -> [(row: Int, score: Score)] {
        let all = known + later.map { (row: start + $0.row, score: $0.score) }
        return Array(all.sorted { $0.score != $1.score ? $0.score > $1.score : $0.row < $1.row }.prefix(depth))
    }

    // MARK: The disk

    private static func files(of folder: String) throws -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(folder + "/segment-*", 0, nil, &found) == 0 else {
            throw Failure(what: "\(folder) has no segments")
        }
        // As many paths as it says, all of them ended by a zero.
        return unsafe (0..<Int(found.gl_pathc)).compactMap { place in
            unsafe found.gl_pathv[place].map { unsafe String(cString: $0) }
        }
    }

    private struct Failure: Error { let what: String }

    /// Writes back what is not on the disk yet, and lets go of every page in memory.
    private static func letGo(of path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(what: "\(path) cannot be opened") }
        defer { _ = close(descriptor) }
        guard fdatasync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
            throw Failure(what: "\(path) stays in memory")
        }
    }

    /// How fast the disk gives a whole file that is not in memory.
    private static func plainReading(_ path: String) throws -> (bytes: Int, seconds: Double) {
        try letGo(of: path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(what: "\(path) cannot be opened") }
        defer { _ = close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var bytes = 0
        let wall = ContinuousClock().measure {
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                bytes += count
            }
        }
        return (bytes, CatalogueBench.seconds(wall))
    }

    /// What this process had fetched from the disk so far.
    private static func bytesRead() -> Int { number("read_bytes:", in: "/proc/self/io") }

    /// What this process holds beyond mapped files, in MiB.
    private static func anonymousMemory() -> Int { number("RssAnon:", in: "/proc/self/status") / 1_024 }

    private static func number(_ name: String, in path: String) -> Int {
        guard let file = unsafe fopen(path, "r") else { return 0 }
        defer { _ = unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
