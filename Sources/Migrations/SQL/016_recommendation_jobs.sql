-- Time as the queue sees it; one place, so that a test can move it.
create function knot.clock() returns timestamptz
    language sql
    stable
as $$
    select now()
$$;

-- The durable queue beside notification_queue, whose row only goes from pending to sent, failed or cancelled.
create table public.recommendation_jobs (
    id uuid primary key default gen_random_uuid(),
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    milestone_id uuid not null references public.partner_milestones (id) on delete cascade,
    occurrence_date date not null,
    days_before integer not null check (days_before in (14, 7, 3)),
    notification_id uuid references public.notification_queue (id) on delete set null,
    state text not null default 'available'
        check (state in ('available', 'running', 'retryable', 'completed', 'cancelled', 'dead')),
    priority smallint not null default 100,
    run_at timestamptz not null,
    attempt integer not null default 0 check (attempt >= 0),
    -- Leases that ran out: a job that kills its worker is put aside after three.
    crash_count integer not null default 0 check (crash_count >= 0),
    -- Kept after the end, so that an unknown commit can be recognised as one's own.
    claim_token uuid,
    claimed_by uuid,
    lease_until timestamptz,
    last_error_class text
        check (last_error_class in ('request', 'data', 'provider', 'stage', 'platform', 'cancelled')),
    last_error_code text check (last_error_code ~ '^[a-z][a-z0-9_]{0,49}$'),
    last_error_detail text check (char_length(last_error_detail) <= 200),
    run_id uuid,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    unique (milestone_id, occurrence_date, days_before),
    check (state <> 'running' or (claim_token is not null and claimed_by is not null and lease_until is not null)),
    check ((state in ('completed', 'cancelled', 'dead')) = (finished_at is not null)),
    foreign key (run_id, vault_id) references public.recommendation_runs (id, vault_id) on delete set null (run_id)
) with (
    -- Room for updates in place and early vacuum: a queue's dead rows are what slows its claims.
    fillfactor = 75,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 50,
    autovacuum_vacuum_cost_delay = 2
);
create index idx_recommendation_jobs_due on public.recommendation_jobs (priority, run_at, id)
    where state in ('available', 'retryable');
create index idx_recommendation_jobs_leases on public.recommendation_jobs (lease_until) where state = 'running';
create index idx_recommendation_jobs_vault_id on public.recommendation_jobs (vault_id);
create index idx_recommendation_jobs_notification_id on public.recommendation_jobs (notification_id);
create index idx_recommendation_jobs_run_id on public.recommendation_jobs (run_id);

alter table public.recommendation_jobs enable row level security;
revoke all on public.recommendation_jobs from public, anon, authenticated;
