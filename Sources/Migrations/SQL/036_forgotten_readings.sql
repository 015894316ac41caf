-- What was read from a hint's text goes with that text, whoever changes or removes it: the hint's own readings, those of its
-- vault as a whole, and the cached vectors of the vault's phrases. The person's own role may not delete them itself.
create function knot.forget_readings() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from public.hint_readings r where r.hint_id = old.id;
    delete from public.vault_readings r where r.vault_id = old.vault_id;
    delete from public.text_embeddings e where e.vault_id = old.vault_id;
    return null;
end
$$;

-- Of many hints removed at once, each vault is looked at once; readings of the hints themselves go by their foreign key.
create function knot.forget_readings_of_vaults() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from public.vault_readings r using (select distinct g.vault_id from gone g) v where r.vault_id = v.vault_id;
    delete from public.text_embeddings e using (select distinct g.vault_id from gone g) v where e.vault_id = v.vault_id;
    return null;
end
$$;

revoke all on function knot.forget_readings(), knot.forget_readings_of_vaults() from public;

create trigger hints_forget_readings
    after update of hint_text on public.hints
    for each row
    when (old.hint_text is distinct from new.hint_text)
    execute function knot.forget_readings();

create trigger hints_forget_readings_of_vaults
    after delete on public.hints
    referencing old table as gone
    for each statement
    execute function knot.forget_readings_of_vaults();

-- They run as a role that owns nothing and may do no more with these tables than this.
grant select (hint_id, vault_id), delete on public.hint_readings to knot_queue;
grant select (vault_id), delete on public.vault_readings, public.text_embeddings to knot_queue;
do $$
declare
    is_member boolean := pg_catalog.pg_has_role(current_user, 'knot_queue', 'set');
    name text;
begin
    foreach name in array array['hint_readings', 'vault_readings', 'text_embeddings'] loop
        execute format('create policy %I on public.%I for select to knot_queue using (true)', name || '_queue_select', name);
        execute format('create policy %I on public.%I for delete to knot_queue using (true)', name || '_queue_delete', name);
    end loop;
    if not is_member then
        execute format('grant knot_queue to %I', current_user);
    end if;
    grant create on schema knot to knot_queue;
    alter function knot.forget_readings() owner to knot_queue;
    alter function knot.forget_readings_of_vaults() owner to knot_queue;
    revoke create on schema knot from knot_queue;
    if not is_member then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
