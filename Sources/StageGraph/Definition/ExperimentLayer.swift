package import JSONDocument

/// A patch somebody tries out on top of a pipeline.
package struct ExperimentLayer: Sendable {
    /// The file it came from.
    package let file: String
    package let patch: JSONValue

    package init(file: String, patch: JSONValue) {
        self.file = file
        self.patch = patch
    }
}
