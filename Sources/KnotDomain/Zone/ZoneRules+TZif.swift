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
