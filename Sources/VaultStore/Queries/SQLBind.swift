/// One value on its way to the server: its type and its binary form, nil for null.
package struct SQLBind: Sendable, Hashable {
    /// Why a value cannot be sent; found while it is made, told when the query is run.
    enum Flaw: Sendable, Hashable {
        case zeroInText
        case outOfRange
    }

    package let type: PostgresType
    let bytes: [UInt8]?
    let flaw: Flaw?

    init(_ type: PostgresType, _ bytes: [UInt8]?, flaw: Flaw? = nil) {
        self.type = type
        self.bytes = bytes
        self.flaw = flaw
    }
}
