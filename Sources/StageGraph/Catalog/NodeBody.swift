/// A stage whose types are forgotten, wrapped in the accounting of its role so that no stage can go around it.
package struct NodeBody: Sendable {
    /// What one call made.
    struct Product: Sendable {
        let value: any Sendable
        /// How many items came in and went out; nil where the role has no items there.
        var incoming: Int?
        var outgoing: Int?
    }

    let run: @Sendable (StageInputs, StageContext) async throws(StageFailure) -> Product
}

extension TransformStage {
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            NodeBody.Product(value: try await self.run(inputs, in: context))
        }
    }
}

extension SinkStage {
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            NodeBody.Product(value: try await self.write(inputs, in: context))
        }
    }
}

extension ScoreStage {
    /// Asks for one item after the other; what is not finite counts as no opinion.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let pool = try inputs.value(Self.pool)
            let facts = try await self.facts(for: pool, inputs, in: context)
            var table = ItemTable(capacity: pool.items.count)
            var values: [Contribution] = []
            var events: [ItemEvent] = []
            // Counted by hand: in code generic over the item, an enumerated sequence costs more than the work.
            var turn = 0
            values.reserveCapacity(pool.items.count)
            for item in pool.items {
                turn += 1
                if turn & 0xFF == 0 { try context.checkCancellation() }
                guard let contribution = try self.contribution(of: item, given: facts) else { continue }
                if contribution.value.isFinite {
                    let (number, isNew) = table.insert(item.itemID)
                    if isNew { values.append(contribution) } else { values[number] = contribution }
                } else {
                    events.append(.nonFinite(item.itemID))
                }
            }
            let column = ScoreColumn(node: context.node, table: table, values: values)
            context.log.account(events + [.scored(column)])
            return NodeBody.Product(value: column, incoming: pool.items.count, outgoing: values.count)
        }
    }
}

extension CombineStage {
    /// Makes one total for every item; a total that is not finite puts the item last and is traced.
    package var nodeBody: NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let pool = try inputs.value(Self.pool)
            let columns = inputs.values(Self.columns).map { $0.value.standing(for: $0.node) }
            let facts = try self.facts(from: columns, inputs)
            var ranked: [Ranked<Item>] = []
            var events: [ItemEvent] = []
            var turn = 0
            ranked.reserveCapacity(pool.items.count)
            for item in pool.items {
                turn += 1
                if turn & 0xFF == 0 { try context.checkCancellation() }
                let entry = Ranked(item: item, total: try self.total(of: item, from: columns, given: facts))
                if !entry.score.isFinite { events.append(.nonFinite(item.itemID)) }
                ranked.append(entry)
            }
            let ranking = Ranking(ranked)
            let totals = ranking.entries.map { ItemEvent.Totalled(item: $0.item.itemID, total: $0.total) }
            context.log.account(events + [.totalled(totals)])
            return NodeBody.Product(value: ranking, incoming: pool.items.count, outgoing: ranked.count)
        }
    }
}
