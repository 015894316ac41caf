/// Reads a server's catalogue as sorted lines, so that a difference shows as a line.
struct CatalogueReader: Sendable {
    let session: SchemaSession

    func columns() async throws -> [String] {
        try await session.column(
            """
            select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when
            a.attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(d.adbin,
            d.adrelid), '') from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d
            on d.adrelid = c.oid and d.adnum = a.attnum where c.relnamespace = 'public'::regnamespace and
            c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
            """
        ).sorted()
    }

    func constraints() async throws -> [String] {
        try await session.column(
            """
            select conrelid::regclass || ' ' || replace(pg_get_constraintdef(oid), '::text', '') from
            pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'f', 'p')
            """
        ).sorted()
    }

    func triggers() async throws -> [String] {
        try await session.column(
            """
            select tgrelid::regclass || ' ' || tgname || ' ' || substring(pg_get_triggerdef(t.oid) from
            '(?:AFTER|BEFORE) (?:INSERT|UPDATE|DELETE)') || ' ' || tgfoid::regproc || case when p.prosecdef
            then ' as its owner' else '' end from pg_trigger t join pg_proc p on p.oid = t.tgfoid where not
            tgisinternal
            """
        ).sorted()
    }

    func indexes() async throws -> [String] {
        try await session.column(
            """
            select regexp_replace(indexdef, 'CREATE (.*)INDEX \\S+ ON public\\.', '\\1') from pg_indexes where
            schemaname = 'public' and indexname not in (select conname from pg_constraint)
            """
        ).sorted()
    }
}
