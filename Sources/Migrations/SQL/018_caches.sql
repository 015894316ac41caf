-- Which model made a hint's embedding; null where it is not known.
alter table public.hints
    add column hint_embedding_model text;

-- Embeddings by model and text. A private phrase belongs to its vault and goes with it; a row without a vault is of a
-- text that is nobody's, such as a catalogue's or the vocabulary's.
create table public.text_embeddings (
    id bigint generated always as identity primary key,
    vault_id uuid references public.partner_vaults (id) on delete cascade,
    model text not null check (char_length(model) between 1 and 200),
    -- SHA-256 of the text's UTF-8, 32 bytes.
    text_digest bytea not null check (octet_length(text_digest) = 32),
    embedding vector(768) not null,
    created_at timestamptz not null default now(),
    unique nulls not distinct (vault_id, model, text_digest)
);

-- What providers answered, until it expires. Keyed by a digest: the query itself is not kept.
create table public.provider_responses (
    provider text not null check (char_length(provider) between 1 and 100),
    request_digest bytea not null check (octet_length(request_digest) = 32),
    status integer not null check (status between 100 and 599),
    body bytea not null,
    etag text,
    fetched_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (provider, request_digest),
    check (expires_at >= fetched_at)
);
create index idx_provider_responses_expires_at on public.provider_responses (expires_at);

alter table public.text_embeddings enable row level security;
create policy text_embeddings_select_own on public.text_embeddings for select
    using (
        vault_id is null
        or exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid())
    );
alter table public.provider_responses enable row level security;

revoke all on public.text_embeddings, public.provider_responses from public, anon, authenticated;
grant select on public.text_embeddings to authenticated;
