-- What is asked of the queue is found by its key, whatever a plan expects.
--
-- A plan is made by what the tables held when they were last analyzed: at noon no job runs, and an index of all that run
-- looks like the shortest way to one job of that state, although a thousand run by the time it is taken. So the conditions
-- of the queue's two partial indexes have a part that follows from the state by the table's own checks, and only who names
-- it as well goes through the index.

drop index public.idx_recommendation_jobs_due;
create index idx_recommendation_jobs_due on public.recommendation_jobs (priority, run_at, id)
    where state in ('available', 'retryable') and finished_at is null;
drop index public.idx_recommendation_jobs_leases;
create index idx_recommendation_jobs_leases on public.recommendation_jobs (lease_until)
    where state = 'running' and lease_until is not null;

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

-- Takes due jobs for a worker, the most urgent first; what another worker holds is skipped and not waited for.
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
begin
    perform api.check_count('the number of jobs', job_limit, 500);
    perform api.check_count('a lease''s seconds', lease_seconds, 3600);
    if worker is null then
        raise exception 'a worker needs an id' using errcode = 'invalid_parameter_value';
    end if;
    return query
        with due as materialized (
            select j.id
            from public.recommendation_jobs j
            where j.state in ('available', 'retryable') and j.finished_at is null and j.run_at <= knot.clock()
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
            -- Of a limit that is not known a plan expects a part of the table, and then reads all of it.
            where j.id = any (array(select due.id from due))
            returning j.*
        )
        select
            t.id, t.claim_token, t.vault_id, t.milestone_id, t.occurrence_date, t.days_before, t.notification_id,
            t.run_at, t.attempt, t.crash_count, t.lease_until
        from taken t
        order by t.priority, t.run_at, t.id;
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
        where j.claimed_by = worker and j.state = 'running' and j.lease_until is not null
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

-- Where to reach the persons of jobs that are held; whoever holds none learns nothing.
create or replace function api.devices(jobs uuid[], tokens uuid[])
    returns table (job_id uuid, platform text, device text)
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    return query
        select j.id, u.device_platform, u.device_token
        from unnest(jobs, tokens) as asked (id, token)
        cross join lateral (
            select o.id, o.vault_id, o.claim_token, o.state from public.recommendation_jobs o where o.id = asked.id limit 1
        ) j
        join public.partner_vaults v on v.id = j.vault_id
        join public.users u on u.id = v.user_id
        where j.claim_token = asked.token and j.state = 'running'
            and u.device_token is not null and u.device_platform is not null;
end
$$;

-- Ends the notification of a job, where it waits and is its owner's; false where that is not so.
create or replace function api.end_notification(notification uuid, new_status text) returns boolean
    language plpgsql
    volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    update public.notification_queue n
    set status = new_status, sent_at = case when new_status = 'sent' then knot.clock() end
    -- The status as an expression: an index of all that wait is no way to one of them.
    where n.id = notification and n.status || '' = 'pending' and exists (
        select 1
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = n.milestone_id and v.user_id = n.user_id
    );
    return found;
end
$$;

-- Ends the jobs of delivered notices, as api.finish_notice does for one: each job stands beside its notice. Returns the
-- notices whose jobs have ended; of another one, of which a job with a token is not held, nothing is written.
create or replace function api.finish_notices(notices uuid[], jobs uuid[], tokens uuid[], runs uuid[]) returns setof uuid
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    told uuid[];
    done uuid[];
    notifications uuid[];
begin
    perform api.check_count('the number of jobs', cardinality(jobs), 500);
    if cardinality(notices) is distinct from cardinality(jobs) or cardinality(tokens) is distinct from cardinality(jobs)
        or cardinality(runs) is distinct from cardinality(jobs)
    then
        raise exception 'the four lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    perform from public.recommendation_jobs j where j.id = any (jobs) order by j.id for update;
    select coalesce(array_agg(asked.id), '{}') into told
    from unnest(notices, jobs, tokens) as asked (notice, id, token)
    cross join lateral (
        select o.notice_id, o.claim_token, o.state from public.recommendation_jobs o where o.id = asked.id limit 1
    ) j
    where j.notice_id = asked.notice and (
        asked.token = j.claim_token and j.state = 'running'
        or asked.token is null and j.state in ('available', 'retryable')
    );
    select array_agg(f.notice) into done
    from (
        select a.notice from unnest(notices, jobs, tokens) as a (notice, job, token)
        group by a.notice
        having bool_and(a.token is null or a.job = any (told))
    ) f;
    with ended as (
        update public.recommendation_jobs j
        set state = 'completed', run_id = asked.run, finished_at = knot.clock(), lease_until = null,
            last_error_class = null, last_error_code = null, last_error_detail = null
        from unnest(notices, jobs, runs) as asked (notice, id, run)
        where j.id = asked.id and j.id = any (told) and asked.notice = any (done)
        returning j.notification_id
    )
    select array_agg(e.notification_id) into notifications from ended e;
    -- As api.end_notification does for one.
    update public.notification_queue n set status = 'sent', sent_at = knot.clock()
    where n.id = any (notifications) and n.status || '' = 'pending' and exists (
        select 1
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = n.milestone_id and v.user_id = n.user_id
    );
    return query select unnest(done);
end
$$;

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
