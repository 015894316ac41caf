-- What a worker needs to tell a person once: which jobs were told of in one notice, one set for each reminder whatever is
-- edited meanwhile, and a look at the vault's history that nobody can slip past.

-- Jobs that were handed over together bear the same notice, so that each of them is handed over again under the same name.
alter table public.recommendation_jobs add column notice_id uuid;
create index idx_recommendation_jobs_notice_id on public.recommendation_jobs (notice_id) where notice_id is not null;
grant select (notice_id) on public.recommendation_jobs to knot_worker;

-- A reminder has one set: its identity names the occasion's tier as well, which may be edited between two attempts.
create unique index idx_recommendation_runs_reminder on public.recommendation_runs (vault_id, request)
    where kind = 'scheduled';

-- The jobs that bear these tokens still, locked in one order; another worker's are not among them.
create function api.held_jobs(jobs uuid[], tokens uuid[]) returns setof public.recommendation_jobs
    language plpgsql
    volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform api.check_count('the number of jobs', cardinality(jobs), 500);
    if cardinality(tokens) is distinct from cardinality(jobs) then
        raise exception 'the two lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    return query
        select j.*
        from public.recommendation_jobs j
        join unnest(jobs, tokens) as asked (id, token) on asked.id = j.id and asked.token = j.claim_token
        where j.state = 'running'
        order by j.id
        for update of j;
end
$$;

-- Takes the job of one notification, due or not; nothing where it is held, ended or not there.
create function api.claim_notification(worker uuid, notification uuid, lease_seconds integer default 60)
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
    perform api.check_count('a lease''s seconds', lease_seconds, 3600);
    if worker is null then
        raise exception 'a worker needs an id' using errcode = 'invalid_parameter_value';
    end if;
    return query
        with asked as (
            select j.id
            from public.recommendation_jobs j
            where j.notification_id = notification and j.state in ('available', 'retryable')
            order by j.id
            limit 1
            for update skip locked
        )
        update public.recommendation_jobs j
        set state = 'running', attempt = j.attempt + 1, claim_token = gen_random_uuid(), claimed_by = worker,
            lease_until = knot.clock() + make_interval(secs => lease_seconds)
        from asked
        where j.id = asked.id
        returning
            j.id, j.claim_token, j.vault_id, j.milestone_id, j.occurrence_date, j.days_before, j.notification_id,
            j.run_at, j.attempt, j.crash_count, j.lease_until;
end
$$;

-- Notes in which notice jobs of one vault are told of; the notice bears the name of a notification of that vault. False,
-- and nothing is noted, where one of them is not held, or was told of in another notice.
create function api.begin_notice(notice uuid, jobs uuid[], tokens uuid[]) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    fitting integer;
begin
    select count(*) into fitting
    from api.held_jobs(jobs, tokens) h
    where coalesce(h.notice_id, notice) = notice and exists (
        select 1 from public.recommendation_jobs o where o.vault_id = h.vault_id and o.notification_id = notice
    );
    if fitting <> cardinality(jobs) then
        return false;
    end if;
    update public.recommendation_jobs j set notice_id = notice where j.id = any (jobs);
    return true;
end
$$;

-- Ends the jobs of a delivered notice with their runs, and their notifications as sent. A job without a token waits after
-- an earlier attempt and was told of in the same notice: it ends with the others, unless somebody has it. False, and
-- nothing is written, where one with a token is not held.
create function api.finish_notice(notice uuid, jobs uuid[], tokens uuid[], runs uuid[]) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    told uuid[];
    held integer;
    job public.recommendation_jobs;
begin
    perform api.check_count('the number of jobs', cardinality(jobs), 500);
    if cardinality(tokens) is distinct from cardinality(jobs) or cardinality(runs) is distinct from cardinality(jobs) then
        raise exception 'the three lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    with locked as (
        select j.id, asked.token is not null as is_held
        from public.recommendation_jobs j join unnest(jobs, tokens) as asked (id, token) on asked.id = j.id
        where j.notice_id = notice and (
            asked.token = j.claim_token and j.state = 'running'
            or asked.token is null and j.state in ('available', 'retryable')
        )
        order by j.id
        for update of j
    )
    select array_agg(l.id order by l.id), count(*) filter (where l.is_held) into told, held from locked l;
    if held <> cardinality(array_remove(tokens, null)) then
        return false;
    end if;
    for job in
        update public.recommendation_jobs j
        set state = 'completed', run_id = asked.run, finished_at = knot.clock(), lease_until = null,
            last_error_class = null, last_error_code = null, last_error_detail = null
        from unnest(jobs, runs) as asked (id, run)
        where j.id = asked.id and j.id = any (told)
        returning j.*
    loop
        perform api.end_notification(job.notification_id, 'sent');
    end loop;
    return true;
end
$$;

-- Ends a job that its worker finds to be of no use any more, and says why. False: the lease was lost.
create function api.call_off(job uuid, token uuid, error_code text) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    held public.recommendation_jobs;
    was_open boolean;
