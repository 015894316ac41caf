-- What a worker writes for a whole batch at once; who holds a job, for who looks after the queue; and what a dead worker
-- left behind is taken up again without a long wait.

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

-- The name that a process took at its start tells nothing of a person, and the token that writes stays hidden.
grant select (claimed_by) on public.recommendation_jobs to knot_worker;

-- Takes back jobs whose lease ran out, at most so many. The first time it was not the job's fault, as far as anybody knows,
-- and it waits only so long that the jobs of a dead worker come apart; one that was held by a second worker that died waits
-- longer, and a third puts it aside.
create or replace function api.rescue(job_limit integer default 100)
returns table (job_id uuid, state text, crash_count integer)
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
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
                    secs => random() * 10 + case
                        when j.crash_count = 0 then 0
                        else least(15 * power(2, least(j.attempt, 12)), 3600) * (0.5 + random() / 2)
                    end
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

-- Notes in which notices jobs are told of, as api.begin_notice does for one: each job stands beside its notice. Returns the
-- notices of which that is so now; of another one nothing is noted.
create function api.begin_notices(notices uuid[], jobs uuid[], tokens uuid[]) returns setof uuid
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    begun uuid[];
begin
    if cardinality(notices) is distinct from cardinality(jobs) then
        raise exception 'the three lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    select array_agg(f.notice) into begun
    from (
        select a.notice
        from unnest(notices, jobs) as a (notice, job)
        left join api.held_jobs(jobs, tokens) h on h.id = a.job and coalesce(h.notice_id, a.notice) = a.notice
            and exists (
                select 1 from public.recommendation_jobs o
                where o.vault_id = h.vault_id and o.notification_id = a.notice
                offset 0
            )
        group by a.notice
        having count(h.id) = count(*)
    ) f;
    update public.recommendation_jobs j set notice_id = a.notice
    from unnest(notices, jobs) as a (notice, job)
    where j.id = a.job and a.notice = any (begun);
    return query select unnest(begun);
end
$$;

-- Ends the jobs of delivered notices, as api.finish_notice does for one: each job stands beside its notice. Returns the
-- notices whose jobs have ended; of another one, of which a job with a token is not held, nothing is written.
create function api.finish_notices(notices uuid[], jobs uuid[], tokens uuid[], runs uuid[]) returns setof uuid
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    told uuid[];
    done uuid[];
    ends bigint;
begin
    perform api.check_count('the number of jobs', cardinality(jobs), 500);
    if cardinality(notices) is distinct from cardinality(jobs) or cardinality(tokens) is distinct from cardinality(jobs)
        or cardinality(runs) is distinct from cardinality(jobs)
    then
        raise exception 'the four lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    with locked as (
        select j.id
        from public.recommendation_jobs j
        join unnest(notices, jobs, tokens) as asked (notice, id, token) on asked.id = j.id
        where j.notice_id = asked.notice and (
            asked.token = j.claim_token and j.state = 'running'
            or asked.token is null and j.state in ('available', 'retryable')
        )
        order by j.id
        for update of j
    )
    select array_agg(l.id) into told from locked l;
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
    select count(api.end_notification(e.notification_id, 'sent')) into ends from ended e;
    return query select unnest(done);
end
$$;

revoke all on function
    api.begin_notices(uuid[], uuid[], uuid[]), api.finish_notices(uuid[], uuid[], uuid[], uuid[])
    from public, anon, authenticated;
grant execute on function
    api.begin_notices(uuid[], uuid[], uuid[]), api.finish_notices(uuid[], uuid[], uuid[], uuid[])
    to knot_worker;

do $$
begin
    grant create on schema api to knot_queue;
    alter function api.begin_notices(uuid[], uuid[], uuid[]) owner to knot_queue;
    alter function api.finish_notices(uuid[], uuid[], uuid[], uuid[]) owner to knot_queue;
    revoke create on schema api from knot_queue;
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
