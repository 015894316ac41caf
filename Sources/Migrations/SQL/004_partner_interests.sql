create table public.partner_interests (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    interest_type text not null check (interest_type in ('like', 'dislike')),
    interest_category text not null check (
        interest_category in (
            'Travel', 'Cooking', 'Movies', 'Music', 'Reading', 'Sports', 'Gaming', 'Art',
            'Photography', 'Fitness', 'Fashion', 'Technology', 'Nature', 'Food', 'Coffee', 'Wine',
            'Dancing', 'Theater', 'Concerts', 'Museums', 'Shopping', 'Yoga', 'Hiking', 'Beach',
            'Pets', 'Cars', 'DIY', 'Gardening', 'Meditation', 'Podcasts', 'Baking', 'Camping',
            'Cycling', 'Running', 'Swimming', 'Skiing', 'Surfing', 'Painting', 'Board Games', 'Karaoke'
        )
    ),
    created_at timestamptz not null default now(),
    -- A category cannot be both liked and disliked.
    unique (vault_id, interest_category)
);
create index idx_partner_interests_vault_id on public.partner_interests (vault_id);

alter table public.partner_interests enable row level security;
create policy partner_interests_select_own on public.partner_interests for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_interests_insert_own on public.partner_interests for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_interests_update_own on public.partner_interests for update
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()))
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy partner_interests_delete_own on public.partner_interests for delete
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.partner_interests from public, anon, authenticated;
grant select, insert, update, delete on public.partner_interests to authenticated;
grant select on public.partner_interests to anon;
