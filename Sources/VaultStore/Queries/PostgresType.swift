/// The server's own number of a type; the built-in ones never change.
package struct PostgresType: Sendable, Hashable {
    package let oid: UInt32

    package init(oid: UInt32) {
        self.oid = oid
    }

    /// Lets the server find the type from where the value stands.
    static let inferred = PostgresType(oid: 0)
    static let bool = PostgresType(oid: 16)
    static let bytea = PostgresType(oid: 17)
    static let name = PostgresType(oid: 19)
    static let int8 = PostgresType(oid: 20)
    static let int2 = PostgresType(oid: 21)
    static let int4 = PostgresType(oid: 23)
    static let text = PostgresType(oid: 25)
    static let oid = PostgresType(oid: 26)
    static let json = PostgresType(oid: 114)
    static let float4 = PostgresType(oid: 700)
    static let float8 = PostgresType(oid: 701)
    static let unknown = PostgresType(oid: 705)
    static let boolArray = PostgresType(oid: 1_000)
    static let byteaArray = PostgresType(oid: 1_001)
    static let int2Array = PostgresType(oid: 1_005)
    static let int4Array = PostgresType(oid: 1_007)
    static let textArray = PostgresType(oid: 1_009)
    static let int8Array = PostgresType(oid: 1_016)
    static let float4Array = PostgresType(oid: 1_021)
    static let float8Array = PostgresType(oid: 1_022)
    static let bpchar = PostgresType(oid: 1_042)
    static let varchar = PostgresType(oid: 1_043)
    static let date = PostgresType(oid: 1_082)
    static let timestamptz = PostgresType(oid: 1_184)
    static let dateArray = PostgresType(oid: 1_182)
    static let timestamptzArray = PostgresType(oid: 1_185)
    static let uuid = PostgresType(oid: 2_950)
    static let uuidArray = PostgresType(oid: 2_951)
    static let jsonb = PostgresType(oid: 3_802)
    static let jsonbArray = PostgresType(oid: 3_807)

    /// True for types that extensions bring, such as `vector`: their numbers differ from server to server.
    var isOfExtension: Bool { oid >= 16_384 }
}
