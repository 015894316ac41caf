-- What Supabase provides, for a server that is none: the schema auth with its users and auth.uid(), and three roles.
-- Applied on its own and only where auth.users is missing; it never touches what is already there.

-- Roles belong to the whole server: another database's migration may make the same role in this very moment.
do $$
declare
    name text;
begin
    foreach name in array array['anon', 'authenticated', 'service_role'] loop
        if exists (select 1 from pg_catalog.pg_roles where rolname = name) then
            continue;
        end if;
        begin
            execute format(
                'create role %I nologin noinherit %s', name, case name when 'service_role' then 'bypassrls' end);
        exception
            when duplicate_object or unique_violation then null;
            when insufficient_privilege then
                if name <> 'service_role' then
                    raise;
                end if;
                -- Only a role that bypasses row security may hand that on; nothing of ours connects as service_role.
                create role service_role nologin noinherit;
        end;
    end loop;
end
$$;

create schema if not exists auth;
grant usage on schema auth to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to service_role;

create table auth.users (
    id uuid primary key,
    email varchar(255),
    raw_user_meta_data jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
revoke all on auth.users from public, anon, authenticated;

-- An unset setting reads as null the first time and as an empty text after a transaction that had set it.
create or replace function auth.uid() returns uuid
    language sql
    stable
as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
grant execute on function auth.uid() to anon, authenticated, service_role;
