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

extension NodeBody {
    static func transform<S: TransformStage>(_ stage: S) -> NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            Product(value: try await stage.run(inputs, in: context))
        }
    }

    static func sink<S: SinkStage>(_ stage: S) -> NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            Product(value: try await stage.write(inputs, in: context))
        }
    }
}

extension NodeBody {
    /// Asks for one item after the other; what is not finite counts as no opinion.
    static func score<S: ScoreStage>(_ stage: S) -> NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let pool = try inputs.value(S.pool)
            let facts = try await stage.facts(for: pool, inputs, in: context)
            var table = ItemTable(capacity: pool.items.count)
            var values: [Contribution] = []
            var events: [ItemEvent] = []
            // Counted by hand: in code generic over the item, an enumerated sequence costs more than the work.
            var turn = 0
            values.reserveCapacity(pool.items.count)
            for item in pool.items {
                turn += 1
                if turn & 0xFF == 0 { try context.checkCancellation() }
                guard let contribution = try stage.contribution(of: item, given: facts) else { continue }
                if contribution.value.isFinite {
                    let (number, isNew) = table.insert(item.itemID)
                    if isNew { values.append(contribution) } else { values[number] = contribution }
                } else {
                    events.append(.nonFinite(item.itemID))
                }
            }
            let column = ScoreColumn(node: context.node, table: table, values: values)
            context.notebook.account(events + [.scored(column)])
            return Product(value: column, incoming: pool.items.count, outgoing: values.count)
        }
    }

    /// Makes one total for every item; a total that is not finite puts the item last and is traced.
    static func combine<S: CombineStage>(_ stage: S) -> NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            let pool = try inputs.value(S.pool)
            let columns = inputs.values(S.columns).map { $0.value.standing(for: $0.node) }
            var ranked: [Ranked<S.Item>] = []
            var events: [ItemEvent] = []
            var turn = 0
            ranked.reserveCapacity(pool.items.count)
            for item in pool.items {
                turn += 1
                if turn & 0xFF == 0 { try context.checkCancellation() }
                let entry = Ranked(item: item, total: try stage.total(of: item, from: columns, inputs))
                if !entry.score.isFinite { events.append(.nonFinite(item.itemID)) }
                ranked.append(entry)
            }
            let ranking = Ranking(ranked)
            let totals = ranking.entries.map { ItemEvent.Totalled(item: $0.item.itemID, total: $0.total) }
            context.notebook.account(events + [.totalled(totals)])
            return Product(value: ranking, incoming: pool.items.count, outgoing: ranked.count)
        }
    }
}
