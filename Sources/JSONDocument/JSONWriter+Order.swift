extension JSONWriter {
    /// Objects of no more members than these are sorted in place, without a call for each comparison.
    private static let fewMembers = 32

    /// The places of the members by the UTF-16 units of their names; equal names keep their order.
    ///
    /// Places are moved about instead of members, which would be copied each time.
    static func canonicalOrder(of members: [JSONObject.Member]) -> [Int] {
        var order = Array(members.indices)
        guard members.count <= fewMembers else {
            order.sort { precedes(members[$0].name, members[$1].name) }
            return order
        }
        for place in order.indices.dropFirst() {
            var free = place
            while free > 0, precedes(members[place].name, members[order[free - 1]].name) {
                order[free] = order[free - 1]
                free -= 1
            }
            order[free] = place
        }
        return order
    }

    /// By UTF-16 units.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        var left = left.utf8.makeIterator()
        var right = right.utf8.makeIterator()
        while let second = right.next() {
            guard let first = left.next() else { return true }
            if first == second { continue }
            return rank(first) < rank(second)
        }
        return false
    }

    /// Bytes have the order of the units, but that what lies behind the surrogates comes after what they stand for.
    private static func rank(_ byte: UInt8) -> UInt8 { byte == 0xEE || byte == 0xEF ? byte + 8 : byte }
}
