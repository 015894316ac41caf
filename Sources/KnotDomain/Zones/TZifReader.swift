/// Walks the bytes of a compiled zone file; every read is checked against the end.
struct TZifReader {
    /// The six counts that say how long a block's parts are.
    struct Header {
        let version: Int
        let universalCount: Int
        let standardCount: Int
        let leapCount: Int
        let timeCount: Int
        let typeCount: Int
        let letterCount: Int

        /// The block's length in bytes; the counts have 32 bits each, so the sum cannot overflow.
        func size(timeWidth: Int) -> Int {
            timeCount * timeWidth + timeCount + typeCount * 6 + letterCount + leapCount * (timeWidth + 4)
                + standardCount + universalCount
        }
    }

    /// One block's transitions and local time types.
    struct Block {
        var transitions: [Int] = []
        var indexes: [UInt8] = []
        var offsets: [Int] = []
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) throws(ZoneError) {
        guard count <= bytes.count - position else { throw ZoneError(.truncated, "it ends before its data does") }
        position += count
    }

    private mutating func bigEndian(width: Int) throws(ZoneError) -> UInt64 {
        let start = position
        try skip(width)
        return bytes[start..<position].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func header() throws(ZoneError) -> Header {
        guard bytes.count - position >= 4, bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
            throw ZoneError(.notTZif, "it does not begin with TZif")
        }
        try skip(4)
        let version = try bigEndian(width: 1)
        try skip(15)
        var counts: [Int] = []
        for _ in 0..<6 { counts.append(Int(try bigEndian(width: 4))) }
        let header = Header(
            version: version == 0 ? 1 : Int(version) - 0x30,
            universalCount: counts[0],
            standardCount: counts[1],
            leapCount: counts[2],
            timeCount: counts[3],
            typeCount: counts[4],
            letterCount: counts[5]
        )
        guard version == 0 || (0x32...0x39).contains(version) else {
            throw ZoneError(.notTZif, "its version is not known")
        }
        return header
    }

    mutating func block(_ header: Header, timeWidth: Int) throws(ZoneError) -> Block {
        guard header.size(timeWidth: timeWidth) <= bytes.count - position else {
            throw ZoneError(.truncated, "it ends before its data does")
        }
        guard (1...256).contains(header.typeCount), header.letterCount > 0,
            [0, header.typeCount].contains(header.standardCount),
            [0, header.typeCount].contains(header.universalCount)
        else { throw ZoneError(.inconsistentCounts, "its counts contradict one another") }
        guard header.leapCount == 0 else {
            // Such files count leap seconds, which no other clock here does: every moment would be off.
            throw ZoneError(.leapSeconds, "it counts leap seconds")
        }
        var block = Block()
        block.transitions.reserveCapacity(header.timeCount)
        for _ in 0..<header.timeCount {
            let raw = try bigEndian(width: timeWidth)
            block.transitions.append(
                timeWidth == 4 ? Int(Int32(truncatingIfNeeded: raw)) : Int(Int64(bitPattern: raw))
            )
        }
        block.indexes = Array(bytes[position..<position + header.timeCount])
        try skip(header.timeCount)
        for _ in 0..<header.typeCount {
            block.offsets.append(Int(Int32(truncatingIfNeeded: try bigEndian(width: 4))))
            let isDaylight = try bigEndian(width: 1)
            let letters = try bigEndian(width: 1)
            guard isDaylight <= 1, letters < UInt64(header.letterCount) else {
                throw ZoneError(.inconsistentCounts, "a local time type is malformed")
            }
        }
        try skip(header.letterCount + header.standardCount + header.universalCount)
        return block
    }

    /// The rule between the two line ends that close the file; empty when there is none.
    mutating func footer() throws(ZoneError) -> String {
        guard position < bytes.count, bytes[position] == 0x0A else {
            throw ZoneError(.truncated, "its closing rule is missing")
        }
        let rest = bytes[(position + 1)...]
        guard let end = rest.firstIndex(of: 0x0A) else {
            throw ZoneError(.truncated, "its closing rule has no end")
        }
        guard end - position <= 256, let text = String(validating: rest[..<end], as: UTF8.self) else {
            throw ZoneError(.badRule, "its closing rule is not a text")
        }
        return text
    }
}

extension ZoneRules {
    /// Reads a compiled zone file (RFC 9636, versions 1 to 4); whatever it holds, it is refused rather than trusted.
    package init(tzif bytes: [UInt8]) throws(ZoneError) {
        var reader = TZifReader(bytes)
        let first = try reader.header()
        guard first.version >= 2 else {
            try self.init(block: reader.block(first, timeWidth: 4), rule: nil)
            return
        }
        try reader.skip(first.size(timeWidth: 4))
        let second = try reader.header()
        let block = try reader.block(second, timeWidth: 8)
        let footer = try reader.footer()
        try self.init(block: block, rule: footer.isEmpty ? nil : PosixZoneRule(parsing: footer))
    }

    private init(block: TZifReader.Block, rule: PosixZoneRule?) throws(ZoneError) {
        for (earlier, later) in zip(block.transitions, block.transitions.dropFirst()) where earlier >= later {
            throw ZoneError(.badTransition, "its transitions are not in ascending order")
        }
        guard block.indexes.allSatisfy({ Int($0) < block.offsets.count }) else {
            throw ZoneError(.badTransition, "a transition points at a local time type that is not there")
        }
        // RFC 9636 asks for offsets between -25 and +26 hours.
        guard block.offsets.allSatisfy({ (-89_999...93_599).contains($0) }) else {
            throw ZoneError(.badOffset, "an offset is longer than a day")
        }
        self.init(transitions: block.transitions, indexes: block.indexes, offsets: block.offsets, rule: rule)
    }
}
