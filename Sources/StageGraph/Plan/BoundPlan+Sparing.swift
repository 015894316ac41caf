extension BoundPlan {
    /// The same stages, but one filter or shortlist keeps one item whatever it thinks of it.
    ///
    /// It is for asking what would have become of the item. The node still says that it dropped it; what counts is how
    /// far the item comes afterwards.
    package func sparing<Item: GraphItem>(_ item: ItemID, at node: NodeID, in type: Item.Type) -> BoundPlan {
        guard let index = plan[node]?.index, [.filter, .shortlist].contains(plan.nodes[index].stage.role) else {
            return self
        }
        let port = InputPort<Pool<Item>>(plan.nodes[index].stage.itemInput ?? "pool")
        let body = bodies[index]
        var bodies = bodies
        bodies[index] = NodeBody { (inputs, context) async throws(StageFailure) in
            let product = try await body.run(inputs, context)
            guard let kept = product.value as? Pool<Item>, !kept.items.contains(where: { $0.itemID == item }) else {
                return product
            }
            let before = try inputs.value(port).items
            guard let place = before.firstIndex(where: { $0.itemID == item }) else { return product }
            // It comes back where it stood, so that a spared item is no different from one that was never in doubt.
            let earlier = Set(before[..<place].map { $0.itemID })
            let position = kept.items.prefix { earlier.contains($0.itemID) }.count
            var items = kept.items
            items.insert(before[place], at: position)
            context.trace(TraceEvent("spared", item: item))
            return NodeBody.Product(value: Pool(items), incoming: product.incoming, outgoing: items.count)
        }
        return BoundPlan(plan: plan, bodies: bodies)
    }
}
