import FileInput
import Glibc

/// The environment variables this program knows, read once at the start.
struct Environment: Sendable, Equatable {
    private let values: [String: String]
    /// Variables whose bytes are no text, written out: they count as not set, and whoever needs them says so.
    let unspeakable: [String: String]

    init(_ values: [String: String], unspeakable: [String: String] = [:]) {
        self.values = values
        self.unspeakable = unspeakable
    }

    /// A set variable, even an empty one; nil when it is not set.
    subscript(name: String) -> String? { values[name] }

    /// Every set variable of those this program knows.
    var all: [String: String] { values }

    /// Variables that belong to no flag.
    static let known = [
        "KNOT_CONFIG", "XDG_CONFIG_HOME", "HOME", "COLUMNS", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "TZDIR",
        "DATABASE_URL", "DATABASE_URL_FILE", "KNOT_DEV_DB", "KNOT_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "PATH", "TZ",
    ]

    /// The process's own.
    static func current() -> Environment {
        var values: [String: String] = [:]
        var unspeakable: [String: String] = [:]
        for name in known + DatabaseDesk.connectionVariables + Flag.all.compactMap(\.environment) {
            // Called before any other thread runs, and copied at once.
            guard let value = unsafe getenv(name) else { continue }
            if let text = unsafe String(validatingCString: value) {
                values[name] = text
            } else {
                let bytes = unsafe UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) }
                unspeakable[name] = OddText.written(bytes)
            }
        }
        return Environment(values, unspeakable: unspeakable)
    }
}
