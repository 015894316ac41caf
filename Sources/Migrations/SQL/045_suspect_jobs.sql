-- A worker that dies holds many jobs, and at most one of them is why. So what a dead worker held is taken by itself the next
-- time, and only a job that was alone with its worker is ever put aside. And what was told of in one notice waits and comes
-- back together, so that no two workers hand the same notice over at once.

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

-- Takes due jobs for a worker, the most urgent first; what another worker holds is skipped and not waited for.
--
-- A job that a dead worker held comes after all others and only to who holds nothing: the first time with what was told of in
-- one notice with it, from then on alone. Whoever holds one claims no more until it has ended. What waits and was told of in
-- one notice with a job comes with it, due or not.
create or replace function api.claim_jobs(worker uuid, job_limit integer default 1, lease_seconds integer default 60)
returns table (
    job_id uuid,
    claim_token uuid,
    vault_id uuid,
    milestone_id uuid,
    occurrence_date date,
    days_before integer,
    notification_id uuid,
    run_at timestamptz,
    attempt integer,
    crash_count integer,
    lease_until timestamptz
)
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    is_suspect boolean;
begin
    perform api.check_count('the number of jobs', job_limit, 500);
    perform api.check_count('a lease''s seconds', lease_seconds, 3600);
    if worker is null then
        raise exception 'a worker needs an id' using errcode = 'invalid_parameter_value';
    end if;
    foreach is_suspect in array array[false, true] loop
        if is_suspect and exists (
            select 1 from public.recommendation_jobs j
            where j.claimed_by = worker and j.state = 'running' and j.lease_until is not null
        ) then
            return;
        end if;
        return query
            with due as materialized (
                select j.id, j.notice_id, j.crash_count
                from public.recommendation_jobs j
                where j.state in ('available', 'retryable') and j.finished_at is null and j.run_at <= knot.clock()
                    and (j.crash_count > 0) = is_suspect
                order by j.priority, j.run_at, j.id
                limit case when is_suspect then 1 else job_limit end
                for update skip locked
            ), companions as materialized (
                select c.id
                from (
                    select distinct due.notice_id from due where due.notice_id is not null and due.crash_count < 2
                ) n
                cross join lateral (
                    select o.id from public.recommendation_jobs o
                    where o.notice_id = n.notice_id and o.state in ('available', 'retryable') and o.crash_count < 2
                    for update skip locked
                ) c
            ), taken as (
                update public.recommendation_jobs j
                set state = 'running',
                    attempt = j.attempt + 1,
                    claim_token = gen_random_uuid(),
                    claimed_by = worker,
                    lease_until = knot.clock() + make_interval(secs => lease_seconds)
                -- Of a limit that is not known a plan expects a part of the table, and then reads all of it.
                where j.id = any (array(select due.id from due union all select companions.id from companions))
                returning j.*
            )
            select
                t.id, t.claim_token, t.vault_id, t.milestone_id, t.occurrence_date, t.days_before, t.notification_id,
                t.run_at, t.attempt, t.crash_count, t.lease_until
            from taken t
            order by t.priority, t.run_at, t.id;
        exit when found;
    end loop;
end
$$;

-- Notes a failure: the job waits and is tried again, or is put aside for good where that is useless. Returns the new
-- state, or null where the lease was lost. A class that is none of the six is a fault of the stage that names it, and a
-- code of another form has no name here: neither keeps the failure from being noted.
create or replace function api.fail(
    job uuid,
    token uuid,
    error_class text,
    error_code text,
    error_detail text default null,
    is_permanent boolean default false,
    retry_after_seconds double precision default null
) returns text
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    failed public.recommendation_jobs;
begin
    update public.recommendation_jobs j
    set state = case when is_permanent or j.attempt >= 12 then 'dead' else 'retryable' end,
        finished_at = case when is_permanent or j.attempt >= 12 then knot.clock() end,
        run_at = greatest(
            -- What was told of in one notice waits for one moment.
            coalesce(
                (
                    select max(o.run_at) from public.recommendation_jobs o
                    where o.notice_id = j.notice_id and o.id <> j.id and o.state = 'retryable' and o.run_at > knot.clock()
                ),
                -- Full jitter under a ceiling that doubles from 15 seconds to an hour.
                knot.clock() + make_interval(secs => random() * least(15 * power(2, least(j.attempt, 12)), 3600))
            ),
            -- A stated wait is kept, up to an hour.
            knot.clock() + make_interval(secs => least(greatest(coalesce(retry_after_seconds, 0), 0), 3600))
        ),
        lease_until = null,
        last_error_class = case
            when error_class in ('request', 'data', 'provider', 'stage', 'platform', 'cancelled') then error_class
            else 'stage'
        end,
        last_error_code = case when error_code ~ '^[a-z][a-z0-9_]{0,49}$' then error_code else 'unnamed' end,
        last_error_detail = left(error_detail, 200)
    where j.id = job and j.claim_token = token and j.state = 'running'
    returning j.* into failed;
    if failed.state = 'dead' then
        perform api.end_notification(failed.notification_id, 'failed');
    end if;
    return failed.state;
end
$$;

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
