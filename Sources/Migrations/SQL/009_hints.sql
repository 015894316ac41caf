create table public.hints (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    hint_text text not null,
    hint_embedding vector(768),
    source text not null check (source in ('text_input', 'voice_transcription')),
    created_at timestamptz not null default now(),
    is_used boolean not null default false
);
create index idx_hints_vault_id on public.hints (vault_id);
create index idx_hints_embedding on public.hints using hnsw (hint_embedding vector_cosine_ops);

alter table public.hints enable row level security;
create policy hints_select_own on public.hints for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy hints_insert_own on public.hints for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy hints_update_own on public.hints for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy hints_delete_own on public.hints for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.hints from public, anon, authenticated;
grant select, insert, update, delete on public.hints to authenticated;
grant select on public.hints to anon;

-- Exact: ordered by an expression that the approximate index does not serve, since that one would look at its nearest
-- few over all vaults first and filter by vault after. A zero vector has no direction and matches nothing.
create function public.match_hints(
    query_embedding vector(768),
    query_vault_id uuid,
    match_threshold double precision default 0,
    match_count integer default 10
) returns table (
    id uuid,
    vault_id uuid,
    hint_text text,
    source text,
    is_used boolean,
    created_at timestamptz,
    similarity double precision
)
    language sql
    stable
    security invoker
begin atomic
    select m.id, m.vault_id, m.hint_text, m.source, m.is_used, m.created_at, m.similarity
    from (
        select
            h.id, h.vault_id, h.hint_text, h.source, h.is_used, h.created_at,
            1 - (h.hint_embedding <=> query_embedding) as similarity
        from public.hints h
        where h.vault_id = query_vault_id and h.hint_embedding is not null
    ) m
    where m.similarity >= match_threshold and m.similarity <> 'NaN'::double precision
    order by m.similarity desc, m.id
    limit match_count;
end;
