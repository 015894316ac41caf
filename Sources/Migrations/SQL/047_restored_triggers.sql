-- Triggers that a dump brings back. A dump is read with an empty search path, and IS DISTINCT FROM names no operator that
-- could be written with its schema: where pgvector's type is compared so, the trigger cannot be made again and is missing
-- from then on. The operators themselves are written with their schema. Whoever lost the triggers has them again by this.

drop trigger if exists hints_forget_embedding on public.hints;
-- Whoever brings the new text's own embedding along keeps it.
create trigger hints_forget_embedding
    before update of hint_text on public.hints
    for each row
    when (
        old.hint_text is distinct from new.hint_text
        and (old.hint_embedding = new.hint_embedding or old.hint_embedding is null and new.hint_embedding is null)
    )
    execute function knot.forget_hint_embedding();

drop trigger if exists catalogue_items_forget_embedding on public.catalogue_items;
-- What an embedding is made of; whoever brings the new text's own embedding along keeps it.
create trigger catalogue_items_forget_embedding
    before update of title, description, tags on public.catalogue_items
    for each row
    when (
        (old.title, old.description, old.tags) is distinct from (new.title, new.description, new.tags)
        and (old.embedding = new.embedding or old.embedding is null and new.embedding is null)
    )
    execute function knot.forget_item_embedding();

drop trigger if exists catalogue_items_number_update on public.catalogue_items;
-- Only what a search or a candidate shows is a change; the vector is compared last, for it is the longest.
create trigger catalogue_items_number_update
    before update on public.catalogue_items
    for each row
    when (
        (
            old.vault_id, old.source, old.candidate_id, old.provider, old.type, old.title, old.description, old.url,
            old.image_url, old.price_cents, old.currency, old.merchant, old.location_city, old.location_state,
            old.location_country, old.starts_at, old.rating, old.review_count, old.ships_in_days, old.tags,
            old.embedding_model, old.embedding is null
        ) is distinct from (
            new.vault_id, new.source, new.candidate_id, new.provider, new.type, new.title, new.description, new.url,
            new.image_url, new.price_cents, new.currency, new.merchant, new.location_city, new.location_state,
            new.location_country, new.starts_at, new.rating, new.review_count, new.ships_in_days, new.tags,
            new.embedding_model, new.embedding is null
        )
        or old.embedding <> new.embedding
    )
    execute function knot.number_change();
-- As all that number changes: also for what a replication or a restored file brings along.
alter table public.catalogue_items enable always trigger catalogue_items_number_update;
