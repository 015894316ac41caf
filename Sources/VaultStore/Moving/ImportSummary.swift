/// What became of many files.
package struct ImportSummary: Sendable {
    /// One file that was not imported.
    package struct Failure: Sendable {
        package let name: String
        package let error: MovingError
    }

    package internal(set) var progress = ImportProgress()
    /// The first hundred.
    package internal(set) var failures: [Failure] = []
    /// Set when the database could not go on; the files after that were not tried.
    package internal(set) var stoppedBy: MovingError?

    static let failuresKept = 100
}
