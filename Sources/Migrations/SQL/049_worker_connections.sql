-- A worker holds at most five connections, and sixteen workers are to run beside each other: the limit that their role was
-- made with leaves no room for that. A limit that an operator has set stays.
do $$
begin
    if exists (select 1 from pg_catalog.pg_roles r where r.rolname = 'knot_worker' and r.rolconnlimit = 24) then
        alter role knot_worker connection limit 80;
    end if;
exception
    -- Another database's migration may be altering the role in this very moment. A role that another owner made is that
    -- owner's to alter, and workers wait for one another below its limit.
    when internal_error or insufficient_privilege then null;
end
$$;
