import JSONDocument
import KnotDomain

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
