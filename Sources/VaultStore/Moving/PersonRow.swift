/// The account a vault belongs to: made where it is missing, and never changed where it is there.
enum PersonRow {
    /// Whether the account, the vault, and another vault of the account are there.
    static func query(user: PostgresUUID, vault: PostgresUUID) -> SQLQuery {
        """
        select
            exists (select 1 from public.users u where u.id = \(user)) as has_person,
            exists (select 1 from public.partner_vaults v where v.id = \(vault)) as has_vault,
            exists (select 1 from public.partner_vaults v where v.user_id = \(user) and v.id <> \(vault)) as has_other,
            (select i.file_digest from public.vault_imports i where i.vault_id = \(vault)) as digest
        """
    }

    /// The triggers of the schema make the row in `users`.
    static func insertion(_ user: PostgresUUID) -> SQLQuery {
        "insert into auth.users (id) values (\(user)) on conflict (id) do nothing"
    }
}
