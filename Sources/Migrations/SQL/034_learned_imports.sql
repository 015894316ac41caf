-- What an import said was learned before, apart from what feedback teaches here: learning lays the second over the first
-- and never loses the first.
alter table public.learned_weights
    add column imported jsonb check (jsonb_typeof(imported) = 'object');

-- So far an imported row is known by what only learning writes.
update public.learned_weights
set imported = jsonb_build_object(
    'as_of', to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'half_life_days', half_life_days,
    'signals', signal_count, 'weights', weights
)
where feedback_until is null and reasons = '[]' and weights <> '{}' and isfinite(as_of);

grant select (imported) on public.learned_weights to knot_worker;
