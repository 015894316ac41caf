package import JSONDocument

/// Something a stage itself wants to leave in the trace.
package struct TraceEvent: Sendable, Equatable {
    package let name: String
    package let item: ItemID?
    /// An object; never with hint texts.
    package let fields: JSONValue

    package init(_ name: String, item: ItemID? = nil, _ fields: JSONValue = [:]) {
        self.name = name
        self.item = item
        self.fields = fields
    }
}
