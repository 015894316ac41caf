-- The queue's functions, mended: what is called off can be planned again, what is put back takes its notification along,
-- an error of any name is a failure, moments have bounds, and rows are locked in one order.

-- Functions that run as knot_queue are its own: whoever replaces them acts for it meanwhile.
do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

-- A moment that a calendar has, or an error; the server's infinities are none.
create function api.check_moment(what text, given timestamptz) returns void
    language plpgsql
    immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if given is null or given not between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59Z' then
        raise exception '% must be a moment of the years 1 to 9999', what using errcode = 'invalid_parameter_value';
    end if;
end
$$;

-- Puts jobs and their notifications into the queue, at most 500 at once. One row for each asked for, in their order:
-- new (also one that was called off before), moved (it waits for another moment now), kept, or gone (there is no such
-- milestone). Two planners of the same jobs take them in the same order, so that neither waits for the other for ever.
create or replace function api.enqueue(
    milestones uuid[],
    occurrences date[],
    days_before integer[],
    run_ats timestamptz[],
    job_priority integer default 100
) returns table (ordinal integer, job_id uuid, notification_id uuid, outcome text)
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    count_asked integer := cardinality(milestones);
    asked record;
    vault uuid;
    person uuid;
    job public.recommendation_jobs;
    notice uuid;
    jobs uuid[];
    notices uuid[];
    outcomes text[];
begin
    perform api.check_count('the number of jobs', count_asked, 500);
    if cardinality(occurrences) is distinct from count_asked or cardinality($3) is distinct from count_asked
        or cardinality(run_ats) is distinct from count_asked
    then
        raise exception 'the four lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    perform api.check_moment('a job''s time', a.moment), api.check_moment('an occurrence', a.day::timestamp at time zone 'UTC')
    from unnest(run_ats, occurrences) as a (moment, day);
    jobs := array_fill(null::uuid, array[count_asked]);
    notices := array_fill(null::uuid, array[count_asked]);
    outcomes := array_fill(null::text, array[count_asked]);
    for asked in
        select a.milestone, a.day, a.days, a.moment, a.place::integer as place
        from unnest(milestones, occurrences, $3, run_ats) with ordinality as a (milestone, day, days, moment, place)
        order by a.milestone, a.day, a.days, a.place
    loop
        vault := null;
        notice := null;
        select m.vault_id, v.user_id into vault, person
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = asked.milestone;
        if vault is null then
            outcomes[asked.place] := 'gone';
            continue;
        end if;

        insert into public.recommendation_jobs (vault_id, milestone_id, occurrence_date, days_before, run_at, priority)
        values (vault, asked.milestone, asked.day, asked.days, asked.moment, job_priority::smallint)
        on conflict (milestone_id, occurrence_date, days_before) do nothing
        returning * into job;

        if found then
            -- The app may have queued this very notification before, for this very person.
            select n.id into notice
            from public.notification_queue n
            where n.milestone_id = asked.milestone and n.user_id = person and n.days_before = asked.days
                and n.status = 'pending'
                and n.scheduled_for between asked.day - interval '20 days' and asked.day + interval '2 days'
                and not exists (select 1 from public.recommendation_jobs j where j.notification_id = n.id)
            order by n.created_at, n.id
            limit 1;
        else
            -- Called off and wanted again, unless the person had ended the notification before it was called off.
            update public.recommendation_jobs j
            set state = 'available', attempt = 0, crash_count = 0, run_at = asked.moment, finished_at = null,
                run_id = null, claim_token = null, claimed_by = null, last_error_class = null, last_error_code = null,
                last_error_detail = null
            where j.milestone_id = asked.milestone and j.occurrence_date = asked.day and j.days_before = asked.days
                and j.state = 'cancelled' and j.last_error_code is distinct from 'notification_ended'
                and not exists (
                    select 1 from public.notification_queue n
                    where n.id = j.notification_id and n.status in ('sent', 'failed')
                )
            returning j.* into job;
            if found then
                update public.notification_queue n set status = 'pending', sent_at = null, scheduled_for = asked.moment
                where n.id = job.notification_id and n.status in ('pending', 'cancelled')
                    and n.user_id = person and n.milestone_id = asked.milestone
                returning n.id into notice;
            end if;
        end if;
        if job.id is not null then
            if notice is null then
                insert into public.notification_queue (user_id, milestone_id, scheduled_for, days_before)
                values (person, asked.milestone, asked.moment, asked.days)
                returning id into notice;
            end if;
            update public.recommendation_jobs j set notification_id = notice where j.id = job.id;
            jobs[asked.place] := job.id;
            notices[asked.place] := notice;
            outcomes[asked.place] := 'new';
            continue;
        end if;

        -- A job that nobody has begun moves with its person's zone.
        update public.recommendation_jobs j set run_at = asked.moment
        where j.milestone_id = asked.milestone and j.occurrence_date = asked.day and j.days_before = asked.days
            and j.state = 'available' and j.attempt = 0 and j.run_at <> asked.moment
        returning j.* into job;
        if found then
            update public.notification_queue n set scheduled_for = asked.moment
            where n.id = job.notification_id and n.status = 'pending'
                and n.user_id = person and n.milestone_id = asked.milestone;
            outcomes[asked.place] := 'moved';
        else
            select j.* into job
            from public.recommendation_jobs j
            where j.milestone_id = asked.milestone and j.occurrence_date = asked.day and j.days_before = asked.days;
            outcomes[asked.place] := 'kept';
        end if;
        jobs[asked.place] := job.id;
        notices[asked.place] := job.notification_id;
    end loop;
    return query
        select a.place::integer, a.job, a.notice, a.outcome
        from unnest(jobs, notices, outcomes) with ordinality as a (job, notice, outcome, place)
        order by a.place;