begin
    select h.* into held from api.held_jobs(array[job], array[token]) h;
    if held.id is null then
        return false;
    end if;
    was_open := api.end_notification(held.notification_id, 'cancelled');
    update public.recommendation_jobs j
    set state = 'cancelled', finished_at = knot.clock(), lease_until = null, last_error_class = 'cancelled',
        last_error_code = case
            -- Somebody had ended it before: planning the job again must not bring it back.
            when not was_open and exists (select 1 from public.notification_queue n where n.id = j.notification_id)
                then 'notification_ended'
            when error_code ~ '^[a-z][a-z0-9_]{0,49}$' then error_code
            else 'unnamed'
        end,
        last_error_detail = null
    where j.id = held.id;
    return true;
end
$$;

-- Where to reach the persons of jobs that are held; whoever holds none learns nothing.
create function api.devices(jobs uuid[], tokens uuid[]) returns table (job_id uuid, platform text, device text)
    language plpgsql
    stable
    security definer
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    return query
        select j.id, u.device_platform, u.device_token
        from public.recommendation_jobs j
        join unnest(jobs, tokens) as asked (id, token) on asked.id = j.id and asked.token = j.claim_token
        join public.partner_vaults v on v.id = j.vault_id
        join public.users u on u.id = v.user_id
        where j.state = 'running' and u.device_token is not null and u.device_platform is not null;
end
$$;

-- Forgets a device that does not exist any more, unless it is another one by now or the row was changed since.
create function api.forget_device(job uuid, token uuid, gone text, since timestamptz default null) returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update public.users u set device_token = null, device_platform = null
    from api.held_jobs(array[job], array[token]) h join public.partner_vaults v on v.id = h.vault_id
    where u.id = v.user_id and u.device_token = gone and (since is null or u.updated_at <= since);
    return found;
end
$$;

-- A vault's sets of late in one digest, all but one of them: while it stays the same, no set was added.
create function knot.history_of(vault uuid, but uuid default null) returns text
    language sql
    stable
    set search_path = pg_catalog, pg_temp
as $$
    select md5(coalesce(string_agg(r.id::text, ',' order by r.id), ''))
    from public.recommendation_runs r
    where r.vault_id = vault and r.created_at > knot.clock() - interval '31 days' and r.id is distinct from but
$$;

-- Lets the set of a reminder in, in its own transaction: its job is still held, and the vault has had no other set since
-- its history was read. Whoever stores for the same vault waits here, and looks after that.
create function knot.admit_set(job uuid, token uuid, run uuid, history text) returns void
    language plpgsql
    volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    vault uuid;
begin
    select j.vault_id into vault
    from public.recommendation_jobs j
    where j.id = job and j.claim_token = token and j.state = 'running';
    if vault is null then
        raise exception 'job % is not held any more', job
            using errcode = 'KN001', constraint = 'scheduled_sets_are_of_held_jobs';
    end if;
    perform pg_advisory_xact_lock(hashtextextended(vault::text, 7165074262157317));
    if knot.history_of(vault, run) is distinct from history then
        raise exception 'the vault of job % has had another set meanwhile', job
            using errcode = 'KN002', constraint = 'scheduled_sets_know_their_history';
    end if;
end
$$;

revoke all on function
    api.held_jobs(uuid[], uuid[]), api.claim_notification(uuid, uuid, integer), api.begin_notice(uuid, uuid[], uuid[]),
    api.finish_notice(uuid, uuid[], uuid[], uuid[]), api.call_off(uuid, uuid, text), api.devices(uuid[], uuid[]),
    api.forget_device(uuid, uuid, text, timestamptz), knot.history_of(uuid, uuid),
    knot.admit_set(uuid, uuid, uuid, text)
    from public, anon, authenticated;
grant execute on function api.held_jobs(uuid[], uuid[]) to knot_queue;
grant execute on function
    api.claim_notification(uuid, uuid, integer), api.begin_notice(uuid, uuid[], uuid[]),
    api.finish_notice(uuid, uuid[], uuid[], uuid[]), api.call_off(uuid, uuid, text), api.devices(uuid[], uuid[]),
    api.forget_device(uuid, uuid, text, timestamptz), knot.history_of(uuid, uuid),
    knot.admit_set(uuid, uuid, uuid, text)
    to knot_worker;

-- What the queue's owner needs for that: the device of a person, and nothing else of one.
grant select (id, device_token, device_platform, updated_at), update (device_token, device_platform)
    on public.users to knot_queue;
create policy users_queue_select on public.users for select to knot_queue using (true);
create policy users_queue_update on public.users for update to knot_queue using (true) with check (true);

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
        where p.pronamespace = 'api'::regnamespace and p.prosecdef and p.proowner <> 'knot_queue'::regrole
    loop
        execute format('alter function %s owner to knot_queue', name);
    end loop;
    revoke create on schema api from knot_queue;
    if not is_member then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
