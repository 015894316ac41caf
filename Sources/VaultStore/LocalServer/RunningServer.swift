import Glibc

/// A server of ours that takes connections.
package struct RunningServer: Sendable, Equatable {
    /// The superuser, and the database that stands ready.
    package static let user = "knot"
    package static let database = "knot"

    package let pid: Int32
    package let majorVersion: Int
    package let folder: String
    package let socketFolder: String

    /// A connection URL for libpq that no `PG*` variable changes.
    package var url: String { url(database: Self.database) }

    /// The URL of another database of this server, or for another role.
    package func url(database: String, user: String = user) -> String {
        "postgresql://\(Self.escaped(user))@/\(Self.escaped(database))?host=\(Self.escaped(socketFolder))&port=5432"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }
}
