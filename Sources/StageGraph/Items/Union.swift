/// What an aggregator made of several pools: every incoming item is kept, merged into a kept one, or cut with a reason.
package struct Union<Item: GraphItem>: Sendable {
    package var items: [Item]
    package var merged: [Merge]
    package var cut: [Removal]

    package init(items: [Item], merged: [Merge] = [], cut: [Removal] = []) {
        self.items = items
        self.merged = merged
        self.cut = cut
    }
}
