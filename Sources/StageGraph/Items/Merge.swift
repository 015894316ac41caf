/// One item that was found to be the same thing as another.
package struct Merge: Sendable, Hashable {
    package let absorbed: ItemID
    package let survivor: ItemID
    package let why: String

    package init(absorbed: ItemID, survivor: ItemID, why: String) {
        self.absorbed = absorbed
        self.survivor = survivor
        self.why = why
    }
}
