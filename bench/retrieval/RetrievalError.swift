/// Why a data set or the model cannot be measured with.
package struct RetrievalError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
