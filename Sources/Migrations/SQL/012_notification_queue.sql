create table public.notification_queue (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references public.users (id) on delete cascade,
    milestone_id uuid not null references public.partner_milestones (id) on delete cascade,
    scheduled_for timestamptz not null,
    days_before integer not null check (days_before in (14, 7, 3)),
    status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'cancelled')),
    sent_at timestamptz,
    created_at timestamptz not null default now()
);
create index idx_notification_queue_pending on public.notification_queue (status, scheduled_for)
    where status = 'pending';

alter table public.notification_queue enable row level security;
create policy notification_queue_select_own on public.notification_queue for select using (user_id = auth.uid());
create policy notification_queue_insert_own on public.notification_queue for insert with check (user_id = auth.uid());
create policy notification_queue_update_own on public.notification_queue for update
    using (user_id = auth.uid()) with check (user_id = auth.uid());
create policy notification_queue_delete_own on public.notification_queue for delete using (user_id = auth.uid());

revoke all on public.notification_queue from public, anon, authenticated;
grant select, insert, update, delete on public.notification_queue to authenticated;
grant select on public.notification_queue to anon;
