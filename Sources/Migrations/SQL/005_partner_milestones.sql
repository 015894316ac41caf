create table public.partner_milestones (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    milestone_type text not null check (milestone_type in ('birthday', 'anniversary', 'holiday', 'custom')),
    milestone_name text not null,
    -- Yearly days carry the placeholder year 2000.
    milestone_date date not null,
    recurrence text not null check (recurrence in ('yearly', 'one_time')),
    budget_tier text not null check (budget_tier in ('just_because', 'minor_occasion', 'major_milestone')),
    created_at timestamptz not null default now()
);
create index idx_partner_milestones_vault_id on public.partner_milestones (vault_id);

-- A custom day says its tier itself: left null, it is rejected.
create function public.handle_milestone_budget_tier() returns trigger
    language plpgsql
    set search_path = ''
as $$
begin
    if new.budget_tier is null then
        new.budget_tier = case new.milestone_type
            when 'birthday' then 'major_milestone'
            when 'anniversary' then 'major_milestone'
            when 'holiday' then 'minor_occasion'
        end;
    end if;
    return new;
end
$$;

create trigger handle_milestone_budget_tier
    before insert on public.partner_milestones
    for each row execute function public.handle_milestone_budget_tier();

alter table public.partner_milestones enable row level security;
create policy partner_milestones_select_own on public.partner_milestones for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_milestones_insert_own on public.partner_milestones for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_milestones_update_own on public.partner_milestones for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_milestones_delete_own on public.partner_milestones for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.partner_milestones from public, anon, authenticated;
grant select, insert, update, delete on public.partner_milestones to authenticated;
grant select on public.partner_milestones to anon;
