-- The words a catalogue item is found by, the title's counting most. Immutable because the configuration is named.
create function knot.catalogue_words(title text, description text, merchant text, tags text[]) returns tsvector
    language sql
    immutable
    parallel safe
as $$
    select setweight(to_tsvector('pg_catalog.english', coalesce(title, '')), 'A')
        || setweight(to_tsvector('pg_catalog.english', array_to_string(tags, ' ')), 'B')
        || setweight(to_tsvector('pg_catalog.english', coalesce(merchant, '')), 'C')
        || setweight(to_tsvector('pg_catalog.english', coalesce(description, '')), 'D')
$$;

-- Candidates of our own: a provider like any other. An item with a vault is for that vault alone and goes with it.
create table public.catalogue_items (
    -- The order in which items came in.
    id bigint generated always as identity primary key,
    vault_id uuid references public.partner_vaults (id) on delete cascade,
    -- Which file or fixture it came from; an item's own id is unique in there.
    source text not null check (char_length(source) between 1 and 200),
    candidate_id text not null check (char_length(candidate_id) between 1 and 200),
    provider text not null
        check (provider in ('yelp', 'ticketmaster', 'amazon', 'shopify', 'firecrawl', 'catalogue')),
    type text not null check (type in ('gift', 'experience', 'date')),
    title text not null,
    description text,
    url text not null,
    image_url text,
    price_cents bigint check (price_cents >= 0),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    merchant text,
    location_city text,
    location_state text,
    location_country text,
    starts_at timestamptz,
    rating double precision check (rating >= 0),
    review_count bigint check (review_count >= 0),
    ships_in_days integer check (ships_in_days >= 0),
    tags text[] not null default '{}',
    -- What a look at its page would find: the part of the outside world that a fixture stands for.
    availability text not null default 'available'
        check (availability in ('available', 'sold_out', 'closed', 'gone', 'blocked', 'price_changed')),
    checked_price_cents bigint check (checked_price_cents >= 0),
    -- The item as it was read. json and not jsonb: written out again byte for byte.
    raw json,
    embedding vector(768),
    embedding_model text,
    words tsvector generated always as (knot.catalogue_words(title, description, merchant, tags)) stored,
    created_at timestamptz not null default now(),
    unique nulls not distinct (vault_id, source, candidate_id),
    check ((embedding is null) = (embedding_model is null))
);
create index idx_catalogue_items_words on public.catalogue_items using gin (words);
create index idx_catalogue_items_source on public.catalogue_items (source, candidate_id);

alter table public.catalogue_items enable row level security;
create policy catalogue_items_select_own on public.catalogue_items for select
    using (
        vault_id is null
        or exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid())
    );

revoke all on public.catalogue_items from public, anon, authenticated;
grant select on public.catalogue_items to authenticated;
