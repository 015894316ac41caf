-- The queue's functions. Each is one short statement's work on the database's clock; whoever claims a job holds its
-- token, and nothing is written for a job without it.
create schema if not exists api;

-- A count of things asked for at once, or an error that says what is allowed.
create function api.check_count(what text, given integer, highest integer) returns void
    language plpgsql
    immutable
    set search_path = ''
as $$
begin
    if given is null or given < 1 or given > highest then
        raise exception '% must be from 1 to %, not %', what, highest, given using errcode = 'invalid_parameter_value';
    end if;
end
$$;

-- Puts jobs and their notifications into the queue, at most 500 at once. One row for each asked for: new, moved (it
-- waits for another moment now), kept, or gone (there is no such milestone).
create function api.enqueue(
    milestones uuid[],
    occurrences date[],
    days_before integer[],
    run_ats timestamptz[],
    job_priority integer default 100
) returns table (ordinal integer, job_id uuid, notification_id uuid, outcome text)
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
#variable_conflict use_column
declare
    count_asked integer := cardinality(milestones);
    i integer;
    vault uuid;
    person uuid;
    job public.recommendation_jobs;
    notice uuid;
begin
    perform api.check_count('the number of jobs', count_asked, 500);
    if cardinality(occurrences) is distinct from count_asked or cardinality($3) is distinct from count_asked
        or cardinality(run_ats) is distinct from count_asked
    then
        raise exception 'the four lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    for i in 1..count_asked loop
        vault := null;
        select m.vault_id, v.user_id into vault, person
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = milestones[i];
        if vault is null then
            return query select i, null::uuid, null::uuid, 'gone';
            continue;
        end if;

        insert into public.recommendation_jobs (vault_id, milestone_id, occurrence_date, days_before, run_at, priority)
        values (vault, milestones[i], occurrences[i], $3[i], run_ats[i], job_priority::smallint)
        on conflict (milestone_id, occurrence_date, days_before) do nothing
        returning * into job;

        if found then
            -- The app may have queued this very notification before.
            select n.id into notice
            from public.notification_queue n
            where n.milestone_id = milestones[i] and n.days_before = $3[i] and n.status = 'pending'
                and n.scheduled_for between occurrences[i] - interval '20 days' and occurrences[i] + interval '2 days'
                and not exists (select 1 from public.recommendation_jobs j where j.notification_id = n.id)
            order by n.created_at, n.id
            limit 1;
            if notice is null then
                insert into public.notification_queue (user_id, milestone_id, scheduled_for, days_before)
                values (person, milestones[i], run_ats[i], $3[i])
                returning id into notice;
            end if;
            update public.recommendation_jobs j set notification_id = notice where j.id = job.id;
            return query select i, job.id, notice, 'new';
            continue;
        end if;

        -- A job that nobody has begun moves with its person's zone.
        update public.recommendation_jobs j set run_at = run_ats[i]
        where j.milestone_id = milestones[i] and j.occurrence_date = occurrences[i] and j.days_before = $3[i]
            and j.state = 'available' and j.attempt = 0 and j.run_at <> run_ats[i]
        returning j.* into job;
        if found then
            update public.notification_queue n set scheduled_for = run_ats[i]
            where n.id = job.notification_id and n.status = 'pending';
            return query select i, job.id, job.notification_id, 'moved';
        else
            return query
                select i, j.id, j.notification_id, 'kept'
                from public.recommendation_jobs j
                where j.milestone_id = milestones[i] and j.occurrence_date = occurrences[i] and j.days_before = $3[i];
        end if;
    end loop;
end
$$;

-- Takes due jobs for a worker, the most urgent first; what another worker holds is skipped and not waited for.
create function api.claim_jobs(worker uuid, job_limit integer default 1, lease_seconds integer default 60)
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
    set search_path = ''
as $$
#variable_conflict use_column
begin
    perform api.check_count('the number of jobs', job_limit, 500);
    perform api.check_count('a lease''s seconds', lease_seconds, 3600);
    if worker is null then
        raise exception 'a worker needs an id' using errcode = 'invalid_parameter_value';
    end if;
    return query
        with due as (
            select j.id
            from public.recommendation_jobs j
            where j.state in ('available', 'retryable') and j.run_at <= knot.clock()
            order by j.priority, j.run_at, j.id
            limit job_limit
            for update skip locked
        ), taken as (
            update public.recommendation_jobs j
            set state = 'running',
                attempt = j.attempt + 1,
                claim_token = gen_random_uuid(),
                claimed_by = worker,
                lease_until = knot.clock() + make_interval(secs => lease_seconds)
            from due
            where j.id = due.id
            returning j.*
        )
        select
            t.id, t.claim_token, t.vault_id, t.milestone_id, t.occurrence_date, t.days_before, t.notification_id,
            t.run_at, t.attempt, t.crash_count, t.lease_until
        from taken t
        order by t.priority, t.run_at, t.id;
