/// What a selector chose: the selected and the reserve in order, and everything else by name.
package struct Selection<Item: GraphItem>: Sendable {
    package let selected: [Ranked<Item>]
    package let reserve: [Ranked<Item>]
    package let rest: [ItemID]
    package let relaxations: [Relaxation]

    package init(
        selected: [Ranked<Item>],
        reserve: [Ranked<Item>],
        rest: [ItemID],
        relaxations: [Relaxation] = []
    ) {
        self.selected = selected
        self.reserve = reserve
        self.rest = rest
        self.relaxations = relaxations
    }
}
