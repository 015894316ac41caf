import Glibc

/// The environment variables that say where servers are, read once.
package enum TestEnvironment {
    package static let values: [String: String] = {
        var values: [String: String] = [:]
        for name in ["KNOT_CACHE", "XDG_CACHE_HOME", "HOME", "PATH"] {
            // Nothing in the tests changes the environment, and the value is copied at once.
            if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
        }
        return values
    }()
}
