import JSONDocument
import KnotDomain
import TextEncoding
import VectorSearch

/// A part of a catalogue on the disk that never changes: offers with their texts, words, vectors and what filters ask of
/// them, mapped and used in place.
final class CatalogueSegment: Sendable {
    let path: String
    let layout: SegmentLayout
    let providers: [ProviderName]
    let currencies: [Currency]
    let places: [Place]
    /// Of the first `layout.vectorCount` items; nil where none has a vector.
    let vectors: ExactIndex?

    let ordinals: MappedNumbers<UInt64>
    let types: MappedNumbers<UInt8>
    let providerNumbers: MappedNumbers<UInt16>
    let currencyNumbers: MappedNumbers<UInt16>
    let placeNumbers: MappedNumbers<UInt32>
    let totals: MappedNumbers<Int64>
    let shippingDays: MappedNumbers<UInt16>
    let starts: MappedNumbers<Int64>
    let merchants: MappedNumbers<UInt32>
    let lengths: MappedNumbers<UInt32>
    let postings: MappedNumbers<UInt32>
    private let words: MappedNumbers<UInt64>
    private let postingStarts: MappedNumbers<UInt64>
    private let frequentPostings: MappedNumbers<UInt64>
    private let frequentCounts: MappedNumbers<UInt32>
    private let textStarts: MappedNumbers<UInt64>
    private let idPrints: MappedNumbers<UInt64>
    private let idItems: MappedNumbers<UInt32>
    private let map: MappedFile

    var count: Int { layout.count }
    /// The highest of all: those with a vector are in order, and so are those without.
    var lastOrdinal: UInt64? {
        let ends = [layout.vectorCount, count].filter { $0 > 0 }
        let start = layout[.ordinals].offset
        for end in ends { map.ask(for: start + (end - 1) * 8..<start + end * 8) }
        return ends.map { ordinals[$0 - 1] }.max()
    }

    /// Opens the files of a segment; unless they are trusted, every byte is held against the checksums first.
    init(path: String, isTrusted: Bool) throws(CatalogueError) {
        do throws(EmbeddingFileError) {
            map = try MappedFile(path, staysOpen: true)
        } catch {
            throw CatalogueError(error)
        }
        let map = map
        let header = map.copy(0..<min(map.count, SegmentLayout.headerBytes))
        let layout = try SegmentLayout(header: header, actualByteCount: map.count, path: path)
        self.path = path
        self.layout = layout
        func numbers<Number>(_ section: SegmentLayout.Section) -> MappedNumbers<Number> {
            MappedNumbers(map, layout[section].range)
        }
        ordinals = numbers(.ordinals)
        types = numbers(.types)
        providerNumbers = numbers(.providers)
        currencyNumbers = numbers(.currencies)
        placeNumbers = numbers(.places)
        totals = numbers(.totals)
        shippingDays = numbers(.shippingDays)
        starts = numbers(.starts)
        merchants = numbers(.merchants)
        lengths = numbers(.lengths)
        postings = numbers(.postings)
        words = numbers(.words)
        postingStarts = numbers(.postingStarts)
        frequentPostings = numbers(.frequentPostings)
        frequentCounts = numbers(.frequentCounts)
        textStarts = numbers(.textStarts)
        idPrints = numbers(.idPrints)
        idItems = numbers(.idItems)
        if !isTrusted { try Self.verify(map, layout, path) }
        (providers, currencies, places) = try Self.names(map, layout, path)
        do throws(VectorSearchError) {
            vectors =
                layout.vectorCount == 0
                ? nil
                : try ExactIndex(
                    EmbeddingMatrix(contentsOf: SegmentWriter.vectors(of: path), isTrusted: isTrusted),
                    fewestNibbleRows: 1
                )
            if !isTrusted { try vectors?.matrix.verify() }
        } catch {
            throw CatalogueError(error, path)
        }
        guard (vectors?.matrix.count ?? 0) == layout.vectorCount else {
            throw CatalogueError(.damaged, path, "its vectors are not those of its items")
        }
    }

