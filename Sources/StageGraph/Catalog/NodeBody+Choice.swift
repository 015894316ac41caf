extension SelectStage {
    /// Sees to it that selected, reserve and rest are disjoint and together everything that was ranked.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let ranking = try inputs.value(Self.ranking)
            let selection = try await self.select(from: ranking, inputs, in: context)
            let selected = selection.selected.map { $0.item.itemID }
            let reserve = selection.reserve.map { $0.item.itemID }
            try context.node.verify(
                selected + reserve + selection.rest,
                partition: ranking.entries.map { $0.item.itemID },
                as: "selected, in reserve or the rest"
            )
            var events = selected.enumerated().map { ItemEvent.selected($1, position: $0) }
            events += reserve.enumerated().map { ItemEvent.reserved($1, position: $0) }
            events += selection.rest.map(ItemEvent.notSelected)
            events += selection.relaxations.map(ItemEvent.relaxed)
            context.log.account(events)
            return NodeBody.Product(value: selection, incoming: ranking.entries.count, outgoing: selected.count)
        }
    }
}

extension CheckStage {
    /// Sees to it that everything selected or in reserve stands, is lost or was not needed, and that nothing is added.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let selection = try inputs.value(Self.selection)
            let checked = try await self.check(selection, inputs, in: context)
            let incoming = (selection.selected + selection.reserve).map { $0.item.itemID }
            let standing = checked.standing.map { $0.ranked.item.itemID }
            try context.node.verify(
                standing + checked.lost.map(\.item) + checked.unused,
                partition: incoming,
                as: "standing, lost or unused"
            )
            guard standing.count <= selection.selected.count else {
                throw .brokenLaw(
                    context.node,
                    "\(standing.count) items stand although \(selection.selected.count) were selected"
                )
            }
            let unused = Set(checked.unused)
            guard checked.further.allSatisfy({ unused.contains($0.ranked.item.itemID) }) else {
                throw .brokenLaw(context.node, "what is shown besides is not among the unused")
            }
            var events = checked.standing.enumerated().map { place, standing in
                ItemEvent.chosen(
                    standing.ranked.item.itemID,
                    position: place,
                    verdict: standing.verdict,
                    refilledFrom: standing.refilledFrom
                )
            }
            events += checked.lost.map(ItemEvent.lost)
            events += checked.unused.map(ItemEvent.unused)
            events += checked.relaxations.map(ItemEvent.relaxed)
            context.log.account(events)
            return NodeBody.Product(value: checked, incoming: incoming.count, outgoing: standing.count)
        }
    }
}

extension NodeID {
    /// Throws class stage unless the ids are exactly the incoming ones, each once.
    fileprivate func verify(_ ids: [ItemID], partition incoming: [ItemID], as ends: String) throws(StageFailure) {
        var account = ItemAccount(incoming)
        for id in ids { try account.close(id, at: self) }
        if let forgotten = account.firstOpen {
            throw .brokenLaw(self, "item \(forgotten) is neither \(ends)")
        }
    }
}
