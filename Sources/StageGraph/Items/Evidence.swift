/// What a score rests on: a hint, an interest, a date, with the share it had.
package struct Evidence: Sendable, Hashable {
    package let kind: String
    package let ref: String
    package let weight: Double

    package init(kind: String, ref: String, weight: Double) {
        self.kind = kind
        self.ref = ref
        self.weight = weight
    }
}
