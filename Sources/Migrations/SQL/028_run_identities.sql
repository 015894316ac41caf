-- A run says itself what its identity is made of, so that nobody can take another vault's: SHA-256 over the canonical JSON
-- (RFC 8785) of kind, milestone, occurrence, request, tier and vault. Rows from before stay as they are.
alter table public.recommendation_runs
    -- The milestone that the identity names, also where it is gone; null: the row's own.
    add column identity_milestone_id uuid;

create function knot.check_run_identity() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
declare
    milestone uuid := coalesce(new.identity_milestone_id, new.milestone_id);
    said text := '{"kind":' || to_json(new.kind)
        || ',"milestone":' || coalesce(to_json(milestone::text)::text, 'null')
        || ',"occurrence":' || coalesce(to_json(to_char(new.occurrence_date, 'YYYY-MM-DD'))::text, 'null')
        || ',"request":' || to_json(new.request) || ',"tier":' || to_json(new.occasion_type)
        || ',"vault":' || to_json(new.vault_id::text) || '}';
begin
    if encode(sha256(convert_to(said, 'UTF8')), 'hex') is distinct from new.identity then
        raise exception 'run % bears an identity that is not of its own vault and request', new.id
            using errcode = 'check_violation', constraint = 'recommendation_runs_bear_their_own_identity';
    end if;
    if new.milestone_id <> milestone then
        raise exception 'run % is for another milestone than its identity names', new.id
            using errcode = 'check_violation', constraint = 'recommendation_runs_bear_their_own_identity';
    end if;
    return null;
end
$$;

create constraint trigger recommendation_runs_bear_their_own_identity
    after insert on public.recommendation_runs
    for each row execute function knot.check_run_identity();

-- A person's sets are written by the command: when a row came in is the server's to say.
revoke insert on public.recommendation_runs from authenticated;
grant insert (
    id, identity, identity_milestone_id, vault_id, milestone_id, occurrence_date, occasion_type, kind, request,
    pipeline_name, pipeline_hash, engine_version, seed, input_digest, as_of, outcome, reasons, counts, timings, result,
    supersedes, round
) on public.recommendation_runs to authenticated;
