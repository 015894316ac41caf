/// What the reference tokenizer of BERT does to a character beyond ASCII, by lookup.
///
/// The system's idea of Unicode plays no part: a model's words are those that its own tokenizer cut.
struct BertCharacters: Sendable {
    /// One character's entry: marks in the low byte, then the place among marks, the decomposition and the lower case.
    struct Entry: Sendable, Equatable {
        fileprivate(set) var bits: UInt64 = 0

        var isRemoved: Bool { bits & 1 != 0 }
        var isWhite: Bool { bits & 2 != 0 }
        var isPunctuation: Bool { bits & 4 != 0 }
        var isIdeograph: Bool { bits & 8 != 0 }
        /// Whether the character vanishes when accents are stripped.
        var isStripped: Bool { bits & 16 != 0 }
        /// Whether a character that vanishes separates the marks before it from those after it.
        var isBase: Bool { bits & 32 != 0 }
        /// The place of a mark that stays among a letter's marks; 0 for everything else.
        var order: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
        /// Where the decomposition is found; 0 for none.
        var decomposition: UInt32 { UInt32(truncatingIfNeeded: bits >> 16) & 0xFF_FFFF }
        /// Where the lower case is found; 0 for none.
        var lowerCase: UInt32 { UInt32(truncatingIfNeeded: bits >> 40) }
    }

    static let shared = BertCharacters()

    /// Which page of entries the characters of each 256 have; many share a page.
    private var pages: [UInt16]
    /// Whether the characters of each 256 have their page for themselves.
    private var owned: [Bool]
    private var entries: [Entry]
    /// What characters become that become more than one; places count from `firstSequence`.
    private var sequences: [[UInt32]] = []

    private static let firstSequence: UInt32 = 0x20_0000
    private static let pageSize: UInt32 = 256

    private init() {
        pages = Array(repeating: 0, count: 0x1100)
        owned = Array(repeating: false, count: 0x1100)
        entries = Array(repeating: Entry(), count: Int(Self.pageSize))
        let flags: [(String, UInt64)] = [
            (Self.removed, 1), (Self.white, 2), (Self.punctuation, 4), (Self.ideographs, 8), (Self.stripped, 16),
            (Self.bases, 32),
        ]
        for (table, flag) in flags {
            for run in PackedNumbers(table).runs() { mark(run, with: flag) }
        }
        for (scalar, result) in PackedNumbers(Self.ordered).mapping() {
            change(scalar) { $0.bits |= UInt64(result[0]) << 8 }
        }
        for (scalar, result) in PackedNumbers(Self.decomposed).mapping() {
            let place = place(of: result)
            change(scalar) { $0.bits |= UInt64(place) << 16 }
        }
        for (scalar, result) in PackedNumbers(Self.lowered).mapping() {
            let place = place(of: result)
            change(scalar) { $0.bits |= UInt64(place) << 40 }
        }
    }

    subscript(scalar: UInt32) -> Entry {
        entries[Int(pages[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)]
    }

    /// Calls `body` with what a place in an entry stands for.
    func forEach(at place: UInt32, _ body: (UInt32) -> Void) {
        if place < Self.firstSequence {
            body(place)
        } else {
            for scalar in sequences[Int(place - Self.firstSequence)] { body(scalar) }
        }
    }

    private mutating func place(of result: [UInt32]) -> UInt32 {
        if result.count == 1 { return result[0] }
        sequences.append(result)
        return Self.firstSequence + UInt32(sequences.count - 1)
    }

    private mutating func mark(_ run: ClosedRange<UInt32>, with flag: UInt64) {
        var scalar = run.lowerBound
        var wholePage: UInt16?
        while scalar <= run.upperBound {
            let isWhole = scalar & 0xFF == 0 && run.upperBound - scalar >= Self.pageSize - 1
            if isWhole, pages[Int(scalar >> 8)] == 0 {
                if wholePage == nil {
                    wholePage = UInt16(entries.count >> 8)
                    entries.append(contentsOf: repeatElement(Entry(bits: flag), count: Int(Self.pageSize)))
                }
                pages[Int(scalar >> 8)] = wholePage ?? 0
                scalar += Self.pageSize
            } else {
                change(scalar) { $0.bits |= flag }
                scalar += 1
            }
        }
    }

    private mutating func change(_ scalar: UInt32, _ body: (inout Entry) -> Void) {
        let page = Int(scalar >> 8)
        // A page that others may share is copied before its first change.
        if !owned[page] {
            let start = Int(pages[page]) << 8
            pages[page] = UInt16(entries.count >> 8)
            owned[page] = true
            entries.append(contentsOf: entries[start..<start + Int(Self.pageSize)])
        }
        body(&entries[Int(pages[page]) << 8 | Int(scalar & 0xFF)])
    }
}
