-- What feedback taught of one vault: weights of the factors that the stored evidence named.
create table public.learned_weights (
    vault_id uuid primary key references public.partner_vaults (id) on delete cascade,
    -- Factor to weight, 1 where nothing is known.
    weights jsonb not null check (jsonb_typeof(weights) = 'object'),
    -- Why each weight moved: the signals that counted, by factor.
    reasons jsonb not null default '[]' check (jsonb_typeof(reasons) = 'array'),
    -- One more with every change; a writer that read an older one has to read again.
    revision bigint not null default 1 check (revision >= 1),
    signal_count integer not null default 0 check (signal_count >= 0),
    -- Days after which a signal counts half.
    half_life_days double precision not null check (half_life_days > 0),
    -- The moment the decay was reckoned at, and the newest feedback that was counted.
    as_of timestamptz not null,
    feedback_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create trigger handle_updated_at
    before update on public.learned_weights
    for each row execute function public.handle_updated_at();

alter table public.learned_weights enable row level security;
create policy learned_weights_select_own on public.learned_weights for select
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));

revoke all on public.learned_weights from public, anon, authenticated;
grant select on public.learned_weights to authenticated;
