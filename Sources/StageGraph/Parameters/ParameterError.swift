/// A parameter value that fits its bounds but makes no sense together with the others.
package struct ParameterError: Error, Sendable, Equatable {
    package let parameter: String
    package let message: String

    package init(parameter: String, message: String) {
        self.parameter = parameter
        self.message = message
    }
}
