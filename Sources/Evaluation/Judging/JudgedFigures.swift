import Recommendation

/// The judged figures of one pipeline over a folder of fixtures; gates first.
package struct JudgedFigures: Sendable {
    package let label: String
    package let vaults: [JudgedVault]

    package init(label: String, vaults: [JudgedVault]) {
        self.label = label
        self.vaults = vaults
    }

    package var shownCount: Int { vaults.reduce(0) { $0 + $1.shown.count } }
    package var forbiddenCount: Int { vaults.reduce(0) { $0 + $1.forbiddenCount } }
    package var forbiddenShare: Double { shownCount == 0 ? 0 : Double(forbiddenCount) / Double(shownCount) }
    package var shortCount: Int { vaults.filter { $0.outcome == .short || $0.outcome == .failed }.count }
    /// Means over the vaults whose cards were all judged; nil where there is none.
    package var precision: Double? { mean(\.precision) }
    package var meanGrade: Double? { mean(\.meanGrade) }
    package var delightShare: Double? { mean { $0.hasDelight.map { $0 ? 1 : 0 } } }
    /// Vaults with a card that nobody judged, which are in none of those means.
    package var ungraded: [JudgedVault] { vaults.filter { $0.meanGrade == nil } }
    /// The mean share of places with a card that somebody judged.
    package var judgedShare: Double? { mean(\.judgedShare) }

    private func mean(_ value: (JudgedVault) -> Double?) -> Double? { DefinedMean(vaults.map(value)).mean }
}
