-- What is made in public may be everybody's by default, as on a hosted server: whoever may set a sequence can make every
-- later row collide with one that is there.
do $$
declare
    sequence record;
    highest bigint;
begin
    for sequence in
        select s.oid::regclass as name, d.refobjid::regclass as relation, a.attname as attribute
        from pg_catalog.pg_class s
        join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_class'::regclass and d.objid = s.oid
            and d.refclassid = 'pg_catalog.pg_class'::regclass and d.deptype in ('a', 'i')
        join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where s.relkind = 'S' and s.oid in (
            pg_catalog.pg_get_serial_sequence('public.text_embeddings', 'id')::regclass,
            pg_catalog.pg_get_serial_sequence('public.catalogue_items', 'id')::regclass
        )
    loop
        execute format('revoke all on sequence %s from public, anon, authenticated', sequence.name);
        -- One that was set back goes on after the last row.
        execute format('select max(%I) from %s', sequence.attribute, sequence.relation) into highest;
        if highest is not null then
            execute format(
                'select setval(%L, greatest(%s, (select last_value from %s)))', sequence.name, highest, sequence.name);
        end if;
    end loop;
end
$$;
