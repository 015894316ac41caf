import VectorSearch

/// How the offers of one segment lie in their file, apart from the vectors, which have a file of their own.
///
/// The format, version 1; all numbers little-endian:
///
///     0     magic: 89 "KNC" 0D 0A 1A 0A, so that a transfer as text is noticed
///     8     u32 version; u32 sections
///     16    u64 bytes of the file
///     24    u64 items; u64 items with a vector, which are the first ones and whose vectors are the rows of the other file
///     40    u64 words of all items together, as they are counted
///     48    the sections, 32 bytes each: u32 kind, u32 CRC32C, u64 offset, u64 bytes, u64 nothing
///     4092  u32 CRC32C of the header before it
///
/// Sections begin at multiples of 64 bytes, in the order of their kinds.
struct SegmentLayout: Sendable, Equatable {
    static let headerBytes = 4_096
    static let magic: [UInt8] = [0x89, 0x4B, 0x4E, 0x43, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    private static let sectionsStart = 48
    private static let sectionBytes = 32

    enum Section: UInt32, CaseIterable, Sendable {
        /// The items as JSON, one after the other, and where each begins.
        case texts = 1
        case textStarts
        case ordinals
        /// Fingerprints of the ids in order, and the item of each.
        case idPrints, idItems
        case types, providers, currencies, places, totals, shippingDays, starts, merchants, lengths
        /// Fingerprints of the words in order, where the postings of each begin, and the postings.
        case words, postingStarts, postings
        /// Postings whose count does not fit into six bits, in order, and their counts.
        case frequentPostings, frequentCounts
        /// The names that numbers of providers, currencies and places stand for, as JSON.
        case names

        /// Bytes of one entry, 1 for what is no list of numbers.
        var entryBytes: Int {
            switch self {
            case .texts, .names, .types: 1
            case .providers, .currencies, .shippingDays: 2
            case .idItems, .places, .merchants, .lengths, .postings, .frequentCounts: 4
            case .textStarts, .ordinals, .idPrints, .totals, .starts, .words, .postingStarts, .frequentPostings: 8
            }
        }

        /// How many entries there are for so many items; nil where the items do not say.
        func count(forItems items: Int) -> Int? {
            switch self {
            case .textStarts: items + 1
            case .ordinals, .idPrints, .idItems, .types, .providers, .currencies, .places, .totals, .shippingDays,
                .starts, .merchants, .lengths:
                items
            case .texts, .words, .postingStarts, .postings, .frequentPostings, .frequentCounts, .names: nil
            }
        }
    }

    struct Place: Sendable, Equatable {
        var offset: Int
        var byteCount: Int
        var checksum: UInt32

        var range: Range<Int> { offset..<offset + byteCount }
    }

    let count: Int
    let vectorCount: Int
    let wordCount: Int
    /// By section, in the order of the kinds.
    private(set) var places: [Place]

    /// A posting is an item's place times 64 and the word's count there, 63 where the count stands elsewhere.
    static let mostItems = 1 << 26
    static let countBits: UInt32 = 6
    static let longCount: UInt32 = 63

    subscript(section: Section) -> Place {
        get { places[Int(section.rawValue) - 1] }
        set { places[Int(section.rawValue) - 1] = newValue }
    }

    /// The layout of a file that is to be written; checksums come later.
    init(count: Int, vectorCount: Int, wordCount: Int, byteCounts: [Int]) {
        self.count = count
        self.vectorCount = vectorCount
        self.wordCount = wordCount
        var offset = Self.headerBytes
        places = byteCounts.map { byteCount in
            defer { offset = (offset + byteCount + 63) / 64 * 64 }
            return Place(offset: offset, byteCount: byteCount, checksum: 0)
        }
    }

    var fileByteCount: Int { places.last.map { $0.offset + $0.byteCount } ?? Self.headerBytes }

    var header: [UInt8] {
        var bytes = Self.magic
        bytes.append(Self.version)
        bytes.append(UInt32(places.count))
        for number in [fileByteCount, count, vectorCount, wordCount] { bytes.append(UInt64(number)) }
        for (place, section) in zip(places, Section.allCases) {
            bytes.append(section.rawValue)
            bytes.append(place.checksum)
            for number in [place.offset, place.byteCount, 0] { bytes.append(UInt64(number)) }
        }
        bytes += [UInt8](repeating: 0, count: Self.headerBytes - 4 - bytes.count)
        bytes.append(Checksum.of(bytes.span))
        return bytes
    }

    /// Reads a header and checks that it fits the file and itself.
    init(header bytes: [UInt8], actualByteCount: Int, path: String) throws(CatalogueError) {
        func damaged(_ detail: String) -> CatalogueError { CatalogueError(.damaged, path, detail) }
        guard bytes.starts(with: Self.magic) else { throw damaged("it is no segment of a catalogue") }
        guard bytes.count == Self.headerBytes else { throw damaged("it ends within its header") }
        let version: UInt32 = bytes.number(at: 8)
        guard version <= Self.version else {
            throw CatalogueError(
                .newer,
                path,
                "it has version \(version) of the format, and \(Self.version) is known here"
            )
        }
        let sum: UInt32 = bytes.number(at: Self.headerBytes - 4)
        guard sum == Checksum.of(bytes.span.extracting(first: Self.headerBytes - 4)) else {
            throw damaged("the header's checksum does not fit it")
        }
        let sections: UInt32 = bytes.number(at: 12)
        let numbers: [UInt64] = [16, 24, 32, 40].map { bytes.number(at: $0) }
        guard numbers.allSatisfy({ $0 < 1 << 46 }) else { throw damaged("the header claims impossible sizes") }
        guard numbers[0] == UInt64(actualByteCount) else {
            throw damaged("it has \(actualByteCount) bytes instead of \(numbers[0])")
        }
        guard sections == UInt32(Section.allCases.count), numbers[1] < UInt64(Self.mostItems), numbers[2] <= numbers[1]
        else { throw damaged("the header contradicts itself") }
        count = Int(numbers[1])
        vectorCount = Int(numbers[2])
        wordCount = Int(numbers[3])
        var end = Self.headerBytes
        places = []
        for (index, section) in Section.allCases.enumerated() {
            let start = Self.sectionsStart + index * Self.sectionBytes
            let (kind, checksum): (UInt32, UInt32) = (bytes.number(at: start), bytes.number(at: start + 4))
            let (offset, byteCount): (UInt64, UInt64) = (bytes.number(at: start + 8), bytes.number(at: start + 16))
            guard kind == section.rawValue, offset % 64 == 0, offset >= UInt64(end), offset <= numbers[0],
                byteCount <= numbers[0] - offset, Int(byteCount) % section.entryBytes == 0,
                section.count(forItems: count).map({ $0 * section.entryBytes == Int(byteCount) }) ?? true
            else { throw damaged("section \(section) is not where or what it should be") }
            places.append(Place(offset: Int(offset), byteCount: Int(byteCount), checksum: checksum))
            end = Int(offset + byteCount)
        }
        let words = self[.words].byteCount / 8
        guard self[.postingStarts].byteCount / 8 == words + 1,
            self[.frequentPostings].byteCount / 8 == self[.frequentCounts].byteCount / 4
        else { throw damaged("the header contradicts itself") }
    }
}

extension [UInt8] {
    /// Appends a number's bytes, the lowest first.
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        for byte in 0..<number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> (byte * 8))) }
    }

    /// The number whose lowest byte is at a place.
    fileprivate func number<Number: FixedWidthInteger>(at place: Int) -> Number {
        (0..<Number.bitWidth / 8).reduce(0) { $0 | Number(truncatingIfNeeded: self[place + $1]) << ($1 * 8) }
    }
}
