extension Union {
    /// Throws class stage unless every id is kept, merged or cut exactly once and nothing is invented.
    func verify(accountsFor incoming: [ItemID], at node: NodeID) throws(StageFailure) {
        var account = ItemAccount(incoming)
        for item in items { try account.close(item.itemID, at: node) }
        for merge in merged { try account.close(merge.absorbed, at: node) }
        for removal in cut { try account.close(removal.item, at: node) }
        if let forgotten = account.firstOpen {
            throw .brokenLaw(node, "item \(forgotten) is neither kept, merged nor cut")
        }
        for merge in merged where merge.survivor == merge.absorbed || !account.contains(merge.survivor) {
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
