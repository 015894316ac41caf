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

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
