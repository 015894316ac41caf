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
    package var precision: Double { mean(\.precision) }
    package var meanGrade: Double { mean(\.meanGrade) }
    package var delightShare: Double { mean { $0.hasDelight ? 1 : 0 } }

    private func mean(_ value: (JudgedVault) -> Double) -> Double {
        vaults.isEmpty ? 0 : vaults.reduce(0) { $0 + value($1) } / Double(vaults.count)
    }
}
