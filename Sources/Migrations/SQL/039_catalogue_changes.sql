-- What changes in everybody's part of the catalogue, so that whoever keeps a copy reads what changed and not all of it.
--
-- A change bears the number of its transaction and not one of a sequence: of two transactions the one with the lower number
-- of a sequence may commit last, after a reader has gone past it, and its change would never be read. A reader keeps the
-- snapshot that it read in (pg_current_snapshot()) and asks next for what this snapshot did not show and the present one
-- does. Every transaction that had not committed then is either named in that snapshot or came after its end, so that it is
-- among them however late it commits, and what was shown once is not among them again.
--
-- The default does not change from row to row: no row is written anew, and those that are there bear this transaction's.
alter table public.catalogue_items
    add column change pg_catalog.xid8 not null default pg_catalog.pg_current_xact_id();
create index idx_catalogue_items_change on public.catalogue_items (change, id) where vault_id is null;

-- Which of everybody's items were taken away, and by which transaction. One that came back is here and there, so that a
-- reader first forgets what is here and then takes what is there.
create table public.catalogue_withdrawn (
    source text not null,
    candidate_id text not null,
    change pg_catalog.xid8 not null default pg_catalog.pg_current_xact_id(),
    primary key (source, candidate_id)
);
create index idx_catalogue_withdrawn_change on public.catalogue_withdrawn (change);

create function knot.number_change() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    new.change := pg_current_xact_id();
    return new;
end
$$;

create trigger catalogue_items_number_insert
    before insert on public.catalogue_items
    for each row
    execute function knot.number_change();

-- Only what a search or a candidate shows is a change; the vector is compared last, for it is the longest.
create trigger catalogue_items_number_update
    before update on public.catalogue_items
    for each row
    when (
        (
            old.vault_id, old.source, old.candidate_id, old.provider, old.type, old.title, old.description, old.url,
            old.image_url, old.price_cents, old.currency, old.merchant, old.location_city, old.location_state,
            old.location_country, old.starts_at, old.rating, old.review_count, old.ships_in_days, old.tags,
            old.embedding_model, old.embedding
        ) is distinct from (
            new.vault_id, new.source, new.candidate_id, new.provider, new.type, new.title, new.description, new.url,
            new.image_url, new.price_cents, new.currency, new.merchant, new.location_city, new.location_state,
            new.location_country, new.starts_at, new.rating, new.review_count, new.ships_in_days, new.tags,
            new.embedding_model, new.embedding
        )
    )
    execute function knot.number_change();

create function knot.note_withdrawn() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'DELETE' then
        insert into public.catalogue_withdrawn as w (source, candidate_id)
        select g.source, g.candidate_id from gone g where g.vault_id is null order by 1, 2
        on conflict (source, candidate_id) do update set change = excluded.change;
    elsif tg_op = 'TRUNCATE' then
        insert into public.catalogue_withdrawn as w (source, candidate_id)
        select c.source, c.candidate_id from public.catalogue_items c where c.vault_id is null order by 1, 2
        on conflict (source, candidate_id) do update set change = excluded.change;
    else
        insert into public.catalogue_withdrawn as w (source, candidate_id) values (old.source, old.candidate_id)
        on conflict (source, candidate_id) do update set change = excluded.change;
    end if;
    return null;
end
$$;

create trigger catalogue_items_note_deleted
    after delete on public.catalogue_items
    referencing old table as gone
    for each statement
    execute function knot.note_withdrawn();

create trigger catalogue_items_note_truncated
    before truncate on public.catalogue_items
    for each statement
    execute function knot.note_withdrawn();

-- An item that gets another name, or becomes a vault's own, is no longer everybody's under the old one.
create trigger catalogue_items_note_renamed
    after update of vault_id, source, candidate_id on public.catalogue_items
    for each row
    when (
        old.vault_id is null
        and (new.vault_id, new.source, new.candidate_id) is distinct from (old.vault_id, old.source, old.candidate_id)
    )
    execute function knot.note_withdrawn();

-- What a replication or a restored file brings along is a change of this database like any other.
alter table public.catalogue_items
    enable always trigger catalogue_items_number_insert,
    enable always trigger catalogue_items_number_update,
    enable always trigger catalogue_items_note_deleted,
    enable always trigger catalogue_items_note_truncated,
    enable always trigger catalogue_items_note_renamed;

-- The items are everybody's to read, and so is which of them are gone.
alter table public.catalogue_withdrawn enable row level security;
create policy catalogue_withdrawn_select_all on public.catalogue_withdrawn for select to authenticated, knot_worker
    using (true);
revoke all on public.catalogue_withdrawn from public, anon, authenticated;
grant select on public.catalogue_withdrawn to authenticated;
grant select (source, candidate_id, change) on public.catalogue_withdrawn to knot_worker;
grant select (change) on public.catalogue_items to knot_worker;