end
$$;

-- Lengthens leases and returns the jobs that are still held; one that is missing from the answer is lost.
create or replace function api.renew(jobs uuid[], tokens uuid[], lease_seconds integer default 60) returns setof uuid
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform api.check_count('the number of jobs', cardinality(jobs), 500);
    perform api.check_count('a lease''s seconds', lease_seconds, 3600);
    if cardinality(tokens) is distinct from cardinality(jobs) then
        raise exception 'the two lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    return query
        with held as (
            select j.id
            from public.recommendation_jobs j
            join unnest(jobs, tokens) as asked (id, token) on asked.id = j.id and asked.token = j.claim_token
            where j.state = 'running'
            order by j.id
            for update of j
        )
        update public.recommendation_jobs j
        set lease_until = knot.clock() + make_interval(secs => lease_seconds)
        from held
        where j.id = held.id and j.state = 'running'
        returning j.id;
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
        -- Full jitter under a ceiling that doubles from 15 seconds to an hour; a stated wait is kept, up to an hour.
        run_at = knot.clock() + make_interval(
            secs => greatest(
                random() * least(15 * power(2, least(j.attempt, 12)), 3600),
                least(greatest(coalesce(retry_after_seconds, 0), 0), 3600)
            )
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

-- Gives a job back until a moment, without spending the attempt: nothing was tried. False: the lease was lost.
create or replace function api.snooze(job uuid, token uuid, until timestamptz) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform api.check_moment('the moment to wait for', until);
    update public.recommendation_jobs j
    set state = case when j.attempt > 1 then 'retryable' else 'available' end,
        attempt = greatest(j.attempt - 1, 0), run_at = until, lease_until = null
    where j.id = job and j.claim_token = token and j.state = 'running';
    return found;
end
$$;

-- Gives back all that a worker still holds when it stops, and returns how many; another may take them at once. The
-- attempt is spent, and a lease that had run out counts as a crash: a job that stops its worker every time comes to an
-- end like one that kills it.
create or replace function api.release(worker uuid) returns integer
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    released integer;
begin
    with held as (
        select j.id, j.crash_count + (j.lease_until < knot.clock())::integer as crashes,
            j.lease_until < knot.clock() as is_lost
        from public.recommendation_jobs j
        where j.claimed_by = worker and j.state = 'running'
        order by j.id
        for update
    ), given_back as (
        update public.recommendation_jobs j
        set crash_count = held.crashes,
            state = case when held.crashes >= 3 or j.attempt >= 12 then 'dead' else 'retryable' end,
            finished_at = case when held.crashes >= 3 or j.attempt >= 12 then knot.clock() end,
            run_at = case
                when held.is_lost then knot.clock() + make_interval(
                    secs => random() * 10
                        + least(15 * power(2, least(j.attempt, 12)), 3600) * (0.5 + random() / 2)
                )
                else j.run_at
            end,
            lease_until = null,
            last_error_class = 'platform',
            last_error_code = case when held.is_lost then 'lease_expired' else 'worker_stopped' end,
            last_error_detail = null
        from held
        where j.id = held.id and j.state = 'running'
        returning j.state, j.notification_id
    ), ended as materialized (
        select case when g.state = 'dead' then api.end_notification(g.notification_id, 'failed') end as told
        from given_back g
    )
    select count(*) into released from ended;
    return released;
end
$$;

-- Ends a job that is not to be done any more, such as one that came too late. A worker that holds it loses the lease.
create or replace function api.cancel(job uuid) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
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
    if not api.end_notification(cancelled.notification_id, 'cancelled') and exists (
        select 1 from public.notification_queue n where n.id = cancelled.notification_id
    ) then
        -- Somebody had ended it before: planning the job again must not bring it back.
        update public.recommendation_jobs j
        set last_error_class = 'cancelled', last_error_code = 'notification_ended', last_error_detail = null
        where j.id = job;
    end if;
    return true;
end
$$;

-- Puts a job that was set aside back into the queue, as if it had never been tried, and its notification with it.
create or replace function api.replay(job uuid) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    replayed public.recommendation_jobs;
begin
    update public.recommendation_jobs j
    set state = 'available', attempt = 0, crash_count = 0, run_at = knot.clock(), finished_at = null, run_id = null,
        claim_token = null, claimed_by = null, last_error_class = null, last_error_code = null,
        last_error_detail = null
    where j.id = job and j.state = 'dead'
    returning j.* into replayed;
    if replayed.id is null then
        return false;
    end if;
    update public.notification_queue n set status = 'pending', sent_at = null, scheduled_for = replayed.run_at
    where n.id = replayed.notification_id and n.status = 'failed' and n.milestone_id = replayed.milestone_id
        and exists (select 1 from public.partner_vaults v where v.id = replayed.vault_id and v.user_id = n.user_id);
    return true;
end
$$;

revoke all on function api.check_moment(text, timestamptz) from public, anon, authenticated;
grant execute on function api.check_moment(text, timestamptz) to knot_queue;

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
