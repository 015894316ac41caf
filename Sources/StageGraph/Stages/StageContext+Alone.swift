extension StageContext {
    /// A context for one stage outside any graph, such as in its tests; what it notes can be read from the notebook.
    package init(
        alone node: NodeID,
        seed: UInt64 = 0,
        effects: EffectMode = .live,
        deadlines: DeadlineKeeper,
        life: Duration = .seconds(60),
        notebook: NodeNotebook = NodeNotebook()
    ) {
        self.init(
            node: node,
            seedSource: .given(seed),
            deadline: .now + life,
            effects: EffectDesk(node: node, mode: effects, notebook: notebook),
            deadlines: deadlines,
            notebook: notebook
        )
    }
}