    /// Its files, with the parts that every search reads: all but texts, postings and, in a file with codes, the rows.
    var files: [(map: MappedFile, searched: [Range<Int>])] {
        let (texts, postings) = (layout[.texts].range, layout[.postings].range)
        let own = (map: map, searched: [texts.upperBound..<postings.lowerBound, postings.upperBound..<map.count])
        guard let vectors, let file = vectors.matrix.mapping else { return [own] }
        return [own, (map: file, searched: vectors.searchedRanges)]
    }

    /// Asks the disk for the text and the vector of an item before they are read.
    func expect(item: Int) throws(CatalogueError) {
        map.expect(try range(ofText: item))
        if let vectors, item < layout.vectorCount { vectors.expect(row: item) }
    }

    /// Asks the disk for rows before they are compared.
    func expect(rows: RowBitmap) { vectors?.expect(rows: rows) }

    /// Asks the disk for a word's postings before they are read.
    func expect(postings places: Range<Int>) {
        let start = layout[.postings].offset
        map.expect(start + places.lowerBound * 4..<start + places.upperBound * 4)
    }

    /// Throws where one of the files was cut short while it was in use.
    func ensureWhole() throws(CatalogueError) {
        guard map.isCut else { return }
        throw CatalogueError(.damaged, path, "it was cut short while it was in use")
    }

    private static func verify(_ map: MappedFile, _ layout: SegmentLayout, _ path: String) throws(CatalogueError) {
        for section in SegmentLayout.Section.allCases {
            let place = layout[section]
            guard map.withBytes(place.range, { Checksum.of($0) }) == place.checksum else {
                throw CatalogueError(.damaged, path, "the checksum of section \(section) does not fit it")
            }
        }
    }

    // MARK: Names

    private static func names(
        _ map: MappedFile,
        _ layout: SegmentLayout,
        _ path: String
    ) throws(CatalogueError) -> ([ProviderName], [Currency], [Place]) {
        let bytes = map.copy(layout[.names].range)
        var document: JSONValue = nil
        do throws(JSONSyntaxError) { document = try JSONParser.parse(bytes) } catch {
            throw CatalogueError(.damaged, path, "its names are no JSON")
        }
        func texts(_ name: String) -> [String] { document[name]?.array?.compactMap(\.string) ?? [] }
        let providers = texts("providers").compactMap(ProviderName.init(rawValue:))
        let currencies = texts("currencies").compactMap(Currency.init)
        var places: [Place] = []
        for json in document["places"]?.array ?? [] {
            guard let place = Place(reading: JSONReader(json)) else {
                throw CatalogueError(.damaged, path, "one of its places is none")
            }
            places.append(place)
        }
        return (providers, currencies, places)
    }

    // MARK: Items

    /// The JSON of an item, as it was written.
    func json(ofItem item: Int) throws(CatalogueError) -> [UInt8] { map.copy(try range(ofText: item)) }

    private func range(ofText item: Int) throws(CatalogueError) -> Range<Int> {
        let (start, end) = (textStarts[item], textStarts[item + 1])
        let texts = layout[.texts]
        guard start <= end, end <= UInt64(texts.byteCount) else {
            throw CatalogueError(.damaged, path, "the places of its texts contradict each other")
        }
        return texts.offset + Int(start)..<texts.offset + Int(end)
    }

    /// Nil for what is offered to nobody: it begins at a time that cannot be read again, which was taken before.
    func candidate(at item: Int) throws(CatalogueError) -> Candidate? {
        try candidate(at: item, as: try document(item))
    }

    private func candidate(at item: Int, as document: JSONValue) throws(CatalogueError) -> Candidate? {
        guard let candidate = Candidate(reading: JSONReader(document)) else {
            _ = try undated(document, item)
            return nil
        }
        return candidate
    }

    /// An item as it is offered, with its vector; nil where it is offered to nobody.
    func offer(at item: Int) throws(CatalogueError) -> CatalogueItem? {
        let document = try document(item)
        guard let candidate = try candidate(at: item, as: document) else { return nil }
        return CatalogueItem(
            candidate,
            vector: try vector(ofItem: item),
            isBlocked: document["check"]?.string == CatalogueOffer.blocked
        )
    }

