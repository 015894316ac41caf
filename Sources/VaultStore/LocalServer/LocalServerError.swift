/// Why a server of our own could not be found, started, stopped or looked at.
package struct LocalServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// No PostgreSQL on this machine can serve.
        case noServer
        /// The folder was not made by us, so nothing in it is touched.
        case foreignFolder
        /// The folder holds the data of a major version that is not here.
        case otherVersion
        /// Nothing runs, and what was asked needs a running server.
        case notRunning
        /// Another start, stop or reset of the same server goes on.
        case busy
        /// A folder cannot be written or entered by who has to.
        case notPermitted
        case pathTooLong
        case diskFull
        case startFailed
        case stopFailed
        case inputOutput
    }

    package let code: Code
    /// A sentence naming the thing.
    package let what: String
    /// What the person can do about it.
    package let todo: String

    init(_ code: Code, _ what: String, todo: String) {
        self.code = code
        self.what = what
        self.todo = todo
    }

    package var description: String { "\(what); \(todo)" }
}
