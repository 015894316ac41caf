import Exactness
import Foundation
import Testing

@testable import VectorSearch

@Suite("A file of embeddings")
struct EmbeddingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Why a file is refused at opening or, at the latest, when all of it is verified.
    private func refusal(_ name: String) -> EmbeddingFileError.Code? {
        do throws(VectorSearchError) {
            try EmbeddingMatrix(contentsOf: folder.file(name)).verify()
            return nil
        } catch {
            guard case .file(let error) = error else { return nil }
            return error.path == folder.file(name) && error.description.contains(name) ? error.code : nil
        }
    }

    private func valid(rows: Int = 2_500, codes: Bool = true) throws -> [UInt8] {
        let index = try ExactIndex(SomeRows.matrix(count: rows), usesCodes: codes, fewestNibbleRows: 0)
        try index.write(to: folder.file("valid"))
        return try folder.bytes("valid")
    }

    @Test func `that is missing, a folder or a pipe is unreadable`() throws {
        #expect(refusal("missing") == .unreadable)
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(refusal("folder") == .unreadable)
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(refusal("pipe") == .unreadable)
    }

    @Test func `is refused when empty, foreign, cut or longer than it says`() throws {
        let bytes = try valid()
        let cases: [(String, [UInt8], EmbeddingFileError.Code)] = [
            ("empty", [], .cut), ("text", Array("id,x,y\n".utf8), .foreign), ("begun", Array(bytes.prefix(100)), .cut),
            ("header", Array(bytes.prefix(4_096)), .cut), ("tail", bytes.dropLast(), .cut), ("more", bytes + [0], .cut),
        ]
        for (name, bytes, code) in cases {
            try folder.write(bytes, name)
            #expect(refusal(name) == code, "\(name)")
        }
    }

    @Test func `of a later version says so`() throws {
        var bytes = try valid(rows: 3)
        bytes[8] = 2
        try folder.write(bytes, "later")
        #expect(refusal("later") == .newer)
    }

    @Test func `whose header claims the impossible is refused even with a fitting checksum`() throws {
        let bytes = try valid(rows: 70)
        // Where a number stands, how many bytes it has, and what it is made to claim.
        let claims: [(Int, Int, UInt64)] = [
            (24, 8, .max), (24, 8, 1 << 32), (24, 8, 71), (24, 8, 69), (24, 8, 0), (32, 4, 0), (32, 4, 1 << 31),
            (32, 4, 33), (32, 4, 4_097), (36, 4, 0), (36, 4, 48), (40, 4, 0), (40, 4, 128), (44, 4, 0), (44, 4, 1),
            (44, 4, .max), (48, 4, 0), (48, 4, 8), (48, 4, .max), (52, 4, 4_000), (52, 4, .max), (56, 4, 0), (56, 4, 2),
            (56, 4, 77), (64, 8, 0), (64, 8, 4_097), (64, 8, .max - 63), (64, 8, 1 << 62), (72, 8, .max),
            (72, 8, 1 << 63),
            (88, 8, 4_096), (12, 4, 0), (8, 4, 0), (16, 8, 0), (16, 8, .max),
        ]
        for (place, width, claim) in claims {
            var damaged = bytes
            for byte in 0..<width { damaged[place + byte] = UInt8(truncatingIfNeeded: claim >> (8 * byte)) }
            try folder.write(Self.sealed(damaged), "claim")
            let code = refusal("claim")
            #expect(
                code == .senseless || code == .cut || code == .damaged,
                "\(claim) at \(place): \(String(describing: code))"
            )
        }
    }

    /// Gives a changed header the checksum it would have.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let checksum = Checksum.of(bytes.span.extracting(first: 4_092))
        for byte in 0..<4 { bytes[4_092 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte)) }
        return bytes
    }

    @Test func `with a flipped bit names the rows it is in at their first use`() throws {
        var bytes = try valid()
        let file = try EmbeddingFile(path: folder.file("valid"))
        bytes[file.layout[.rows].offset + 2_000 * file.layout.stride * 4 + 5] ^= 1
        try folder.write(bytes, "flipped")
        let matrix = try EmbeddingMatrix(contentsOf: folder.file("flipped"))
        #expect(try matrix.values(ofRow: 0).count == 20)
        let detail = "the checksum of rows 1024 to 2047 does not fit them"
        let error = VectorSearchError.file(EmbeddingFileError(.damaged, folder.file("flipped"), detail))
        #expect(throws: error) { try matrix.values(ofRow: 1_500) }
        #expect(throws: error) { try matrix.verify(threads: 3) }
        #expect(throws: error) { try ExactIndex(matrix).search(matrix, limit: 1) }
        #expect(throws: error) { try ExactIndex(matrix).search(SomeRows.matrix(count: 1), limit: 1, threads: 2) }
        #expect(throws: error) { try matrix.write(to: folder.file("blessed")) }
        var copy = matrix
        #expect(throws: error) { try copy.append([Float](repeating: 1, count: 20).span, id: "") }
    }

    @Test func `with a flipped bit in its codes is refused by searches that read them`() throws {
        var bytes = try valid()
        let file = try EmbeddingFile(path: folder.file("valid"))
        #expect(file.layout.codedKinds.count == 6)
        for kind in file.layout.codedKinds {
            bytes[file.layout[kind].offset] ^= 0x10
            try folder.write(bytes, "codes")
            bytes[file.layout[kind].offset] ^= 0x10
            let matrix = try EmbeddingMatrix(contentsOf: folder.file("codes"))
            let index = try ExactIndex(matrix, usesCodes: true)
            #expect(throws: VectorSearchError.self, "\(kind)") { try index.search(SomeRows.matrix(count: 1), limit: 1) }
        }
    }

    @Test func `with a flipped bit is searched where a filter leaves that part out`() throws {
        var bytes = try valid()
        let file = try EmbeddingFile(path: folder.file("valid"))
        let query = try SomeRows.matrix(count: 1)
        for kind in [EmbeddingFileSection.Kind.rows, .codes, .nibbles] {
            let each = file.layout[kind].byteCount / file.layout.count
            bytes[file.layout[kind].offset + 2_000 * each] ^= 1
            try folder.write(bytes, "filtered")
            bytes[file.layout[kind].offset + 2_000 * each] ^= 1
            let index = try ExactIndex(EmbeddingMatrix(contentsOf: folder.file("filtered")), usesCodes: true)
            for threads in [1, 2] {
                let others = RowFilter.rows(RowBitmap(rowCount: 2_500) { $0 < 1_024 || $0 >= 2_048 })
                #expect(try index.search(query, limit: 3, where: others, threads: threads).matches[0].count == 3)
                let one = RowFilter.rows(RowBitmap(rowCount: 2_500) { $0 == 1_024 })
                #expect(throws: VectorSearchError.self, "\(kind)") {
                    try index.search(query, limit: 3, where: one, threads: threads)
                }
            }
        }
    }

    @Test func `with any flips and cuts either opens to the same or is refused`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let original = try SomeRows.matrix(count: 70)
        try ExactIndex(original, usesCodes: true).write(to: folder.file("valid"))
        let bytes = try folder.bytes("valid")
        var refused = 0
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // Half of the flips go to the header, where they can do more.
                let place = Int.random(in: 0..<(random.chance(50) ? 400 : damaged.count), using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            if random.chance(30) { damaged.removeLast(Int.random(in: 1...damaged.count, using: &random)) }
            if random.chance(50), damaged.count >= 4_096 { damaged = Self.sealed(damaged) }
            try folder.write(damaged, "fuzz")
            if refusal("fuzz") != nil {
                refused += 1
                continue
            }
            let opened = try EmbeddingMatrix(contentsOf: folder.file("fuzz"))
            // A name of a model is anything that is text; sealed flips within it make another model's file, and within
            // the dimension one of rows with a little more or less of their padding.
            guard opened.model == original.model, opened.dimension == original.dimension else { continue }
            #expect(try SomeRows.areSame(opened, original), "seed \(seed)")
        }
        #expect(refused > 100, "seed \(seed)")
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 2_500])
    func `opens to what was written, and is searched in place`(rows: Int) throws {
        let original = try SomeRows.matrix(count: rows)
        let queries = try SomeRows.matrix(count: 9, seed: 8)
        let expected = try ExactIndex(original, kernels: Kernels(named: "scalar")).search(queries, limit: 7)
        for (codes, fewest) in [(false, 0), (true, .max), (true, 0)] {
            try ExactIndex(original, usesCodes: codes, fewestNibbleRows: fewest).write(to: folder.file("rows"))
            let opened = try EmbeddingMatrix(contentsOf: folder.file("rows"), model: "plain")
            #expect(opened.file?.layout.hasCodes == codes)
            #expect(opened.file?.layout.hasNibbles == (codes && fewest == 0))
            for kernels in Kernels.available {
                let index = try ExactIndex(opened, kernels: kernels, fewestNibbleRows: 0)
                let first = try queries.values(ofRow: 0)
                let one = try index.search(first.span, limit: 7, threads: 2)
                #expect(one.matches == Array(expected.matches.prefix(1)))
                let found = try index.search(queries, limit: 7, threads: 2)
                #expect(found.matches == expected.matches)
            }
            try opened.verify()
            #expect(try SomeRows.areSame(opened, original))
        }
        #expect(try folder.names == ["rows"], "nothing is left beside the file")
    }

    @Test func `of another model than expected is refused`() throws {
        try SomeRows.matrix(count: 2, model: "one").write(to: folder.file("rows"))
        #expect(throws: VectorSearchError.mixedModels("two", "one")) {
            try EmbeddingMatrix(contentsOf: folder.file("rows"), model: "two")
        }
    }

    @Test func `may be replaced while it is in use, and appended to in memory`() throws {
        let path = folder.file("rows")
        try SomeRows.matrix(count: 1_100).write(to: path)
        let opened = try EmbeddingMatrix(contentsOf: path)
        var longer = opened
        try longer.append([Float](repeating: 1, count: 20).span, id: "last")
        try longer.write(to: path)
        try opened.verify()
        #expect(opened.count == 1_100)
        #expect(longer.file == nil)
        #expect(try SomeRows.areSame(EmbeddingMatrix(contentsOf: path), longer))
    }

    @Test func `is not written where there is no folder, or with a model's name past all measure`() throws {
        let matrix = try SomeRows.matrix(count: 1)
        #expect(throws: VectorSearchError.self) { try matrix.write(to: folder.file("no/rows")) }
        let long = try SomeRows.matrix(count: 1, model: String(repeating: "m", count: 4_000))
        #expect(throws: VectorSearchError.self) { try long.write(to: folder.file("rows")) }
        #expect(try folder.names.isEmpty)
    }

    @Test func `stays as it was when the disk is full`() async throws {
        let path = folder.file("rows")
        let old = try SomeRows.matrix(count: 5)
        try old.write(to: path)
        await #expect(processExitsWith: .success) { [path = path as String] in
            // A limit on the size of files stands for a disk that has no more room.
            var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
            signal(SIGXFSZ, SIG_IGN)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let error = #expect(throws: VectorSearchError.self) { try SomeRows.matrix(count: 900).write(to: path) }
            guard case .file(let error) = error else { exit(1) }
            #expect(error.code == .unwritable)
        }
        #expect(try SomeRows.areSame(EmbeddingMatrix(contentsOf: path), old))
        #expect(try folder.names == ["rows"])
    }

    @Test func `stays as it was when the writer is killed`() async throws {
        let path = folder.file("rows")
        let old = try SomeRows.matrix(count: 5)
        try old.write(to: path)
        await #expect(processExitsWith: .signal(SIGXFSZ)) { [path = path as String] in
            // In the middle of a section the system ends the process.
            signal(SIGXFSZ, SIG_DFL)
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGXFSZ)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            try SomeRows.matrix(count: 900).write(to: path)
        }
        #expect(try SomeRows.areSame(EmbeddingMatrix(contentsOf: path), old))
    }
}