    /// An item by its texts, for whoever counts or withdraws it, whether it is offered or not.
    func kept(at item: Int) throws(CatalogueError) -> Candidate {
        let document = try document(item)
        if let candidate = Candidate(reading: JSONReader(document)) { return candidate }
        return try undated(document, item)
    }

    private func document(_ item: Int) throws(CatalogueError) -> JSONValue {
        let bytes = try json(ofItem: item)
        do throws(JSONSyntaxError) { return try JSONParser.parse(bytes) } catch { throw unreadable(item) }
    }

    private func undated(_ document: JSONValue, _ item: Int) throws(CatalogueError) -> Candidate {
        var fields = document.object ?? JSONObject()
        fields["starts_at"] = .null
        guard let candidate = Candidate(reading: JSONReader(.object(fields))) else { throw unreadable(item) }
        return candidate
    }

    private func unreadable(_ item: Int) -> CatalogueError {
        CatalogueError(.damaged, path, "item \(item) cannot be read")
    }

    /// The vector of an item, with zeros for what was left away.
    func vector(ofItem item: Int) throws(CatalogueError) -> Embedding? {
        guard let matrix = vectors?.matrix, item < layout.vectorCount else { return nil }
        do throws(VectorSearchError) {
            return Embedding(padding: try matrix.values(ofRow: item), model: matrix.model)
        } catch {
            throw CatalogueError(error, path)
        }
    }

    /// The items with an id, newest last; there is more than one only while two ids have one fingerprint.
    func items(withID id: CandidateID) throws(CatalogueError) -> [Int] {
        let print = Fingerprint.of(id.text)
        var found: [Int] = []
        var place = idPrints.firstPlace(notBelow: print)
        while place < idPrints.count, idPrints[place] == print {
            let item = Int(idItems[place])
            guard item < count else { throw CatalogueError(.damaged, path, "an id is of no item") }
            if try kept(at: item).id == id { found.append(item) }
            place += 1
        }
        return found
    }

    // MARK: Words

    /// Where a word's postings are.
    func postings(of fingerprint: UInt64) throws(CatalogueError) -> Range<Int> {
        let word = words.firstPlace(notBelow: fingerprint)
        guard word < words.count, words[word] == fingerprint else { return 0..<0 }
        let (start, end) = (postingStarts[word], postingStarts[word + 1])
        guard start <= end, end <= UInt64(postings.count) else {
            throw CatalogueError(.damaged, path, "the places of its words contradict each other")
        }
        return Int(start)..<Int(end)
    }

    /// The count of a posting whose own bits have no room for it.
    func longCount(ofPosting posting: Int) -> UInt32 {
        let place = frequentPostings.firstPlace(notBelow: UInt64(posting))
        guard place < frequentPostings.count, frequentPostings[place] == UInt64(posting) else {
            return SegmentLayout.longCount
        }
        return frequentCounts[place]
    }
}

/// A list of numbers in a mapped file, read in place.
///
/// Safe to share: nothing is written through the mapping, which lasts as long as this value. The place was checked against
/// the file and its alignment when the file was opened.
@safe struct MappedNumbers<Number: FixedWidthInteger & BitwiseCopyable & Sendable>: @unchecked Sendable {
    let count: Int
    private let start: UnsafePointer<Number>?
    private let map: MappedFile

    init(_ map: MappedFile, _ range: Range<Int>) {
        self.map = map
        count = range.count / MemoryLayout<Number>.stride
        // Sections begin at multiples of 64 bytes of a mapping that begins at a page.
        unsafe start = map.bytes(range).baseAddress?.assumingMemoryBound(to: Number.self)
    }

    subscript(place: Int) -> Number {
        precondition(place >= 0 && place < count, "no such entry")
        guard let start = unsafe start else { preconditionFailure("entries of an empty file") }
        return unsafe start[place]
    }

    /// Lends all numbers, for loops over many of them.
    func withSpan<Result, Failure: Error>(_ body: (Span<Number>) throws(Failure) -> Result) throws(Failure) -> Result {
        let numbers = unsafe UnsafeBufferPointer(start: start, count: count)
        return try withExtendedLifetime(map) { () throws(Failure) in try unsafe body(numbers.span) }
    }

    /// The place of the first number that is not below this one, where they are in order.
    func firstPlace(notBelow number: Number) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
