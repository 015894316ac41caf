-- What a hint means for choosing, worked out once; the embeddings of its phrases lie in text_embeddings.
create table public.hint_readings (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    hint_id uuid not null references public.hints (id) on delete cascade,
    -- rules, recorded, or a model's name.
    reader text not null check (char_length(reader) between 1 and 200),
    revision integer not null default 1 check (revision >= 0),
    -- SHA-256 of what was read, as hexadecimal text: another digest means that the reading is stale.
    input_digest text not null check (input_digest ~ '^[0-9a-f]{64}$'),
    about text not null check (about in ('partner', 'couple', 'user', 'other')),
    stance text not null check (stance in ('wants', 'needs', 'likes', 'avoids', 'fact')),
    strength double precision not null check (strength between 0 and 1),
    serves text[] not null default '{}',
    avoid text[] not null default '{}',
    overrules uuid[] not null default '{}',
    limits text[] not null default '{}',
    created_at timestamptz not null default now(),
    unique (hint_id, reader, revision)
);
create index idx_hint_readings_vault_id on public.hint_readings (vault_id);

-- What a vault as a whole asks for and rules out, for one tier.
create table public.vault_readings (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    occasion_type text not null check (occasion_type in ('just_because', 'minor_occasion', 'major_milestone')),
    reader text not null check (char_length(reader) between 1 and 200),
    revision integer not null default 1 check (revision >= 0),
    input_digest text not null check (input_digest ~ '^[0-9a-f]{64}$'),
    serves text[] not null default '{}',
    avoid text[] not null default '{}',
    created_at timestamptz not null default now(),
    unique (vault_id, occasion_type, reader, revision)
);

alter table public.hint_readings enable row level security;
create policy hint_readings_select_own on public.hint_readings for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
alter table public.vault_readings enable row level security;
create policy vault_readings_select_own on public.vault_readings for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.hint_readings, public.vault_readings from public, anon, authenticated;
grant select on public.hint_readings, public.vault_readings to authenticated;
