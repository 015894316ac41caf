import KnotDomain
package import StageGraph

extension TraceRedaction {
    /// Leaves out what a vault's person wrote or what was made of it: phrases of readings and likes in their own words.
    ///
    /// Past gifts and hints are named by days and ids, and words of the shipped vocabulary tell of nobody.
    package static let vaultTexts = TraceRedaction(
        evidence: { evidence in
            switch evidence.kind {
            case "theme": true
            case "interest": !isVocabulary(evidence.ref)
            case "learned": evidence.ref.hasPrefix("interest:") && !isVocabulary(String(evidence.ref.dropFirst(9)))
            default: false
            }
        },
        removal: { $0.reason == "disliked" }
    )

    private static func isVocabulary(_ name: String) -> Bool { KnownInterest(rawValue: name) != nil }
}
