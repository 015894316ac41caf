-- Functions are replaced and set by their owner only, who is the queue's role for most of them.
do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I', current_user);
        perform pg_catalog.set_config('knot.is_queue', 'yes', true);
    end if;
end
$$;

-- A search path that names no pg_temp has it first of all for tables and types, so that whoever may make a type can put
-- one in the place of uuid and have its checks run as a function's owner. Named last, it hides nothing.
do $$
declare
    name regprocedure;
begin
    for name in
        select p.oid::regprocedure
        from pg_catalog.pg_proc p
        join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        where (
                n.nspname in ('api', 'knot')
                or n.nspname = 'public'
                    and p.proname in ('handle_updated_at', 'handle_new_user', 'handle_milestone_budget_tier')
            )
            -- A body that was parsed when it was made looks nothing up.
            and p.prosqlbody is null
            and not exists (
                select 1 from pg_catalog.pg_depend d
                where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
            )
    loop
        execute format('alter function %s set search_path = pg_catalog, pg_temp', name);
    end loop;
end
$$;

-- Ours only where the bootstrap made it. Its types are qualified instead: with a path of its own it could not be inlined
-- into the policies, which ask it for every row.
do $$
begin
    if exists (select 1 from knot.knot_migrations m where m.number = 0) then
        create or replace function auth.uid() returns pg_catalog.uuid
            language sql
            stable
        as $body$
            select (
                nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::pg_catalog.jsonb
                    operator(pg_catalog.->>) 'sub'
            )::pg_catalog.uuid
        $body$;
    end if;
end
$$;

-- Nobody of ours makes temporary tables; who does not own the database is told by a warning and changes nothing.
do $$
begin
    execute format('revoke temporary on database %I from public', current_database());
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
