create table public.partner_vaults (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null unique references public.users (id) on delete cascade,
    partner_name text not null,
    relationship_tenure_months integer,
    cohabitation_status text check (cohabitation_status in ('living_together', 'separate', 'long_distance')),
    location_city text,
    location_state text,
    location_country text default 'US',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create trigger handle_updated_at
    before update on public.partner_vaults
    for each row execute function public.handle_updated_at();

alter table public.partner_vaults enable row level security;
create policy partner_vaults_select_own on public.partner_vaults for select using (auth.uid() = user_id);
create policy partner_vaults_insert_own on public.partner_vaults for insert with check (auth.uid() = user_id);
create policy partner_vaults_update_own on public.partner_vaults for update
    using (auth.uid() = user_id) with check (auth.uid() = user_id);
create policy partner_vaults_delete_own on public.partner_vaults for delete using (auth.uid() = user_id);

revoke all on public.partner_vaults from public, anon, authenticated;
grant select, insert, update, delete on public.partner_vaults to authenticated;
grant select on public.partner_vaults to anon;
