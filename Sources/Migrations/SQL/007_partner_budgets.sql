create table public.partner_budgets (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    occasion_type text not null check (occasion_type in ('just_because', 'minor_occasion', 'major_milestone')),
    min_amount integer not null check (min_amount >= 0),
    max_amount integer not null,
    currency text not null default 'USD',
    created_at timestamptz not null default now(),
    check (max_amount >= min_amount),
    unique (vault_id, occasion_type)
);
create index idx_partner_budgets_vault_id on public.partner_budgets (vault_id);

alter table public.partner_budgets enable row level security;
create policy partner_budgets_select_own on public.partner_budgets for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_budgets_insert_own on public.partner_budgets for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_budgets_update_own on public.partner_budgets for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_budgets_delete_own on public.partner_budgets for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.partner_budgets from public, anon, authenticated;
grant select, insert, update, delete on public.partner_budgets to authenticated;
grant select on public.partner_budgets to anon;
