-- A notice's name stands for what it told: who gets it twice has read it. So a job that begins anew is in no notice, and
-- where the name that its notice would have is one that others were told under, the notice has a name of its own.

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
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
                run_id = null, notice_id = null, claim_token = null, claimed_by = null, last_error_class = null,
                last_error_code = null, last_error_detail = null
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
        notice_id = null, claim_token = null, claimed_by = null, last_error_class = null, last_error_code = null,
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

-- Notes in which notices jobs are told of: each job stands beside its notice, which bears the name of a notification of
-- the jobs' vault, or one that is nobody's notification and no other vault's. Returns the notices of which that is so now;
-- of another one, such as of a job that is not held or was told of under a notification's name, nothing is noted.
create or replace function api.begin_notices(notices uuid[], jobs uuid[], tokens uuid[]) returns setof uuid
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
        left join api.held_jobs(jobs, tokens) h on h.id = a.job and (
            coalesce(h.notice_id, a.notice) = a.notice
            and exists (
                select 1 from public.recommendation_jobs o
                where o.vault_id = h.vault_id and o.notification_id = a.notice
                offset 0
            )
            -- A name of its own.
            or not exists (select 1 from public.notification_queue n where n.id = a.notice offset 0)
            and not exists (
                select 1 from public.recommendation_jobs o
                where o.notice_id = a.notice and o.vault_id <> h.vault_id
                offset 0
            )
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

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
