-- No row holds a moment or a day outside of the years 1 to 9999: the server's infinities are moments to it and to nobody
-- else. Checked for every row to come; a table whose old rows break the rule is named and keeps them, and who reads such
-- a row names it.
do $$
declare
    asked record;
begin
    for asked in
        select
            wanted.name,
            (
                select string_agg(
                    format('%I between %L::%s and %L::%s', a.attname, '0001-01-01 00:00:00+00', t.typname,
                        '9999-12-31 23:59:59.999999+00', t.typname),
                    ' and ' order by c.place
                )
                from unnest(wanted.columns) with ordinality as c (name, place)
                join pg_catalog.pg_attribute a on a.attrelid = ('public.' || wanted.name)::regclass and a.attname = c.name
                join pg_catalog.pg_type t on t.oid = a.atttypid
            ) as rule
        from (
            values
                ('users', array['created_at', 'updated_at']),
                ('partner_vaults', array['created_at', 'updated_at']),
                ('partner_interests', array['created_at']),
                ('partner_milestones', array['milestone_date', 'created_at']),
                ('partner_vibes', array['created_at']),
                ('partner_budgets', array['created_at']),
                ('partner_love_languages', array['created_at']),
                ('hints', array['created_at']),
                ('recommendations', array['created_at', 'starts_at']),
                ('recommendation_feedback', array['created_at']),
                ('notification_queue', array['scheduled_for', 'sent_at', 'viewed_at', 'created_at']),
                ('recommendation_runs', array['occurrence_date', 'as_of', 'created_at']),
                ('recommendation_jobs', array['occurrence_date', 'run_at', 'lease_until', 'created_at', 'finished_at']),
                ('hint_readings', array['created_at']),
                ('vault_readings', array['created_at']),
                ('text_embeddings', array['created_at']),
                ('provider_responses', array['fetched_at', 'expires_at']),
                ('learned_weights', array['as_of', 'feedback_until', 'created_at', 'updated_at']),
                ('catalogue_items', array['starts_at', 'created_at']),
                ('vault_imports', array['as_of', 'imported_at'])
        ) as wanted (name, columns)
    loop
        execute format(
            'alter table public.%I add constraint %I check (%s) not valid', asked.name, asked.name || '_moments_check',
            asked.rule);
        begin
            execute format(
                'alter table public.%I validate constraint %I', asked.name, asked.name || '_moments_check');
        exception when check_violation then
            raise warning 'public.% has rows with a moment outside of the years 1 to 9999', asked.name
                using hint = format('repair them, then: alter table public.%I validate constraint %I', asked.name,
                    asked.name || '_moments_check');
        end;
    end loop;
end
$$;
