/// A model's vocabulary: pieces of words and their numbers, found by their bytes.
struct WordPieces: Sendable {
    let count: Int
    /// The bytes of the longest piece, without the sign of continuation.
    let longest: Int

    /// Where each piece stands in `bytes`, by its number.
    private let places: [Range<UInt32>]
    private let bytes: [UInt8]
    /// Open addressing: the upper half of a piece's hash and its number plus one; 0 for an empty slot.
    private let slots: [UInt64]
    private let mask: UInt64
    private let continuation: [UInt8]
    private let continuationHash: UInt64

    static let most = 1 << 24

    /// Pieces in the order of their numbers; of two equal ones the later counts.
    init(_ pieces: some Sequence<some Collection<UInt8>>, continuation: String) {
        var bytes: [UInt8] = []
        var found: [Found] = []
        for piece in pieces {
            let start = UInt32(bytes.count)
            bytes.append(contentsOf: piece)
            found.append(Found(place: start..<UInt32(bytes.count), hash: piece.reduce(Self.seed, Self.step)))
        }
        self.init(found, in: bytes, continuation)
    }

    /// The pieces that stand one on each line of a file.
    init(lines text: [UInt8], continuation: String) {
        var found: [Found] = []
        found.reserveCapacity(text.count / 7)
        let letters = text.span
        var start = 0
        while start < letters.count {
            // A piece is hashed on the way to its end, since each start of the program reads tens of thousands.
            var (hash, shorter) = (Self.seed, Self.seed)
            var end = start
            while end < letters.count, letters[end] != 0x0A {
                shorter = hash
                hash = Self.step(hash, letters[end])
                end += 1
            }
            let isReturned = end > start && letters[end - 1] == 0x0D
            let place = UInt32(start)..<UInt32(isReturned ? end - 1 : end)
            found.append(Found(place: place, hash: isReturned ? shorter : hash))
            start = end + 1
        }
        self.init(found, in: text, continuation)
    }

    /// A piece as its source was read: where it stands, and the hash of its bytes.
    private struct Found {
        let place: Range<UInt32>
        let hash: UInt64
    }

    private init(_ pieces: [Found], in bytes: [UInt8], _ continuation: String) {
        count = pieces.count
        self.bytes = bytes
        places = pieces.map(\.place)
        self.continuation = Array(continuation.utf8)
        continuationHash = Self.hash(self.continuation[...], from: Self.seed)

        var capacity = 16
        while capacity < 2 * count { capacity *= 2 }
        mask = UInt64(capacity - 1)
        var slots = [UInt64](repeating: 0, count: capacity)
        var longest = 0
        for (number, piece) in pieces.enumerated() {
            longest = max(longest, piece.place.count)
            var slot = Int(Self.mixed(piece.hash) & mask)
            while slots[slot] != 0 {
                // Pieces of unlike hashes need not be compared.
                if slots[slot] >> 32 == piece.hash >> 32 {
                    let other = pieces[Int(slots[slot] & 0xFFFF_FFFF) - 1]
                    if Self.bytes(other.place, of: bytes) == Self.bytes(piece.place, of: bytes) { break }
                }
                slot = (slot + 1) & Int(mask)
            }
            slots[slot] = Self.entry(hash: piece.hash, number: number)
        }
        self.slots = slots
        self.longest = longest
    }

    private static func bytes(_ place: Range<UInt32>, of bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[Int(place.lowerBound)..<Int(place.upperBound)]
    }

    func number(of piece: String) -> UInt32? {
        let bytes = Array(piece.utf8)
        return number(hash: Self.hash(bytes[...], from: Self.seed), prefix: [], bytes[...])
    }

    /// Appends the numbers of the longest pieces that make up the word, or of `unknown` when some part has none.
    ///
    /// `hashes` is a scratch buffer.
    func append(_ word: [UInt8], unknown: UInt32, hashes: inout [UInt64], to numbers: inout [UInt32]) {
        let before = numbers.count
        var start = 0
        while start < word.count {
            let end = min(word.count, start + longest)
            var hash = start == 0 ? Self.seed : continuationHash
            hashes.removeAll(keepingCapacity: true)
            for place in start..<end {
                hash = Self.step(hash, word[place])
                hashes.append(hash)
            }
            let prefix = start == 0 ? [] : continuation
            var found: UInt32?
            var stop = end
            while stop > start {
                found = number(hash: hashes[stop - start - 1], prefix: prefix, word[start..<stop])
                if found != nil { break }
                stop -= 1
            }
            guard let found else {
                numbers.removeSubrange(before...)
                numbers.append(unknown)
                return
            }
            numbers.append(found)
            start = stop
        }
    }

    private func number(hash: UInt64, prefix: [UInt8], _ piece: ArraySlice<UInt8>) -> UInt32? {
        var slot = Int(Self.mixed(hash) & mask)
        while slots[slot] != 0 {
            let entry = slots[slot]
            if entry >> 32 == hash >> 32 {
                let number = Int(entry & 0xFFFF_FFFF) - 1
                let known = Self.bytes(places[number], of: bytes)
                if known.count == prefix.count + piece.count, known.starts(with: prefix),
                    known.dropFirst(prefix.count).elementsEqual(piece)
                {
                    return UInt32(number)
                }
            }
            slot = (slot + 1) & Int(mask)
        }
        return nil
    }

    // FNV-1a, whose state after a prefix is the start for what follows.
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private static func hash(_ bytes: ArraySlice<UInt8>, from seed: UInt64) -> UInt64 {
        bytes.reduce(seed, step)
    }

    private static func mixed(_ hash: UInt64) -> UInt64 { (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15 >> 20 }

    private static func entry(hash: UInt64, number: Int) -> UInt64 { (hash & ~0xFFFF_FFFF) | UInt64(number + 1) }
}
