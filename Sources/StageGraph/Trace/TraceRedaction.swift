/// Which texts of the evidence stay out of a trace: the graph knows nothing of what is private, its user does.
package struct TraceRedaction: Sendable {
    /// Stands where a text was left out.
    package static let hidden = "hidden"

    private let isPrivateEvidence: @Sendable (Evidence) -> Bool
    private let isPrivateRemoval: @Sendable (Removal) -> Bool

    package init(
        evidence: @escaping @Sendable (Evidence) -> Bool,
        removal: @escaping @Sendable (Removal) -> Bool
    ) {
        isPrivateEvidence = evidence
        isPrivateRemoval = removal
    }

    /// Everything is written.
    package static let none = TraceRedaction(evidence: { _ in false }, removal: { _ in false })

    func ref(of evidence: Evidence) -> String { isPrivateEvidence(evidence) ? Self.hidden : evidence.ref }

    func evidence(of removal: Removal) -> String { isPrivateRemoval(removal) ? Self.hidden : removal.evidence }
}
