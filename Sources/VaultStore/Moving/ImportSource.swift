/// One file on its way in, with what lies beside it.
package struct ImportSource: Sendable {
    /// What messages call it.
    package let name: String
    package let bytes: [UInt8]
    package let readings: [UInt8]?
    package let rates: [UInt8]?

    package init(name: String, bytes: [UInt8], readings: [UInt8]? = nil, rates: [UInt8]? = nil) {
        self.name = name
        self.bytes = bytes
        self.readings = readings
        self.rates = rates
    }
}
