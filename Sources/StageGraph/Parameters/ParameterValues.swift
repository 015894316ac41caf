package import JSONDocument

/// The validated parameters of one node, each with the layer that set it and the reason the file gives.
package struct ParameterValues: Sendable {
    /// One value and where it came from.
    package struct Setting: Sendable, Equatable {
        package let value: JSONValue
        package let layer: ParameterLayer
        /// The file that set it, when a file did.
        package let origin: String?
        package let why: String?

        package init(value: JSONValue, layer: ParameterLayer, origin: String? = nil, why: String? = nil) {
            self.value = value
            self.layer = layer
            self.origin = origin
            self.why = why
        }
    }

    package let settings: [String: Setting]

    /// The settings must have been checked against the declarations; what is absent has its default.
    package init(_ settings: [String: Setting] = [:]) {
        self.settings = settings
    }

    package subscript<Value>(parameter: Parameter<Value>) -> Value {
        if let setting = settings[parameter.name], let value = parameter.read(setting.value) { return value }
        guard let value = parameter.read(parameter.declaration.defaultValue) else {
            preconditionFailure("the default of \(parameter.name) does not fit its own declaration")
        }
        return value
    }
}
