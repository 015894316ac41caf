import JSONDocument
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

extension Pebble {
    static let codec = EffectCodec<[Pebble]>(
        encode: { pebbles in .array(pebbles.map { [.string($0.itemID.text), .number($0.weight)] }) },
        decode: { value in
            value.array?.compactMap { item in
                guard let parts = item.array, parts.count == 2, let id = parts[0].string, let weight = parts[1].double
                else { return nil }
                return Pebble(id, weight: weight)
            }
        }
    )
}
