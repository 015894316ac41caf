-- Three roles, none of which owns a table, bypasses row security or is service_role:
--   knot_worker  does scheduled work: reads and writes the columns named below and nothing else;
--   knot_person  becomes authenticated under one person's claims inside a transaction, and is nothing before that;
--   knot_queue   owns the queue's functions and holds only the rights they need; nobody logs in as it.
-- Roles belong to the whole server: another database's migration may have made them, or make them in this very moment.
do $$
declare
    name text;
begin
    foreach name in array array['knot_worker', 'knot_person', 'knot_queue'] loop
        if exists (select 1 from pg_catalog.pg_roles where rolname = name) then
            continue;
        end if;
        begin
            execute format(
                'create role %I noinherit nosuperuser nocreatedb nocreaterole nobypassrls %s', name,
                case name when 'knot_queue' then 'nologin' else 'login connection limit 24' end);
        exception when duplicate_object or unique_violation then null;
        end;
    end loop;
    if exists (
        select 1 from pg_catalog.pg_roles
        where rolname in ('knot_worker', 'knot_person', 'knot_queue')
            and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolinherit)
    ) then
        raise exception 'a role named knot_worker, knot_person or knot_queue is there with more rights than it may have'
            using errcode = 'invalid_role_specification',
                hint = 'alter it to noinherit nosuperuser nocreatedb nocreaterole nobypassrls, or drop it';
    end if;
end
$$;

-- Set only what differs: two databases' migrations that alter one role at the same time would collide.
do $$
declare
    setting record;
begin
    for setting in
        select wanted.role, wanted.name, wanted.value
        from (
            values
                ('knot_worker', 'statement_timeout', '15s'),
                ('knot_worker', 'lock_timeout', '2s'),
                ('knot_worker', 'idle_in_transaction_session_timeout', '10s'),
                ('knot_worker', 'transaction_timeout', '30s'),
                ('knot_worker', 'search_path', ''),
                ('knot_person', 'statement_timeout', '8s'),
                ('knot_person', 'lock_timeout', '2s'),
                ('knot_person', 'idle_in_transaction_session_timeout', '10s'),
                ('knot_person', 'transaction_timeout', '30s'),
                ('knot_person', 'search_path', '')
        ) as wanted (role, name, value)
        -- transaction_timeout came with PostgreSQL 17.
        where exists (select 1 from pg_catalog.pg_settings s where s.name = wanted.name)
            and not exists (
                select 1
                from pg_catalog.pg_db_role_setting d
                join pg_catalog.pg_roles r on r.oid = d.setrole and d.setdatabase = 0
                where r.rolname = wanted.role
                    and (
                        wanted.name || '=' || wanted.value = any (d.setconfig)
                        or wanted.value = '' and wanted.name || '=""' = any (d.setconfig)
                    )
            )
    loop
        execute format('alter role %I set %I = %L', setting.role, setting.name, setting.value);
    end loop;
    if not pg_catalog.pg_has_role('knot_person', 'authenticated', 'set') then
        grant authenticated to knot_person with inherit false, set true;
    end if;
end
$$;

grant usage on schema public, knot to knot_worker;
grant usage on schema public, knot to knot_person;
grant usage on schema public, knot to knot_queue;

-- The worker: no e-mail, no device token, no created_at of a person.
grant select (id, timezone, quiet_hours_start, quiet_hours_end, notifications_enabled) on public.users to knot_worker;
grant select (
    id, user_id, partner_name, relationship_tenure_months, cohabitation_status, location_city, location_state,
    location_country
) on public.partner_vaults to knot_worker;
grant select on
    public.partner_interests, public.partner_milestones, public.partner_vibes, public.partner_budgets,
    public.partner_love_languages, public.vault_imports
    to knot_worker;
grant select on public.hints to knot_worker;
grant update (is_used, hint_embedding, hint_embedding_model) on public.hints to knot_worker;
grant select, insert on public.recommendations, public.recommendation_runs to knot_worker;
grant select (id, recommendation_id, action, rating, feedback_text, created_at)
    on public.recommendation_feedback to knot_worker;
grant select on public.notification_queue, public.recommendation_jobs to knot_worker;
grant select, insert, update on public.hint_readings, public.vault_readings, public.learned_weights to knot_worker;
grant select, insert, update, delete on public.text_embeddings, public.provider_responses to knot_worker;
grant select, update (embedding, embedding_model) on public.catalogue_items to knot_worker;

do $$
declare
    name text;
begin
    foreach name in array array[
        'users', 'partner_vaults', 'partner_interests', 'partner_milestones', 'partner_vibes', 'partner_budgets',
        'partner_love_languages', 'hints', 'recommendations', 'recommendation_feedback', 'notification_queue',
        'recommendation_runs', 'recommendation_jobs', 'hint_readings', 'vault_readings', 'learned_weights',
        'text_embeddings', 'provider_responses', 'catalogue_items', 'vault_imports'
    ] loop
        execute format(
            'create policy %I on public.%I for select to knot_worker using (true)', name || '_worker_select', name);
    end loop;
    foreach name in array array[
        'recommendations', 'recommendation_runs', 'hint_readings', 'vault_readings', 'learned_weights',
        'text_embeddings', 'provider_responses'
    ] loop
        execute format(
            'create policy %I on public.%I for insert to knot_worker with check (true)',
            name || '_worker_insert', name);
    end loop;
    foreach name in array array[
        'hints', 'hint_readings', 'vault_readings', 'learned_weights', 'text_embeddings', 'provider_responses',
        'catalogue_items'
    ] loop
        execute format(
            'create policy %I on public.%I for update to knot_worker using (true) with check (true)',
            name || '_worker_update', name);
    end loop;
    foreach name in array array['text_embeddings', 'provider_responses'] loop
        execute format(
            'create policy %I on public.%I for delete to knot_worker using (true)', name || '_worker_delete', name);
    end loop;
end
$$;

-- The queue's owner.
grant execute on function knot.clock() to knot_queue;
grant select (id, user_id) on public.partner_vaults to knot_queue;
grant select (id, vault_id) on public.partner_milestones to knot_queue;
grant select, insert, update on public.recommendation_jobs to knot_queue;
grant select on public.notification_queue to knot_queue;
grant insert (user_id, milestone_id, scheduled_for, days_before) on public.notification_queue to knot_queue;
grant update (status, sent_at, scheduled_for) on public.notification_queue to knot_queue;

create policy partner_vaults_queue_select on public.partner_vaults for select to knot_queue using (true);
create policy partner_milestones_queue_select on public.partner_milestones for select to knot_queue using (true);
create policy recommendation_jobs_queue_all on public.recommendation_jobs for all to knot_queue
    using (true) with check (true);
create policy notification_queue_queue_all on public.notification_queue for all to knot_queue
    using (true) with check (true);

-- So that every command can see whether the schema is the one it knows.
grant select on knot.knot_migrations to knot_worker, knot_person;
