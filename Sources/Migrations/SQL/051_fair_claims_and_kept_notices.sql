-- Workers share their time fairly between vaults. A vault has a limit of milestones. The content of a notice is kept, so that a
-- second try sends the same bytes, and so that a milestone that is deleted and added again is not told of again.

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

create index idx_recommendation_jobs_held on public.recommendation_jobs (vault_id)
    where state = 'running' and lease_until is not null;

-- Takes due jobs for a worker, the most urgent first; what another worker holds is skipped and not waited for.
--
-- It takes at most a dozen of a vault, which is what a plan puts on one day, and none of a vault whose jobs are held. So a vault
-- with many jobs doesn't keep a worker from others, and its sets are made one after another.
--
-- A job that a dead worker held comes after all others and only to who holds nothing: the first time with what was told of in
-- one notice with it, from then on alone. A worker that holds one claims no more until it has ended. Waiting jobs of the same
-- notice come with a job, due or not.
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
    of_one_vault constant integer := 12;
    is_suspect boolean;
    -- Vaults of which a dozen is taken.
    closed uuid[];
    due uuid[];
    vaults uuid[];
    wanted integer;
    seen integer;
    found_job record;
    last_priority smallint;
    last_moment timestamptz;
    last_job uuid;
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
        closed := '{}';
        due := '{}';
        vaults := '{}';
        wanted := case when is_suspect then 1 else job_limit end;
        last_priority := -32768;
        last_moment := '-infinity';
        last_job := '00000000-0000-0000-0000-000000000000';
        loop
            seen := 0;
            for found_job in
                select j.id, j.vault_id, j.priority, j.run_at
                from public.recommendation_jobs j
                where j.state in ('available', 'retryable') and j.finished_at is null and j.run_at <= knot.clock()
                    and (j.crash_count > 0) = is_suspect
                    and (j.priority, j.run_at, j.id) > (last_priority, last_moment, last_job)
                    and j.vault_id <> all (closed)
                    and not exists (
                        select 1 from public.recommendation_jobs o
                        where o.vault_id = j.vault_id and o.state = 'running' and o.lease_until is not null
                            and o.lease_until > knot.clock()
                        offset 0
                    )
                order by j.priority, j.run_at, j.id
                limit wanted
                for update skip locked
            loop
                seen := seen + 1;
                last_priority := found_job.priority;
                last_moment := found_job.run_at;
                last_job := found_job.id;
                continue when found_job.vault_id = any (closed);
                due := due || found_job.id;
                vaults := vaults || found_job.vault_id;
                if cardinality(array_positions(vaults, found_job.vault_id)) >= of_one_vault then
                    closed := closed || found_job.vault_id;
                end if;
            end loop;
            exit when seen < wanted or is_suspect or cardinality(due) >= job_limit;
            wanted := job_limit - cardinality(due);
        end loop;
        continue when cardinality(due) = 0;
        return query
            with companions as materialized (
                select c.id
                from (
                    select distinct o.notice_id
                    from unnest(due) as d (id)
                    cross join lateral (
                        select o.notice_id, o.crash_count from public.recommendation_jobs o where o.id = d.id limit 1
                    ) o
                    where o.notice_id is not null and o.crash_count < 2
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
                where j.id = any (array(select d.id from unnest(due) as d (id) union all select companions.id from companions))
                returning j.*
            )
            select
                t.id, t.claim_token, t.vault_id, t.milestone_id, t.occurrence_date, t.days_before, t.notification_id,
                t.run_at, t.attempt, t.crash_count, t.lease_until
            from taken t
            order by t.priority, t.run_at, t.id;
        return;
    end loop;
end
$$;

-- Refuses more milestones than a vault may have. Rows that are there stay, and the tables' owner, who imports exports, may insert
-- more.
create function knot.check_milestone_count() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (
        select 1 from pg_catalog.pg_class c
        where c.oid = tg_relid and pg_catalog.pg_has_role(current_user, c.relowner, 'usage')
    ) then
        return null;
    end if;
    if exists (
        select 1 from (select distinct a.vault_id from added a) v
        where (select count(*) from public.partner_milestones m where m.vault_id = v.vault_id) > 256
    ) then
        raise exception 'a vault has 256 milestones at most: remove some before you add others'
            using errcode = 'check_violation', constraint = 'partner_milestones_are_not_too_many';
    end if;
    return null;
end
$$;
revoke execute on function knot.check_milestone_count() from public, anon, authenticated;

create trigger partner_milestones_are_not_too_many
    after insert on public.partner_milestones
    referencing new table as added
    for each statement execute function knot.check_milestone_count();

-- The content of notices, `knot.notice/1`, as it was first handed over. Rows outlive milestones and go with their vault. The next
-- notice of the vault deletes those that are a month old: all their days are over by then.
create table public.recommendation_notices (
    vault_id uuid not null references public.partner_vaults (id) on delete cascade,
    id uuid not null,
    content text not null,
    begun_at timestamptz not null default now(),
    -- When it was delivered; null if that is not known.
    told_at timestamptz,
    primary key (vault_id, id),
    constraint recommendation_notices_moments_check check (
        begun_at between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00'
        and (told_at is null or told_at between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00')
    )
);
alter table public.recommendation_notices enable row level security;
revoke all on public.recommendation_notices from public, anon, authenticated;
grant select on public.recommendation_notices to authenticated;
grant select (vault_id, id, content, told_at) on public.recommendation_notices to knot_worker;
grant select, insert, update, delete on public.recommendation_notices to knot_queue;
create policy recommendation_notices_select_own on public.recommendation_notices for select to authenticated
    using (exists (select 1 from public.partner_vaults v where v.id = vault_id and v.user_id = auth.uid()));
create policy recommendation_notices_worker_select on public.recommendation_notices for select to knot_worker using (true);
create policy recommendation_notices_queue_all on public.recommendation_notices for all to knot_queue
    using (true) with check (true);

-- Notes the notices of jobs, as the function without contents does, and stores their contents: each name stands beside its
-- content. A name keeps its first content. A notice with another content under a known name is not noted.
create function api.begin_notices(notices uuid[], jobs uuid[], tokens uuid[], names uuid[], contents text[])
    returns setof uuid
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    vaults uuid[];
    others uuid[];
    begun uuid[];
begin
    if cardinality(notices) is distinct from cardinality(jobs) or cardinality(tokens) is distinct from cardinality(jobs) then
        raise exception 'the three lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    if cardinality(names) is distinct from cardinality(contents) then
        raise exception 'the two lists must be of one length' using errcode = 'invalid_parameter_value';
    end if;
    -- The vault of each name.
    select array_agg((
        select o.vault_id from public.recommendation_jobs o where o.id = jobs[array_position(notices, n.name)] limit 1
    ) order by n.place) into vaults
    from unnest(names) with ordinality as n (name, place);
    select coalesce(array_agg(n.name), '{}') into others
    from unnest(names, contents, vaults) as n (name, content, vault)
    where exists (
        select 1 from public.recommendation_notices k
        where k.vault_id = n.vault and k.id = n.name and k.content <> n.content
        offset 0
    );
    select array_agg(a.notice), array_agg(a.job), array_agg(a.token) into notices, jobs, tokens
    from unnest(notices, jobs, tokens) as a (notice, job, token)
    where a.notice = any (names) and a.notice <> all (others);
    if notices is null then
        return;
    end if;
    begun := array(select b.name from api.begin_notices(notices, jobs, tokens) as b (name));
    delete from public.recommendation_notices k
    where k.vault_id = any (vaults) and k.begun_at < knot.clock() - interval '30 days';
    insert into public.recommendation_notices (vault_id, id, content, begun_at)
    select n.vault, n.name, n.content::json::text, knot.clock()
    from unnest(names, contents, vaults) as n (name, content, vault)
    where n.name = any (begun)
    on conflict do nothing;
    return query select unnest(begun);
end
$$;

-- Ends the jobs of delivered notices: each job stands beside its notice. Returns the notices whose jobs have ended; of another
-- one, of which a job with a token is not held, nothing is written.
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
    vaults uuid[];
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
        returning j.notification_id, j.vault_id
    )
    select array_agg(e.notification_id), array_agg(distinct e.vault_id) into notifications, vaults from ended e;
    -- As api.end_notification does for one.
    update public.notification_queue n set status = 'sent', sent_at = knot.clock()
    where n.id = any (notifications) and n.status || '' = 'pending' and exists (
        select 1
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = n.milestone_id and v.user_id = n.user_id
    );
    update public.recommendation_notices k set told_at = knot.clock()
    where k.vault_id = any (vaults) and k.id = any (done) and k.told_at is null;
    return query select unnest(done);
end
$$;

revoke all on function api.begin_notices(uuid[], uuid[], uuid[], uuid[], text[]) from public, anon, authenticated;
grant execute on function api.begin_notices(uuid[], uuid[], uuid[], uuid[], text[]) to knot_worker;

do $$
begin
    grant create on schema api to knot_queue;
    alter function api.begin_notices(uuid[], uuid[], uuid[], uuid[], text[]) owner to knot_queue;
    revoke create on schema api from knot_queue;
end
$$;

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
