import VectorSearch

/// The items of immutable segments that are no longer offered, and what they counted for.
///
/// A word's weight and the usual length are those of the items that are left, to the last item.
struct WithdrawnItems: Sendable, Equatable {
    private static let magic: UInt64 = 0x3130_454E_4F47_4E4B

    /// By segment's name.
    private(set) var bitmaps: [String: RowBitmap] = [:]
    /// By word: how many of them hold it.
    private(set) var holders: [UInt64: Int] = [:]
    /// How many words they count together.
    private(set) var wordCount = 0

    init() {}

    var count: Int { bitmaps.values.reduce(0) { $0 + $1.count } }

    func bitmap(of segment: String) -> RowBitmap? { bitmaps[segment] }

    func contains(_ item: Int, of segment: String) -> Bool { bitmaps[segment]?[item] ?? false }

    /// Adds an item that is not in yet.
    mutating func add(_ item: Int, of segment: String, count: Int, words: IndexedItem) {
        bitmaps[segment, default: RowBitmap(rowCount: count)][item] = true
        for term in words.terms { holders[term.fingerprint, default: 0] += 1 }
        wordCount += words.length
    }

    /// Forgets a segment that is no longer there; its items' words were in it, so they no longer count either.
    mutating func forget(_ segment: String, _ words: [IndexedItem]) {
        bitmaps[segment] = nil
        for item in words {
            for term in item.terms {
                let left = (holders[term.fingerprint] ?? 1) - 1
                holders[term.fingerprint] = left > 0 ? left : nil
            }
            wordCount -= item.length
        }
    }

    // MARK: In a file

    /// As numbers of 64 bits: segments with their bits, words with their counts, and a checksum of all.
    var bytes: [UInt8] {
        var numbers: [UInt64] = [Self.magic, UInt64(bitmaps.count)]
        for (name, bitmap) in bitmaps.sorted(by: { $0.key < $1.key }) {
            let letters = Array(name.utf8)
            numbers.append(UInt64(letters.count))
            numbers += letters.map(UInt64.init)
            numbers.append(UInt64(bitmap.rowCount))
            numbers += bitmap.words
        }
        numbers.append(UInt64(wordCount))
        numbers.append(UInt64(holders.count))
        for (word, count) in holders.sorted(by: { $0.key < $1.key }) { numbers += [word, UInt64(count)] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 8 + 8)
        for number in numbers { bytes.append(littleEndian: number) }
        bytes.append(littleEndian: UInt64(Checksum.of(bytes.span)))
        return bytes
    }

    init(_ bytes: [UInt8], path: String) throws(CatalogueError) {
        func damaged() -> CatalogueError { CatalogueError(.damaged, path, "it is not the list that was written") }
        guard bytes.count >= 40, bytes.count % 8 == 0 else { throw damaged() }
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
        }
        guard numbers[0] == Self.magic,
            numbers[numbers.count - 1] == UInt64(Checksum.of(bytes.span.extracting(first: bytes.count - 8)))
        else { throw damaged() }
        var place = 1
        func next(_ most: UInt64 = 1 << 40) throws(CatalogueError) -> UInt64 {
            guard place < numbers.count - 1, numbers[place] <= most else { throw damaged() }
            defer { place += 1 }
            return numbers[place]
        }
        for _ in 0..<(try next()) {
            var letters: [UInt8] = []
            for _ in 0..<(try next(64)) { letters.append(UInt8(try next(255))) }
            let rows = Int(try next(UInt64(SegmentLayout.mostItems)))
            var words: [UInt64] = []
            for _ in 0..<(rows + 63) / 64 { words.append(try next(.max)) }
            bitmaps[String(decoding: letters, as: UTF8.self)] = RowBitmap(rowCount: rows, words: words)
        }
        wordCount = Int(try next())
        for _ in 0..<(try next()) {
            let word = try next(.max)
            holders[word] = Int(try next())
        }
        guard place == numbers.count - 1 else { throw damaged() }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: UInt64) {
        for byte in 0..<8 { append(UInt8(truncatingIfNeeded: number >> UInt64(byte * 8))) }
    }
}
