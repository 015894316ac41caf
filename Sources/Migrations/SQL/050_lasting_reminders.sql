-- An outage of a receiver or a service puts no reminder aside within a day, and a reminder that a receiver may have accepted
-- keeps the notice under which it was told, so that the receiver can tell. A telephone shows one person's reminders.

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

-- Notes why a job came to nothing this time: it waits and is tried again, or is put aside. Returns the new state, or null
-- where the lease was lost. The twelfth attempt is the last, except that what others are to blame for is tried for a day
-- from the time it was planned for. A class that is none of the six is a fault of the stage that names it, and a code of
-- another form has no name here: neither keeps the failure from being noted.
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
    is_last boolean;
begin
    select is_permanent or h.attempt >= 12 and (
        error_class is distinct from 'provider'
        or coalesce(n.scheduled_for, h.run_at) + interval '1 day' <= knot.clock()
    ) into is_last
    from public.recommendation_jobs h left join public.notification_queue n on n.id = h.notification_id
    where h.id = job;
    update public.recommendation_jobs j
    set state = case when is_last then 'dead' else 'retryable' end,
        finished_at = case when is_last then knot.clock() end,
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

-- Puts a job that was set aside back into the queue, as if it had never been tried, and its notification with it. One that
-- was refused is told of anew; of any other the receiver may have accepted the notice, and it is told under that again.
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
        notice_id = case when j.last_error_class = 'provider' and j.attempt < 12 then null else j.notice_id end,
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

-- The devices of held jobs' persons. A telephone that several persons have registered is the one's who registered it last:
-- nobody else's reminders are shown on it.
create or replace function api.devices(jobs uuid[], tokens uuid[]) returns table (job_id uuid, platform text, device text)
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
            and u.device_token is not null and u.device_platform is not null
            and not exists (
                select 1 from public.users o
                where o.device_token = u.device_token and o.device_platform = u.device_platform
                    and (coalesce(o.device_registered_at, '-infinity'), o.id)
                        > (coalesce(u.device_registered_at, '-infinity'), u.id)
            );
end
$$;

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;

create index users_device_token on public.users (device_token) where device_token is not null;
