extension SourceStage {
    /// Keeps the first of two items with one id and says that there was another.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let items = try await self.retrieve(inputs, in: context)
            var seen = ItemTable(capacity: items.count)
            var kept: [Item] = []
            var events: [ItemEvent] = []
            kept.reserveCapacity(items.count)
            for item in items {
                if seen.insert(item.itemID).isNew {
                    kept.append(item)
                } else {
                    events.append(.duplicated(item.itemID))
                }
            }
            context.log.account([.retrieved(seen.items)] + events)
            context.noteDoubled(events.count)
            return NodeBody.Product(value: Pool(kept), incoming: items.count, outgoing: kept.count)
        }
    }
}

extension AggregateStage {
    /// Sees to it that every incoming item is kept, merged or cut exactly once.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let arrived = inputs.values(Self.pools)
            var seen = ItemTable(capacity: arrived.reduce(0) { $0 + $1.value.items.count })
            var events: [ItemEvent] = []
            let pools = arrived.map { arrival in
                let fresh = arrival.value.items.filter { item in
                    guard seen.insert(item.itemID).isNew else {
                        events.append(
                            .merged(Merge(absorbed: item.itemID, survivor: item.itemID, why: "same_id"))
                        )
                        return false
                    }
                    return true
                }
                return (node: arrival.node, value: Pool(fresh))
            }
            let union = try await self.unite(pools, inputs, in: context)
            try union.verify(accountsFor: seen.items, at: context.node)
            context.log.account(events + union.events)
            context.noteDoubled(events.count)
            return NodeBody.Product(
                value: Pool(union.items),
                incoming: arrived.reduce(0) { $0 + $1.value.items.count },
                outgoing: union.items.count
            )
        }
    }
}

extension FilterStage {
    /// Asks for a verdict on one item after the other, so that a filter cannot lose one.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let pool = try inputs.value(Self.pool)
            let facts = try await self.facts(for: pool, inputs, in: context)
            var kept: [Item] = []
            var events: [ItemEvent] = []
            var turn = 0
            kept.reserveCapacity(pool.items.count)
            for item in pool.items {
                turn += 1
                if turn & 0xFF == 0 { try context.checkCancellation() }
                switch try self.verdict(on: item, given: facts) {
                case .keep: kept.append(item)
                case .keepFlagged(let flags):
                    kept.append(item)
                    events.append(.flagged(item.itemID, flags))
                case .drop(let reason, let evidence):
                    events.append(.dropped(Removal(item: item.itemID, reason: reason, evidence: evidence)))
                }
            }
            context.log.account(events)
            return NodeBody.Product(value: Pool(kept), incoming: pool.items.count, outgoing: kept.count)
        }
    }
}

extension ShortlistStage {
    /// Sees to it that a shortlist keeps or cuts every item of its pool.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let pool = try inputs.value(Self.pool)
            let columns = inputs.values(Self.columns).map { $0.value.standing(for: $0.node) }
            let union = try self.shorten(pool, by: columns, inputs, in: context)
            try union.verify(accountsFor: pool.items.map { $0.itemID }, at: context.node)
            context.log.account(union.events)
            return NodeBody.Product(value: Pool(union.items), incoming: pool.items.count, outgoing: union.items.count)
        }
    }
}

extension StageContext {
    /// Says how many items were left out because their id had already come.
    fileprivate func noteDoubled(_ count: Int) {
        guard count > 0 else { return }
        note(
            "duplicate_id",
            "\(count) items came with an id that had already come, and the first with it stands",
            degrades: false
        )
    }
}
