-- Who stores a set of a vault waits for the vault's own row. Any role of the server could hold the advisory lock that was
-- waited for before, and keep a vault from its sets by that. The row is locked by its person and by this program alone.

-- Locking a row takes the right to change a column; no change of one is let through.
grant update (id) on public.partner_vaults to knot_worker;
create policy partner_vaults_worker_lock on public.partner_vaults for update to knot_worker
    using (true) with check (false);
create policy partner_vaults_worker_keep on public.partner_vaults as restrictive for update to knot_worker
    using (true) with check (false);

-- Lets the set of a reminder in, in its own transaction: its job is still held, and the vault has had no other set since
-- its history was read. Whoever stores for the same vault waits here, and looks after that.
create or replace function knot.admit_set(job uuid, token uuid, run uuid, history text) returns void
    language plpgsql
    volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    vault uuid;
begin
    select j.vault_id into vault
    from public.recommendation_jobs j
    where j.id = job and j.claim_token = token and j.state = 'running';
    if vault is null then
        raise exception 'job % is not held any more', job
            using errcode = 'KN001', constraint = 'scheduled_sets_are_of_held_jobs';
    end if;
    perform from public.partner_vaults v where v.id = vault for no key update;
    if knot.history_of(vault, run) is distinct from history then
        raise exception 'the vault of job % has had another set meanwhile', job
            using errcode = 'KN002', constraint = 'scheduled_sets_know_their_history';
    end if;
end
$$;
