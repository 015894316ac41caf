/// A model's vocabulary: pieces of words and their numbers, found by their bytes.
struct WordPieces: Sendable {
    let count: Int
    /// The bytes of the longest piece, without the sign of continuation.
    let longest: Int

    /// All pieces, one after the other; piece n is bytes `offsets[n]` to `offsets[n + 1]`.
    private let bytes: [UInt8]
    private let offsets: [UInt32]
    /// Open addressing: the upper half of a piece's hash and its number plus one; 0 for an empty slot.
    private let slots: [UInt64]
    private let mask: UInt64
    private let continuation: [UInt8]
    private let continuationHash: UInt64

    static let most = 1 << 24

    /// Pieces in the order of their numbers; of two equal ones the later counts.
    init(_ pieces: some Sequence<some Collection<UInt8>>, continuation: String) {
        var bytes: [UInt8] = []
        var offsets: [UInt32] = [0]
        for piece in pieces {
            bytes.append(contentsOf: piece)
            offsets.append(UInt32(bytes.count))
        }
        self.init(bytes, offsets, continuation)
    }

    /// The pieces that stand one on each line of a file.
    init(lines text: [UInt8], continuation: String) {
        var bytes: [UInt8] = []
        var offsets: [UInt32] = [0]
        bytes.reserveCapacity(text.count)
        offsets.reserveCapacity(text.count / 7)
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, text[end] != 0x0A { end += 1 }
            let isReturned = end > start && text[end - 1] == 0x0D
            bytes.append(contentsOf: text[start..<(isReturned ? end - 1 : end)])
            offsets.append(UInt32(bytes.count))
            start = end + 1
        }
        self.init(bytes, offsets, continuation)
    }

    private init(_ bytes: [UInt8], _ offsets: [UInt32], _ continuation: String) {
        count = offsets.count - 1
        self.bytes = bytes
        self.offsets = offsets
        self.continuation = Array(continuation.utf8)
        continuationHash = Self.hash(self.continuation[...], from: Self.seed)

        var capacity = 16
        while capacity < 2 * count { capacity *= 2 }
        mask = UInt64(capacity - 1)
        var slots = [UInt64](repeating: 0, count: capacity)
        var longest = 0
        for number in 0..<count {
            let piece = bytes[Int(offsets[number])..<Int(offsets[number + 1])]
            longest = max(longest, piece.count)
            let hash = Self.hash(piece, from: Self.seed)
            var slot = Int(Self.mixed(hash) & mask)
            while slots[slot] != 0 {
                // Pieces of unlike hashes need not be compared.
                if slots[slot] >> 32 == hash >> 32 {
                    let other = Int(slots[slot] & 0xFFFF_FFFF) - 1
                    if bytes[Int(offsets[other])..<Int(offsets[other + 1])] == piece { break }
                }
                slot = (slot + 1) & Int(mask)
            }
            slots[slot] = Self.entry(hash: hash, number: number)
        }
        self.slots = slots
        self.longest = longest
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
                let known = bytes[Int(offsets[number])..<Int(offsets[number + 1])]
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
