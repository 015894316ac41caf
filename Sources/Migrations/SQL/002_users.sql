create table public.users (
    id uuid primary key references auth.users (id) on delete cascade,
    email text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create function public.handle_updated_at() returns trigger
    language plpgsql
    set search_path = ''
as $$
begin
    new.updated_at = now();
    return new;
end
$$;

create trigger handle_updated_at
    before update on public.users
    for each row execute function public.handle_updated_at();

create function public.handle_new_user() returns trigger
    language plpgsql
    security definer
    set search_path = ''
as $$
begin
    insert into public.users (id, email) values (new.id, new.email)
        on conflict (id) do nothing;
    return new;
end
$$;
revoke execute on function public.handle_new_user() from public, anon, authenticated;

create trigger on_auth_user_created
    after insert on auth.users
    for each row execute function public.handle_new_user();

alter table public.users enable row level security;
create policy users_select_own on public.users for select using (auth.uid() = id);
create policy users_insert_own on public.users for insert with check (auth.uid() = id);
create policy users_update_own on public.users for update using (auth.uid() = id) with check (auth.uid() = id);
create policy users_delete_own on public.users for delete using (auth.uid() = id);

revoke all on public.users from public, anon, authenticated;
grant select, insert, update, delete on public.users to authenticated;
grant select on public.users to anon;
