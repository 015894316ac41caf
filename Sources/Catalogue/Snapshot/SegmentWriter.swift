import Glibc
import JSONDocument
import KnotDomain
import TextEncoding
import VectorSearch

/// Writes the two files of a segment.
struct SegmentWriter {
    /// The items, those with a vector first, each part in the order in which its items came.
    private let items: [IndexedItem]
    private let vectorCount: Int
    private let path: String

    init(_ items: [IndexedItem], to path: String) {
        let ordered = items.sorted { $0.ordinal < $1.ordinal }
        self.items = ordered.filter { $0.vector != nil } + ordered.filter { $0.vector == nil }
        vectorCount = ordered.count { $0.vector != nil }
        self.path = path
    }

    /// Puts both files on the disk; neither is there by its name unless it is whole.
    func write(vectorsWritten: () -> Void = {}) throws(CatalogueError) {
        try writeVectors()
        vectorsWritten()
        let sections = sections()
        var layout = SegmentLayout(
            count: items.count,
            vectorCount: vectorCount,
            wordCount: items.reduce(0) { $0 + $1.length },
            byteCounts: sections.map(\.count)
        )
        do throws(EmbeddingFileError) {
            let file = try FileReplacement(of: path)
            for (section, bytes) in zip(SegmentLayout.Section.allCases, sections) {
                layout[section].checksum = Checksum.of(bytes.span)
                try file.write(bytes, at: layout[section].offset)
            }
            try file.write(layout.header, at: 0)
            try file.commit(byteCount: layout.fileByteCount)
        } catch {
            throw CatalogueError(.unwritable, path, error.detail)
        }
    }

    // MARK: Vectors

    private func writeVectors() throws(CatalogueError) {
        guard let model = items.first?.vector?.model else { return }
        let vectors = items[..<vectorCount].compactMap(\.vector)
        do throws(VectorSearchError) {
            // What the model has no use for is not kept: half of many vectors is zeros.
            let dimension = vectors.reduce(1) { Swift.max($0, $1.usedDimensions) }
            let rounded = Self.keptNumbers(of: dimension)
            var matrix = try EmbeddingMatrix(model: model, dimension: rounded, capacity: vectors.count)
            for vector in vectors {
                guard vector.model == model else { throw .mixedModels(model, vector.model) }
                try matrix.append(vector.values.span.extracting(first: rounded), id: "")
            }
            try ExactIndex(matrix, usesCodes: true, fewestNibbleRows: 1).write(to: Self.vectors(of: path))
        } catch {
            throw CatalogueError(error, Self.vectors(of: path))
        }
    }

    /// How many numbers are kept of vectors that have so many.
    static func keptNumbers(of dimension: Int) -> Int { Swift.min((dimension + 63) / 64 * 64, Embedding.dimension) }

    /// The name of the file with a segment's vectors.
    static func vectors(of path: String) -> String { path + ".vectors" }

    // MARK: Sections

    /// The bytes of all sections, in their order.
    private func sections() -> [[UInt8]] {
        let words = InvertedIndex(items)
        var providers = NameNumbers()
        var currencies = NameNumbers()
        var places: [Place] = []
        var numbersOfPlaces: [Place: Int] = [:]
        let providerNumbers = items.map { UInt16(clamping: providers.number(of: $0.candidate.provider.rawValue)) }
        let currencyNumbers = items.map { UInt16(clamping: currencies.number(of: $0.candidate.currency.code)) }
        // Only where somebody goes there; 0 is nowhere.
        let placeNumbers = items.map { item -> UInt32 in
            guard let place = item.candidate.visitedPlace else { return 0 }
            if numbersOfPlaces[place] == nil {
                places.append(place)
                numbersOfPlaces[place] = places.count
            }
            return UInt32(numbersOfPlaces[place] ?? 0)
        }
        let prints = items.indices.map { (Fingerprint.of(items[$0].id.text), UInt32($0)) }.sorted { $0 < $1 }
        var textStarts: [UInt64] = [0]
        for item in items { textStarts.append(textStarts[textStarts.count - 1] + UInt64(item.json.count)) }
        let names: JSONValue = [
            "providers": JSONValue(providers.names), "currencies": JSONValue(currencies.names),
            "places": .array(places.map(\.json)),
        ]
        return SegmentLayout.Section.allCases.map { section in
            switch section {
            case .texts: Array(items.map(\.json).joined())
            case .textStarts: textStarts.littleEndianBytes
            case .ordinals: items.map(\.ordinal).littleEndianBytes
            case .idPrints: prints.map(\.0).littleEndianBytes
            case .idItems: prints.map(\.1).littleEndianBytes
            case .types: items.map { UInt8(CandidateType.number(of: $0.candidate.type)) }
            case .providers: providerNumbers.littleEndianBytes
            case .currencies: currencyNumbers.littleEndianBytes
            case .places: placeNumbers.littleEndianBytes
            case .totals: items.map { Int64($0.totalCents ?? -1) }.littleEndianBytes
            case .shippingDays:
                items.map { UInt16(clamping: $0.candidate.shipsInDays ?? Int(UInt16.max)) }.littleEndianBytes
            case .starts: items.map { $0.candidate.startsAt?.millisecondsSinceEpoch ?? .min }.littleEndianBytes
            case .merchants: items.map(\.merchant).littleEndianBytes
            case .lengths: items.map { UInt32(clamping: $0.length) }.littleEndianBytes
            case .words: words.words.littleEndianBytes
            case .postingStarts: words.starts.littleEndianBytes
            case .postings: words.postings.littleEndianBytes
            case .frequentPostings: words.frequent.map(\.posting).littleEndianBytes
            case .frequentCounts: words.frequent.map(\.count).littleEndianBytes
            case .names: JSONWriter.bytes(names)
            }
        }
    }
}

