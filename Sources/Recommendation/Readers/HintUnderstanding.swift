package import KnotDomain

/// What every hint means, whoever read it, and what the vault as a whole asks for and rules out.
package struct HintUnderstanding: Sendable {
    package let reader: String
    package let hints: [HintID: HintReading]
    package let serves: [String]
    package let avoid: [String]
}
