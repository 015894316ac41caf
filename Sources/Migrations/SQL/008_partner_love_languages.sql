create table public.partner_love_languages (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    language text not null check (
        language in (
            'words_of_affirmation', 'acts_of_service', 'receiving_gifts', 'quality_time', 'physical_touch'
        )
    ),
    priority integer not null check (priority in (1, 2)),
    created_at timestamptz not null default now(),
    unique (vault_id, priority),
    unique (vault_id, language)
);
create index idx_partner_love_languages_vault_id on public.partner_love_languages (vault_id);

alter table public.partner_love_languages enable row level security;
create policy partner_love_languages_select_own on public.partner_love_languages for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_love_languages_insert_own on public.partner_love_languages for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_love_languages_update_own on public.partner_love_languages for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_love_languages_delete_own on public.partner_love_languages for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.partner_love_languages from public, anon, authenticated;
grant select, insert, update, delete on public.partner_love_languages to authenticated;
grant select on public.partner_love_languages to anon;
