-- What a fixture says and the twelve tables cannot hold, so that its own fields come out as they went in. Never a
-- hint's text or anything else that has a column: deleting that row has to be enough.
create table public.vault_imports (
    vault_id uuid primary key references public.partner_vaults (id) on delete cascade,
    name text not null check (char_length(name) between 1 and 200),
    story text,
    as_of timestamptz,
    request json check (json_typeof(request) = 'object'),
    judgments json check (json_typeof(judgments) = 'array'),
    rates json check (json_typeof(rates) = 'object'),
    -- The order of lists by id or name, and which optional members were there.
    layout json not null default '{}' check (json_typeof(layout) = 'object'),
    -- Members that no column knows.
    extra json not null default '{}' check (json_typeof(extra) = 'object'),
    -- SHA-256 of the file as it was read.
    file_digest text not null check (file_digest ~ '^[0-9a-f]{64}$'),
    imported_at timestamptz not null default now()
);

alter table public.vault_imports enable row level security;
create policy vault_imports_select_own on public.vault_imports for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.vault_imports from public, anon, authenticated;
grant select on public.vault_imports to authenticated;
