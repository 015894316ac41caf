import StageGraph

/// The item of these tests.
struct Pebble: GraphItem, Equatable {
    let itemID: ItemID
    let weight: Double

    init(_ id: String, weight: Double = 1) {
        itemID = ItemID(id)
        self.weight = weight
    }
}
