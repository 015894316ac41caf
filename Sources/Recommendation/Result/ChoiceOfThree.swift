import KnotDomain
package import StageGraph

/// A finished set with what it is for.
package struct ChoiceOfThree: Sendable {
    package let brief: Brief
    package let choices: [Choice]
    package let relaxations: [Relaxation]
    /// Whether the readings, the rates and so on stand beside the choices: who read the hints.
    package let reader: String

    package var isShort: Bool { choices.count < 3 }
}
