-- Feedback and notifications name a person and, by what they are about, a vault: both have to be the same person's.
-- Rows from before that are not stay as they are, and are counted by nobody.
create function knot.check_feedback_owner() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select 1
        from public.recommendations r join public.partner_vaults v on v.id = r.vault_id
        where r.id = new.recommendation_id and v.user_id = new.user_id
    ) then
        raise exception 'only the person whose vault it is gives feedback on a recommendation'
            using errcode = 'check_violation', constraint = 'recommendation_feedback_is_by_the_owner';
    end if;
    return null;
end
$$;

create constraint trigger recommendation_feedback_is_by_the_owner
    after insert or update of recommendation_id, user_id on public.recommendation_feedback
    for each row execute function knot.check_feedback_owner();

create function knot.check_notification_owner() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select 1
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = new.milestone_id and v.user_id = new.user_id
    ) then
        raise exception 'a person is notified of milestones of their own vault only'
            using errcode = 'check_violation', constraint = 'notification_queue_is_for_the_owner';
    end if;
    return null;
end
$$;

create constraint trigger notification_queue_is_for_the_owner
    after insert or update of milestone_id, user_id on public.notification_queue
    for each row execute function knot.check_notification_owner();

-- Besides what production's own policies ask.
create policy recommendation_feedback_insert_on_own on public.recommendation_feedback as restrictive for insert
    to authenticated
    with check (
        exists (
            select 1 from public.recommendations r join public.partner_vaults v on v.id = r.vault_id
            where r.id = recommendation_id and v.user_id = auth.uid()
        )
    );
create policy recommendation_feedback_update_on_own on public.recommendation_feedback as restrictive for update
    to authenticated
    using (true)
    with check (
        exists (
            select 1 from public.recommendations r join public.partner_vaults v on v.id = r.vault_id
            where r.id = recommendation_id and v.user_id = auth.uid()
        )
    );
create policy notification_queue_insert_on_own on public.notification_queue as restrictive for insert
    to authenticated
    with check (
        exists (
            select 1 from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
            where m.id = milestone_id and v.user_id = auth.uid()
        )
    );
create policy notification_queue_update_on_own on public.notification_queue as restrictive for update
    to authenticated
    using (true)
    with check (
        exists (
            select 1 from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
            where m.id = milestone_id and v.user_id = auth.uid()
        )
    );

-- A set that a person writes is for a day of the same vault; the worker's statements take no other.
create policy recommendations_insert_of_own_day on public.recommendations as restrictive for insert to authenticated
    with check (
        milestone_id is null or exists (
            select 1 from public.partner_milestones m
            where m.id = milestone_id and m.vault_id = recommendations.vault_id
        )
    );
create policy recommendations_update_of_own_day on public.recommendations as restrictive for update to authenticated
    using (true)
    with check (
        milestone_id is null or exists (
            select 1 from public.partner_milestones m
            where m.id = milestone_id and m.vault_id = recommendations.vault_id
        )
    );
create policy recommendation_runs_insert_of_own_day on public.recommendation_runs as restrictive for insert
    to authenticated
    with check (
        milestone_id is null or exists (
            select 1 from public.partner_milestones m
            where m.id = milestone_id and m.vault_id = recommendation_runs.vault_id
        )
    );

-- The worker tells by it whose feedback counts.
grant select (user_id) on public.recommendation_feedback to knot_worker;

-- A job is of its milestone's own vault, and its notification is of that milestone and for that vault's person.
create function knot.check_job_owner() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select 1 from public.partner_milestones m where m.id = new.milestone_id and m.vault_id = new.vault_id
    ) then
        raise exception 'a job is of the vault that its milestone is of'
            using errcode = 'check_violation', constraint = 'recommendation_jobs_are_of_one_vault';
    end if;
    if new.notification_id is not null and not exists (
        select 1
        from public.notification_queue n join public.partner_vaults v on v.user_id = n.user_id
        where n.id = new.notification_id and n.milestone_id = new.milestone_id and v.id = new.vault_id
    ) then
        raise exception 'a job''s notification is of its milestone and its vault''s person'
            using errcode = 'check_violation', constraint = 'recommendation_jobs_are_of_one_vault';
    end if;
    return null;
end
$$;

create constraint trigger recommendation_jobs_are_of_one_vault
    after insert or update of vault_id, milestone_id, notification_id on public.recommendation_jobs
    for each row execute function knot.check_job_owner();

-- Functions are replaced and set by their owner only, who is the queue's role for most of them.
do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I', current_user);
        perform pg_catalog.set_config('knot.is_queue', 'yes', true);
    end if;
end
$$;

-- The same as before, but that a notification is taken over only from the vault's own person, and moves with no other's.
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
            where n.milestone_id = milestones[i] and n.user_id = person and n.days_before = $3[i]
                and n.status = 'pending'
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
            where n.id = job.notification_id and n.user_id = person and n.status = 'pending';
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

-- A job that comes to nothing any more: its notification, if still pending and of the person's own, ends with it.
create or replace function api.end_notification(notification uuid, new_status text) returns boolean
    language plpgsql
    volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    update public.notification_queue n
    set status = new_status, sent_at = case when new_status = 'sent' then knot.clock() end
    where n.id = notification and n.status = 'pending' and exists (
        select 1
        from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
        where m.id = n.milestone_id and v.user_id = n.user_id
    );
    return found;
end
$$;

do $$
begin
    if pg_catalog.current_setting('knot.is_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
        perform pg_catalog.set_config('knot.is_queue', '', true);
    end if;
end
$$;
