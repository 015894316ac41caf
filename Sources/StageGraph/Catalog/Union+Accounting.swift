extension Union {
    /// Throws class stage unless every id is kept, merged or cut exactly once and nothing is invented.
    func verify(accountsFor incoming: [ItemID], at node: NodeID) throws(StageFailure) {
        let known = Set(incoming)
        var open = known
        let ends = items.map { $0.itemID } + merged.map { $0.absorbed } + cut.map { $0.item }
        for id in ends where open.remove(id) == nil {
            throw .brokenLaw(node, known.contains(id) ? "item \(id) ends twice" : "item \(id) was invented")
        }
        if let forgotten = incoming.first(where: open.contains) {
            throw .brokenLaw(node, "item \(forgotten) is neither kept, merged nor cut")
        }
        for merge in merged where merge.survivor == merge.absorbed || !known.contains(merge.survivor) {
            throw .brokenLaw(
                node,
                "item \(merge.absorbed) was merged into \(merge.survivor), which is not another item here"
            )
        }
    }

    /// What leaves here, for the trace.
    var events: [ItemEvent] {
        merged.map(ItemEvent.merged) + cut.map(ItemEvent.cut)
    }
}
