-- When a device's token was registered: word that a device is gone counts where the token is not younger. The moment of the
-- row's last edit says nothing about that: whoever changed their quiet hours would keep a dead device for ever.
alter table public.users add column device_registered_at timestamptz
    constraint users_device_registered_at_check check (
        device_registered_at between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00'
    );

comment on column public.users.device_registered_at is
    'When device_token was written the last time; written by a trigger.';

-- Of a token from before, nobody knows when it came: at the earliest with its person. The latest moment it may have come at
-- would keep what has died since; an app registers again whenever it is opened. This is no edit of a person's row.
alter table public.users disable trigger handle_updated_at;
update public.users set device_registered_at = created_at
    where device_token is not null and created_at between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00';
alter table public.users enable trigger handle_updated_at;

create function public.handle_device_registration() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
begin
    new.device_registered_at = case when new.device_token is not null then clock_timestamp() end;
    return new;
end
$$;
revoke execute on function public.handle_device_registration() from public, anon, authenticated;

-- An app that writes the token it has once more registers it anew; an edit that does not name the token changes nothing.
create trigger handle_device_registration
    before insert or update of device_token on public.users
    for each row execute function public.handle_device_registration();

grant select (device_registered_at) on public.users to knot_queue;

do $$
begin
    if not pg_catalog.pg_has_role(current_user, 'knot_queue', 'usage') then
        execute format('grant knot_queue to %I with inherit true, set true', current_user);
        perform set_config('knot.joined_queue', 'yes', true);
    end if;
end
$$;

-- Forgets a device that does not exist any more, unless it is another one by now or was registered anew since.
create or replace function api.forget_device(job uuid, token uuid, gone text, since timestamptz default null)
    returns boolean
    language plpgsql
    volatile
    security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update public.users u set device_token = null, device_platform = null
    from api.held_jobs(array[job], array[token]) h join public.partner_vaults v on v.id = h.vault_id
    where u.id = v.user_id and u.device_token = gone
        and (since is null or u.device_registered_at is null or u.device_registered_at <= since);
    return found;
end
$$;

do $$
begin
    if current_setting('knot.joined_queue', true) = 'yes' then
        execute format('revoke knot_queue from %I', current_user);
    end if;
end
$$;