end
$$;

-- Lengthens leases and returns the jobs that are still held; one that is missing from the answer is lost.
create function api.renew(jobs uuid[], tokens uuid[], lease_seconds integer default 60) returns setof uuid
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
begin
    perform api.check_count('the number of jobs', cardinality(jobs), 500);
    perform api.check_count('a lease''s seconds', lease_seconds, 3600);
    if cardinality(tokens) is distinct from cardinality(jobs) then
        raise exception 'the two lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    return query
        update public.recommendation_jobs j
        set lease_until = knot.clock() + make_interval(secs => lease_seconds)
        from unnest(jobs, tokens) as held (id, token)
        where j.id = held.id and j.claim_token = held.token and j.state = 'running'
        returning j.id;
end
$$;

-- Ends a job with its run. False means that the lease was lost: the whole transaction has to be rolled back.
create function api.complete(job uuid, token uuid, run uuid default null) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
begin
    update public.recommendation_jobs j
    set state = 'completed', run_id = run, finished_at = knot.clock(), lease_until = null,
        last_error_class = null, last_error_code = null, last_error_detail = null
    where j.id = job and j.claim_token = token and j.state = 'running';
    return found;
end
$$;

-- A job that comes to nothing any more: its notification, if still pending, ends with it.
create function api.end_notification(notification uuid, new_status text) returns boolean
    language plpgsql
    volatile
    set search_path = ''
as $$
begin
    update public.notification_queue n
    set status = new_status, sent_at = case when new_status = 'sent' then knot.clock() end
    where n.id = notification and n.status = 'pending';
    return found;
end
$$;

