package import JSONDocument
package import KnotDomain
package import PostgresClient

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

extension LearnedWeights {
    /// Writes the first weights of a vault; no row comes back where another writer was faster or the vault is gone.
    func insertion(for vault: PostgresUUID) -> SQLQuery {
        """
        insert into public.learned_weights
            (vault_id, weights, reasons, signal_count, half_life_days, as_of, feedback_until)
        select v.id, \(weights), \(reasons), \(Int32(clamping: signalCount)), \(halfLifeDays), \(asOf), \(feedbackUntil)
        from public.partner_vaults v
        where v.id = \(vault)
        on conflict do nothing
        returning revision
        """
    }

    /// Writes over the weights of that revision; no row comes back where there is a later one.
    ///
    /// Where what was imported is all there is, the row says it again as it came.
    func update(of vault: PostgresUUID, from revision: Int64) -> SQLQuery {
        let alone = isImportAlone ? imported : nil
        return """
            update public.learned_weights
            set weights = \(weights), reasons = \(reasons),
                signal_count = \(Int32(clamping: alone?.signalCount ?? storedCount)),
                half_life_days = \(alone?.halfLifeDays ?? halfLifeDays), as_of = \(alone?.asOf ?? asOf),
                feedback_until = \(feedbackUntil), revision = revision + 1
            where vault_id = \(vault) and revision = \(revision)
            returning revision
            """
    }

    /// A row where that revision holds these very weights.
    func look(in vault: PostgresUUID, at revision: Int64) -> SQLQuery {
        """
        select 1 from public.learned_weights w
        where w.vault_id = \(vault) and w.revision = \(revision) and w.weights = \(weights)
            and w.reasons = \(reasons)
        """
    }

    /// True when a stored row says the same, so that learning twice changes nothing.
    func isSame(as row: Row) throws(PostgresError) -> Bool {
        let stored = try row.decode("weights", as: JSONValue.self)
        let count = try row.decode("signal_count", as: Int.self)
        return count == (isImportAlone ? imported?.signalCount ?? 0 : storedCount)
            && JSONWriter.bytes(stored, style: .canonical) == JSONWriter.bytes(weights, style: .canonical)
    }
}

/// One factor's learned weight and what moved it.
package struct LearnedFactor: Sendable, Hashable {
    /// One signal's part in it.
    package struct Cause: Sendable, Hashable {
        package let signal: PostgresUUID
        package let value: Double
        /// The share of the signal that this factor had, decayed to the moment of the reckoning.
        package let share: Double
    }

    /// `interest:Hiking`, `vibe:vintage`, `type:gift`, `budget`.
    package let name: String
    /// From 0.5 to 2; 1 where nothing is known.
    package let weight: Double
    /// The decayed mean of the signals, from −1 to 1.
    package let mean: Double
    /// How many whole, fresh signals it is worth.
    package let strength: Double
    package let signalCount: Int
    /// The strongest, at most a few.
    package let causes: [Cause]

    /// One entry of the stored reasons: ids of feedback, never its words.
    package var json: JSONValue {
        [
            "factor": .string(name), "weight": .number(weight), "mean": .number(mean), "strength": .number(strength),
            "signals": .integer(signalCount),
            "because": .array(
                causes.map {
                    [
                        "feedback": .string($0.signal.description), "value": .number($0.value),
                        "share": .number($0.share),
                    ]
                }
            ),
        ]
    }
}
