package import JSONDocument
package import KnotDomain

#if canImport(Glibc)
import Glibc
#endif

/// What one vault's feedback taught, as of a moment.
package struct LearnedWeights: Sendable, Hashable {
    /// By name.
    package let factors: [LearnedFactor]
    /// Signals that said anything.
    package let signalCount: Int
    package let halfLifeDays: Double
    package let asOf: Instant
    /// What an import said was learned before; feedback here is laid over it.
    package var imported: LearnedTaste?
    /// The newest signal that was counted.
    package let feedbackUntil: Instant?

    /// A factor's weight; 1 where nothing is known.
    package subscript(name: String) -> Double {
        factors.first { $0.name == name }?.weight ?? 1
    }

    /// Factor to weight, as it is stored: what was imported, brought to this moment, under what was learned.
    package var weights: JSONValue {
        var weights = known?.weights ?? [:]
        for factor in factors { weights[factor.name] = factor.weight }
        let members = weights.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .number($0.value))
        }
        return .object(JSONObject(members))
    }

    /// How many signals the stored weights rest on.
    var storedCount: Int { signalCount + (imported?.signalCount ?? 0) }

    /// True where nothing was learned beyond what was imported.
    var isImportAlone: Bool { imported != nil && factors.isEmpty }

    /// What was imported: as it was where it is alone, else brought to this moment.
    private var known: LearnedTaste? {
        guard let imported, !isImportAlone, asOf > imported.asOf else { return imported }
        let days = Double(asOf.millisecondsSinceEpoch - imported.asOf.millisecondsSinceEpoch) / 86_400_000
        let share = exp2(-days / imported.halfLifeDays)
        return LearnedTaste(
            weights: imported.weights.mapValues { 1 + ($0 - 1) * share },
            signalCount: imported.signalCount,
            halfLifeDays: imported.halfLifeDays,
            asOf: asOf
        )
    }

    package var reasons: JSONValue { .array(factors.map(\.json)) }
}
