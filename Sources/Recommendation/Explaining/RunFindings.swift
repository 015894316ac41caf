import KnotDomain
import StageGraph

/// What a run left at its nodes, found by role and type whatever the nodes are called.
struct RunFindings: Sendable {
    let run: EngineRun
    let brief: Brief?
    /// The ranking the set was chosen from; nil when the run did not come so far.
    let ranking: Ranking<Offer>?
    /// The columns the ranking was made of, by the scorer's node.
    let columns: [NodeID: ScoreColumn]
    /// The selector, and what it chose.
    let selector: PlanNode?
    let selection: Selection<Offer>?
    /// The offers by id, as the last node that handed them on had them.
    let offers: [ItemID: Offer]

    init(_ run: EngineRun) {
        self.run = run
        let plan = run.plan
        let report = run.report
        func first<Value>(_ role: StageRole, _ type: Value.Type) -> (node: PlanNode, value: Value)? {
            for index in plan.order.reversed() where plan.nodes[index].stage.role == role {
                if let value = report.output(of: plan.nodes[index].id, as: type) { return (plan.nodes[index], value) }
            }
            return nil
        }
        brief = first(.reader, Brief.self)?.value
        let combined = first(.combiner, Ranking<Offer>.self)
        ranking = combined?.value
        let chosen = first(.selector, Selection<Offer>.self)
        selector = chosen?.node
        selection = chosen?.value
        var columns: [NodeID: ScoreColumn] = [:]
        for feed in combined?.node.feeds ?? [] {
            for index in feed.nodes {
                let id = plan.nodes[index].id
                if let column = report.output(of: id, as: ScoreColumn.self) { columns[id] = column }
            }
        }
        self.columns = columns
        var offers: [ItemID: Offer] = [:]
        for index in plan.order {
            for offer in report.output(of: plan.nodes[index].id, as: Pool<Offer>.self)?.items ?? [] {
                offers[offer.itemID] = offer
            }
        }
        self.offers = offers
    }

    /// The final set, checked and presented; empty for a run that failed.
    var choices: [Choice] {
        if case .success(let choices) = run.result { choices.choices } else { [] }
    }

    /// One item's place in the ranking, from 1.
    func rank(of item: ItemID) -> Int? {
        ranking?.entries.firstIndex { $0.item.itemID == item }.map { $0 + 1 }
    }
}