-- Notes a failure: the job waits and is tried again, or is put aside for good where that is useless. Returns the new
-- state, or null where the lease was lost.
create function api.fail(
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
    set search_path = ''
as $$
declare
    failed public.recommendation_jobs;
begin
    update public.recommendation_jobs j
    set state = case when is_permanent or j.attempt >= 12 then 'dead' else 'retryable' end,
        finished_at = case when is_permanent or j.attempt >= 12 then knot.clock() end,
        -- Full jitter under a ceiling that doubles from 15 seconds to an hour; a stated wait is kept, up to an hour.
        run_at = knot.clock() + make_interval(
            secs => greatest(
                random() * least(15 * power(2, least(j.attempt, 12)), 3600),
                least(greatest(coalesce(retry_after_seconds, 0), 0), 3600)
            )
        ),
        lease_until = null,
        last_error_class = error_class,
        last_error_code = error_code,
        last_error_detail = left(error_detail, 200)
    where j.id = job and j.claim_token = token and j.state = 'running'
    returning j.* into failed;
    if failed.state = 'dead' then
        perform api.end_notification(failed.notification_id, 'failed');
    end if;
    return failed.state;
end
$$;

-- Gives a job back until a moment, without spending the attempt: nothing was tried. False: the lease was lost.
create function api.snooze(job uuid, token uuid, until timestamptz) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
begin
    update public.recommendation_jobs j
    set state = case when j.attempt > 1 then 'retryable' else 'available' end,
        attempt = greatest(j.attempt - 1, 0), run_at = until, lease_until = null
    where j.id = job and j.claim_token = token and j.state = 'running';
    return found;
end
$$;

-- Gives back all that a worker still holds when it stops, and returns how many; another may take them at once.
create function api.release(worker uuid) returns integer
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
declare
    released integer;
begin
    update public.recommendation_jobs j
    set state = case when j.attempt > 1 then 'retryable' else 'available' end,
        attempt = greatest(j.attempt - 1, 0), lease_until = null
    where j.claimed_by = worker and j.state = 'running';
    get diagnostics released = row_count;
    return released;
end
$$;

-- Takes back jobs whose lease ran out: tried again after a while, spread out, or put aside at the third crash or the
-- twelfth attempt. The lease is looked at again in the statement that changes the row.
create function api.rescue(job_limit integer default 100)
returns table (job_id uuid, state text, crash_count integer)
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
#variable_conflict use_column
begin
    perform api.check_count('the number of jobs', job_limit, 500);
    return query
        with lost as (
            select j.id, j.claim_token
            from public.recommendation_jobs j
            where j.state = 'running' and j.lease_until < knot.clock()
            order by j.lease_until, j.id
            limit job_limit
            for update skip locked
        ), taken_back as (
            update public.recommendation_jobs j
            set crash_count = j.crash_count + 1,
                state = case when j.crash_count + 1 >= 3 or j.attempt >= 12 then 'dead' else 'retryable' end,
                finished_at = case when j.crash_count + 1 >= 3 or j.attempt >= 12 then knot.clock() end,
                run_at = knot.clock() + make_interval(
                    secs => random() * 10
                        + least(15 * power(2, least(j.attempt, 12)), 3600) * (0.5 + random() / 2)
                ),
                lease_until = null,
                last_error_class = 'platform',
                last_error_code = 'lease_expired',
                last_error_detail = null
            from lost
            where j.id = lost.id and j.claim_token = lost.claim_token and j.state = 'running'
                and j.lease_until < knot.clock()
            returning j.id, j.state, j.crash_count, j.notification_id
        ), ended as materialized (
            select t.*, case when t.state = 'dead' then api.end_notification(t.notification_id, 'failed') end as told
            from taken_back t
        )
        select e.id, e.state, e.crash_count from ended e;
end
$$;

-- Ends a job that is not to be done any more, such as one that came too late. A worker that holds it loses the lease.
create function api.cancel(job uuid) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
declare
    cancelled public.recommendation_jobs;
begin
    update public.recommendation_jobs j
    set state = 'cancelled', finished_at = knot.clock(), lease_until = null
    where j.id = job and j.state in ('available', 'retryable', 'running')
    returning j.* into cancelled;
    if cancelled.id is null then
        return false;
    end if;
    perform api.end_notification(cancelled.notification_id, 'cancelled');
    return true;
end
$$;

-- Puts a job that was set aside back into the queue, as if it had never been tried.
create function api.replay(job uuid) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
begin
    update public.recommendation_jobs j
    set state = 'available', attempt = 0, crash_count = 0, run_at = knot.clock(), finished_at = null, run_id = null,
        claim_token = null, claimed_by = null
    where j.id = job and j.state = 'dead';
    return found;
end
$$;

-- Takes a notification from pending to its one end, by whoever really sent it. False: it had ended before.
create function api.settle_notification(notification uuid, new_status text) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = ''
as $$
begin
    if new_status is null or new_status not in ('sent', 'failed', 'cancelled') then
        raise exception 'a notification ends as sent, failed or cancelled' using errcode = 'invalid_parameter_value';
    end if;
    return api.end_notification(notification, new_status);
end
$$;

-- A function is everybody's until that is taken back, and defaults of one schema cannot take it back beforehand.
revoke all on schema api from public, anon, authenticated;
revoke all on all functions in schema api from public, anon, authenticated;
grant usage on schema api to knot_worker, knot_queue;
grant execute on function
    api.check_count(text, integer, integer),
    api.end_notification(uuid, text)
    to knot_queue;
grant execute on function
    api.enqueue(uuid[], date[], integer[], timestamptz[], integer),
    api.claim_jobs(uuid, integer, integer),
    api.renew(uuid[], uuid[], integer),
    api.complete(uuid, uuid, uuid),
    api.fail(uuid, uuid, text, text, text, boolean, double precision),
    api.snooze(uuid, uuid, timestamptz),
    api.release(uuid),
    api.rescue(integer),
    api.cancel(uuid),
    api.replay(uuid),
    api.settle_notification(uuid, text)
    to knot_worker;

-- To hand a function over, one has to be a member of the new owner's role, which has to be allowed to create here.
do $$
declare
    is_member boolean := pg_catalog.pg_has_role(current_user, 'knot_queue', 'set');
    name regprocedure;
begin
    if not is_member then
        execute format('grant knot_queue to %I', current_user);
    end if;
    grant create on schema api to knot_queue;
    for name in
        select p.oid::regprocedure
        from pg_catalog.pg_proc p
        where p.pronamespace = 'api'::regnamespace and p.prosecdef
    loop
        execute format('alter function %s owner to knot_queue', name);
    end loop;
    revoke create on schema api from knot_queue;
    if not is_member then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
