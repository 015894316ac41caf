create table public.partner_vibes (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    vibe_tag text not null check (
        vibe_tag in (
            'quiet_luxury', 'street_urban', 'outdoorsy', 'vintage', 'minimalist', 'bohemian', 'romantic', 'adventurous'
        )
    ),
    created_at timestamptz not null default now(),
    unique (vault_id, vibe_tag)
);
create index idx_partner_vibes_vault_id on public.partner_vibes (vault_id);

alter table public.partner_vibes enable row level security;
create policy partner_vibes_select_own on public.partner_vibes for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_vibes_insert_own on public.partner_vibes for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_vibes_update_own on public.partner_vibes for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_vibes_delete_own on public.partner_vibes for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.partner_vibes from public, anon, authenticated;
grant select, insert, update, delete on public.partner_vibes to authenticated;
grant select on public.partner_vibes to anon;
