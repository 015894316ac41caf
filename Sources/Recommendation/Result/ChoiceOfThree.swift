import KnotDomain
package import StageGraph

/// A finished set with what it is for.
package struct ChoiceOfThree: Sendable {
    package let brief: Brief
    package let choices: [Choice]
    package let relaxations: [Relaxation]
    /// Whether the readings, the rates and so on stand beside the choices: who read the hints.
    package let reader: String
    /// What else can be had, best first, where more than three cards were asked for; no part of the set.
    package var further: [Choice] = []

    package var isShort: Bool { choices.count < 3 }
}
