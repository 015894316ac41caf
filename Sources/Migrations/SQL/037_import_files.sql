-- An imported file, byte for byte, which export gives back while the vault's rows say what they said then.
create table public.vault_import_files (
    vault_id uuid primary key references public.partner_vaults (id) on delete cascade,
    file bytea not null,
    -- SHA-256 of the file, as hexadecimal text.
    digest text not null check (digest = encode(sha256(file), 'hex')),
    -- SHA-256 of the document that the rows made when the file was imported.
    document_digest text not null check (document_digest ~ '^[0-9a-f]{64}$')
);

alter table public.vault_import_files enable row level security;
create policy vault_import_files_select_own on public.vault_import_files for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

-- The worker has no right to it.
revoke all on public.vault_import_files from public, anon, authenticated;
grant select on public.vault_import_files to authenticated;

-- A file holds what the rows hold, hints among it: where a row goes or says something else, the file goes with what it said.
create function knot.forget_import_files() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from public.vault_import_files f using (select distinct g.vault_id from gone g) v
    where f.vault_id = v.vault_id;
    return null;
end
$$;

create function knot.forget_import_file() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from public.vault_import_files f where f.vault_id = old.vault_id;
    return null;
end
$$;

create function knot.forget_import_file_of_vault() returns trigger
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from public.vault_import_files f where f.vault_id = old.id;
    return null;
end
$$;

revoke all on function
    knot.forget_import_files(), knot.forget_import_file(), knot.forget_import_file_of_vault() from public;

do $$
declare
    name text;
begin
    foreach name in array array[
        'partner_interests', 'partner_milestones', 'partner_vibes', 'partner_budgets', 'partner_love_languages', 'hints',
        'recommendations'
    ] loop
        execute format(
            'create trigger %I after delete on public.%I referencing old table as gone for each statement '
                'execute function knot.forget_import_files()', name || '_forget_import_files', name);
    end loop;
    foreach name in array array['partner_interests', 'partner_milestones'] loop
        execute format(
            'create trigger %I after update on public.%I for each row when (old is distinct from new) '
                'execute function knot.forget_import_file()', name || '_forget_import_file', name);
    end loop;
end
$$;

create trigger hints_forget_import_file
    after update of hint_text on public.hints
    for each row
    when (old.hint_text is distinct from new.hint_text)
    execute function knot.forget_import_file();

create trigger partner_vaults_forget_import_file
    after update on public.partner_vaults
    for each row
    when (
        (old.partner_name, old.location_city, old.location_state, old.location_country)
            is distinct from (new.partner_name, new.location_city, new.location_state, new.location_country)
    )
    execute function knot.forget_import_file_of_vault();

-- They run as a role that owns nothing and may do no more with the table than this.
grant select (vault_id), delete on public.vault_import_files to knot_queue;
create policy vault_import_files_queue_select on public.vault_import_files for select to knot_queue using (true);
create policy vault_import_files_queue_delete on public.vault_import_files for delete to knot_queue using (true);
do $$
declare
    is_member boolean := pg_catalog.pg_has_role(current_user, 'knot_queue', 'set');
begin
    if not is_member then
        execute format('grant knot_queue to %I', current_user);
    end if;
    grant create on schema knot to knot_queue;
    alter function knot.forget_import_files() owner to knot_queue;
    alter function knot.forget_import_file() owner to knot_queue;
    alter function knot.forget_import_file_of_vault() owner to knot_queue;
    revoke create on schema knot from knot_queue;
    if not is_member then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
