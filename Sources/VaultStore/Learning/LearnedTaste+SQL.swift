import JSONDocument
import KnotDomain

extension LearnedTaste {
    /// Writes what an imported vault brings along, for a vault that was added just now.
    func insertion(for vault: PostgresUUID) -> SQLQuery {
        """
        insert into public.learned_weights (vault_id, weights, signal_count, half_life_days, as_of, imported)
        values (
            \(vault), \(json["weights"] ?? [:]), \(Int32(clamping: signalCount)), \(halfLifeDays), \(asOf), \(json)
        )
        """
    }
}
