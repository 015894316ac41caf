/// Anything a graph can retrieve, drop, score and choose.
package protocol GraphItem: Sendable {
    var itemID: ItemID { get }
}
