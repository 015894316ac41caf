/// Items that are still in the running, each id once.
package struct Pool<Item: GraphItem>: Sendable {
    package let items: [Item]

    package init(_ items: [Item]) {
        self.items = items
    }
}
