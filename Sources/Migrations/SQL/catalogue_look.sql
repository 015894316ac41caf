-- Rows of kind, object, name and definition; the values are the tables, the functions, the roles and the schemas that are
-- looked at; where there are schemas, also who owns tables and what else roles may do. No migration.
with tables as (
    select c.oid, 'public.' || quote_ident(c.relname) as name, c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.relacl
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and c.relname::text = any (string_to_array($1, ','))
), functions as (
    select p.oid, p.prosecdef, p.proowner, n.nspname as schema,
        n.nspname || '.' || quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'api', 'knot') and p.prokind = 'f'
        and p.proname::text = any (string_to_array($2, ','))
), people (name, id) as (
    select 'public', 0::oid
    union all
    select r.rolname::text, r.oid from pg_roles r where r.rolname::text = any (string_to_array($3, ','))
), schemas as (
    select n.oid, n.nspname as name, n.nspacl from pg_namespace n
    where n.nspname::text = any (string_to_array($4, ','))
), guarded as (
    select t.name, t.oid, t.relacl as acl from tables t
    union all
    -- Every command reads the history, and a sequence is nobody's to set.
    select case c.relkind when 'S' then 'sequence ' else '' end || n.name || '.' || quote_ident(c.relname), c.oid, c.relacl
    from pg_class c join schemas n on n.oid = c.relnamespace
    where n.name = 'knot' and c.relname = 'knot_migrations'
        or c.relkind = 'S' and exists (
            select 1 from pg_depend d join tables t on t.oid = d.refobjid
            where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass
                and d.deptype in ('a', 'i')
        )
    union all
    select 'schema ' || n.name, null, n.nspacl from schemas n
)
select 'table', t.name, '', '' from tables t
union all
select 'row_security', t.name, '',
    case when t.relrowsecurity then 'on' else 'off' end
        || case when t.relforcerowsecurity then ' forced' else '' end
from tables t
union all
select 'column', t.name || '.' || quote_ident(a.attname), quote_ident(a.attname),
    format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity <> '' then ' generated as identity' else '' end
        || case
            when a.attgenerated <> '' then ' generated always as ' || pg_get_expr(d.adbin, d.adrelid)
            else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
        end
from tables t
join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
union all
select case k.contype when 'c' then 'check' when 'f' then 'foreign_key' else 'key' end, t.name,
    quote_ident(k.conname), pg_get_constraintdef(k.oid)
from tables t join pg_constraint k on k.conrelid = t.oid and k.contype in ('c', 'f', 'p', 'u', 'x')
union all
select 'index', t.name, quote_ident(i.relname),
    regexp_replace(
        pg_get_indexdef(x.indexrelid), '^(CREATE (UNIQUE )?INDEX) .* ON (ONLY )?([^ ]+) USING',
        '\1 ? ON ' || t.name || ' USING'
    ) || case when x.indisvalid then '' else ' -- invalid' end
from tables t
join pg_index x on x.indrelid = t.oid
join pg_class i on i.oid = x.indexrelid
where not exists (select 1 from pg_constraint k where k.conindid = x.indexrelid and k.conrelid = t.oid)
union all
select 'policy', t.name, quote_ident(p.polname),
    'as ' || case when p.polpermissive then 'permissive' else 'restrictive' end
        || case p.polcmd
            when 'r' then ' for select' when 'a' then ' for insert' when 'w' then ' for update'
            when 'd' then ' for delete' else ' for all'
        end
        || ' to ' || (
            select string_agg(case when r = 0 then 'public' else r::regrole::text end, ', ' order by r::text)
            from unnest(p.polroles) r
        )
        || coalesce(' using (' || regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\s+', ' ', 'g') || ')', '')
        || coalesce(
            ' with check (' || regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\s+', ' ', 'g') || ')', ''
        )
from tables t join pg_policy p on p.polrelid = t.oid
union all
select 'trigger', n.nspname || '.' || quote_ident(c.relname), quote_ident(g.tgname),
    regexp_replace(pg_get_triggerdef(g.oid), '^(CREATE (CONSTRAINT )?TRIGGER) .*? (BEFORE|AFTER) ', '\1 ? \3 ')
        || case when g.tgenabled = 'O' then '' else ' -- ' || g.tgenabled::text end
from pg_trigger g
join pg_class c on c.oid = g.tgrelid
join pg_namespace n on n.oid = c.relnamespace
where not g.tgisinternal
    and (
        g.tgrelid in (select t.oid from tables t)
        or n.nspname = 'auth' and g.tgfoid in (select f.oid from functions f)
    )
union all
select 'function', f.name, '',
    btrim(
        regexp_replace(
            replace(
                pg_get_functiondef(f.oid), 'SET search_path TO ''pg_catalog'', ''pg_temp''',
                'SET search_path TO '''''
            ),
            '\s+', ' ', 'g'
        )
    )
from functions f
union all
select 'calling', f.name, '',
    coalesce(
        (
            select string_agg(p.name, ', ' order by p.name) from people p
            where exists (
                select 1 from pg_proc o cross join aclexplode(coalesce(o.proacl, acldefault('f', o.proowner))) g
                where o.oid = f.oid and g.grantee = p.id and g.privilege_type = 'EXECUTE'
            )
        ),
        ''
    )
from functions f where f.prosecdef and f.schema <> 'knot'
union all
select 'owner', f.name, '', coalesce((select p.name from people p where p.id = f.proowner), 'current_user')
from functions f where f.prosecdef and f.schema <> 'public'
union all
-- Whoever made a table may own it, which is who mends it, and none of those for whom policies are.
select 'owner', t.name, '', coalesce((select p.name from people p where p.id = t.relowner), 'current_user')
from tables t where exists (select 1 from schemas)
union all
select 'rights', t.name || ' for ' || p.name, '',
    coalesce(
        (
            select string_agg(r.word, ', ' order by r.word) from (
                select lower(g.privilege_type) as word
                from aclexplode(t.acl) g where g.grantee = p.id
                union all
                select lower(g.privilege_type) || ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attname)
                    || ')'
                from pg_attribute a cross join aclexplode(a.attacl) g
                where a.attrelid = t.oid and g.grantee = p.id
                group by g.privilege_type
            ) r
        ),
        ''
    )
from guarded t cross join people p
-- Of the schema that everybody has something in, what everybody may do is the server's own matter.
where t.name <> 'schema public' or p.name <> 'public'
