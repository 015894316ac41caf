-- One row for one produced set. Rows are added and never changed: what replaces a set points back at it.
create table public.recommendation_runs (
    -- UUIDv8 of the identity.
    id uuid primary key,
    -- SHA-256 of what makes two requests the same request, as hexadecimal text.
    identity text not null unique check (identity ~ '^[0-9a-f]{64}$'),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    milestone_id uuid references public.partner_milestones (id) on delete set null,
    occurrence_date date,
    occasion_type text not null check (occasion_type in ('just_because', 'minor_occasion', 'major_milestone')),
    kind text not null check (kind in ('scheduled', 'on_demand', 'refresh')),
    request text not null check (char_length(request) between 1 and 500),
    pipeline_name text not null,
    pipeline_hash text not null check (pipeline_hash ~ '^[0-9a-f]{64}$'),
    engine_version text not null,
    -- An unsigned number of 64 bits.
    seed numeric(20, 0) not null check (seed between 0 and 18446744073709551615),
    input_digest text not null check (input_digest ~ '^[0-9a-f]{64}$'),
    as_of timestamptz not null,
    outcome text not null check (outcome in ('complete', 'degraded', 'short')),
    reasons jsonb not null default '[]' check (jsonb_typeof(reasons) = 'array'),
    counts jsonb not null default '{}' check (jsonb_typeof(counts) = 'object'),
    timings jsonb check (jsonb_typeof(timings) = 'object'),
    -- The complete result as it was first printed. json and not jsonb: a repeat returns these very bytes.
    result json not null,
    supersedes uuid,
    -- 0 for a first set, then one more for each refresh of it.
    round integer not null default 0 check (round >= 0),
    created_at timestamptz not null default now(),
    unique (id, vault_id),
    -- Nobody can take the place of another request's run.
    check (
        id::text = substr(identity, 1, 8) || '-' || substr(identity, 9, 4) || '-8' || substr(identity, 14, 3) || '-'
            || translate(substr(identity, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') || substr(identity, 18, 3)
            || '-' || substr(identity, 21, 12)
    ),
    check (supersedes is null or supersedes <> id),
    foreign key (supersedes, vault_id) references public.recommendation_runs (id, vault_id)
        on delete set null (supersedes)
);
create index idx_recommendation_runs_vault_id on public.recommendation_runs (vault_id, created_at desc);
create index idx_recommendation_runs_milestone_id on public.recommendation_runs (milestone_id);
create index idx_recommendation_runs_supersedes on public.recommendation_runs (supersedes);

-- What a row of the three needs so that it can be shown and explained again; all null in rows older than runs.
alter table public.recommendations
    add column run_id uuid,
    add column position smallint check (position between 1 and 3),
    add column candidate_id text,
    add column provider text,
    add column providers text[],
    add column score double precision,
    add column currency text check (currency ~ '^[A-Z]{3}$'),
    add column party smallint check (party in (1, 2)),
    add column total_cents bigint check (total_cents >= 0),
    add column budget_cents bigint check (budget_cents >= 0),
    add column location jsonb check (jsonb_typeof(location) = 'object'),
    add column starts_at timestamptz,
    add column availability text check (availability in ('available', 'unknown')),
    add column reason text,
    add column contributions jsonb check (jsonb_typeof(contributions) = 'object'),
    add column evidence jsonb check (jsonb_typeof(evidence) = 'array'),
    add column hint_ids uuid[],
    add constraint recommendations_run_position_key unique (run_id, position),
    add constraint recommendations_of_a_run_are_whole check (
        run_id is null or (
            position is not null and candidate_id is not null and provider is not null and score is not null
            and currency is not null and availability is not null and reason is not null
            and contributions is not null and evidence is not null and hint_ids is not null
        )
    ),
    add constraint recommendations_position_needs_run check (position is null or run_id is not null),
    -- A row is of its run's own vault.
    add constraint recommendations_run_fkey foreign key (run_id, vault_id)
        references public.recommendation_runs (id, vault_id) on delete cascade;

-- The last guard against a torn set: at the commit, a complete or degraded run has exactly its three rows.
create function knot.check_run_is_whole() returns trigger
    language plpgsql
    set search_path = ''
as $$
declare
    rows_of_run integer;
begin
    select count(*) into rows_of_run from public.recommendations r where r.run_id = new.id;
    if new.outcome = 'short' and rows_of_run < 3 or new.outcome <> 'short' and rows_of_run = 3 then
        return null;
    end if;
    -- Deleted again in the same transaction, so nothing is torn.
    if not exists (select 1 from public.recommendation_runs s where s.id = new.id) then
        return null;
    end if;
    raise exception 'run % is % and has % recommendations', new.id, new.outcome, rows_of_run
        using errcode = 'check_violation', constraint = 'recommendation_runs_are_whole';
end
$$;

create constraint trigger recommendation_runs_are_whole
    after insert on public.recommendation_runs
    deferrable initially deferred
    for each row execute function knot.check_run_is_whole();

alter table public.recommendation_runs enable row level security;
create policy recommendation_runs_select_own on public.recommendation_runs for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy recommendation_runs_insert_own on public.recommendation_runs for insert
    with check (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.recommendation_runs from public, anon, authenticated;
grant select, insert on public.recommendation_runs to authenticated;
