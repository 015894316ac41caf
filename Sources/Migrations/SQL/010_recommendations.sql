create table public.recommendations (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    milestone_id uuid references public.partner_milestones (id) on delete set null,
    recommendation_type text not null check (recommendation_type in ('gift', 'experience', 'date')),
    title text not null,
    description text,
    external_url text,
    price_cents integer check (price_cents >= 0),
    merchant_name text,
    image_url text,
    created_at timestamptz not null default now()
);
create index idx_recommendations_vault_id on public.recommendations (vault_id);
create index idx_recommendations_milestone_id on public.recommendations (milestone_id);

alter table public.recommendations enable row level security;
create policy recommendations_select_own on public.recommendations for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy recommendations_insert_own on public.recommendations for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy recommendations_update_own on public.recommendations for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy recommendations_delete_own on public.recommendations for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.recommendations from public, anon, authenticated;
grant select, insert, update, delete on public.recommendations to authenticated;
grant select on public.recommendations to anon;