/// Which items each word occurs in, and how often.
struct InvertedIndex {
    /// Fingerprints in order.
    let words: [UInt64]
    /// Where each word's postings begin, and where the last one's end.
    let starts: [UInt64]
    /// By word, in the items' order.
    let postings: [UInt32]
    /// Counts that do not fit into their posting, in the postings' order.
    let frequent: [(posting: UInt64, count: UInt32)]

    init(_ items: [IndexedItem]) {
        var numbers = FingerprintTable(capacity: 4_096)
        var prints: [UInt64] = []
        var holders: [Int] = []
        for item in items {
            for term in item.terms {
                let number = numbers.number(of: term.fingerprint)
                if number == prints.count {
                    prints.append(term.fingerprint)
                    holders.append(0)
                }
                holders[number] += 1
            }
        }
        let order = prints.indices.sorted { prints[$0] < prints[$1] }
        var ends = [Int](repeating: 0, count: prints.count)
        var starts: [UInt64] = [0]
        starts.reserveCapacity(prints.count + 1)
        var total = 0
        for number in order {
            ends[number] = total
            total += holders[number]
            starts.append(UInt64(total))
        }
        var postings = [UInt32](repeating: 0, count: total)
        var frequent: [(posting: UInt64, count: UInt32)] = []
        for (place, item) in items.enumerated() {
            for term in item.terms {
                guard let number = numbers[term.fingerprint] else { continue }
                let isLong = term.times >= SegmentLayout.longCount
                if isLong { frequent.append((UInt64(ends[number]), term.times)) }
                let count = isLong ? SegmentLayout.longCount : term.times
                postings[ends[number]] = UInt32(place) << SegmentLayout.countBits | count
                ends[number] += 1
            }
        }
        words = order.map { prints[$0] }
        self.starts = starts
        self.postings = postings
        self.frequent = frequent.sorted { $0.posting < $1.posting }
    }
}

/// Numbers for names in the order in which they are first met.
private struct NameNumbers {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
        if let known = numbers[name] { return known }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }
}

extension Array where Element: FixedWidthInteger {
    /// The bytes of all numbers, each with its lowest first.
    fileprivate var littleEndianBytes: [UInt8] {
        unsafe map(\.littleEndian).withUnsafeBytes { unsafe Array<UInt8>($0) }
    }
}

extension CandidateType {
    /// The number a segment knows a type by.
    static func number(of type: CandidateType) -> Int { allCases.firstIndex(of: type) ?? 0 }
}

extension Candidate {
    /// Where somebody has to go for it: a posted gift comes by itself.
    var visitedPlace: Place? { type == .gift && shipsInDays != nil ? nil : location }
}

extension Embedding {
    /// How many numbers there are up to the last that is not 0.
    fileprivate var usedDimensions: Int { (values.lastIndex { $0 != 0 } ?? 0) + 1 }
}

extension CatalogueError {
    /// What the vectors' own error means for a catalogue.
    init(_ error: VectorSearchError, _ path: String) {
        switch error {
        case .file(let file): self.init(file)
        case .mixedModels: self.init(.otherModel, path, "\(error)")
        case .outOfMemory: self.init(.outOfMemory, path, "\(error)")
        default: self.init(.damaged, path, "\(error)")
        }
    }

    /// The same of a file.
    init(_ file: EmbeddingFileError) {
        let code: Code =
            switch file.code {
            case .unreadable: unsafe access(file.path, R_OK) != 0 && errno == EACCES ? .notPermitted : .unreadable
            case .unwritable: .unwritable
            case .newer: .newer
            case .foreign, .cut, .damaged, .senseless: .damaged
            }
        self.init(code, file.path, file.detail)
    }
}
