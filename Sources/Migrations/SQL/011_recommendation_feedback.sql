create table public.recommendation_feedback (
    id uuid primary key default gen_random_uuid(),
    recommendation_id uuid not null references public.recommendations (id) on delete cascade,
    user_id uuid not null references public.users (id) on delete cascade,
    action text not null check (action in ('selected', 'refreshed', 'saved', 'shared', 'rated')),
    rating integer check (rating between 1 and 5),
    feedback_text text,
    created_at timestamptz not null default now()
);

alter table public.recommendation_feedback enable row level security;
create policy recommendation_feedback_select_own on public.recommendation_feedback for select
    using (user_id = auth.uid());
create policy recommendation_feedback_insert_own on public.recommendation_feedback for insert
    with check (user_id = auth.uid());
create policy recommendation_feedback_update_own on public.recommendation_feedback for update
    using (user_id = auth.uid()) with check (user_id = auth.uid());
create policy recommendation_feedback_delete_own on public.recommendation_feedback for delete
    using (user_id = auth.uid());

revoke all on public.recommendation_feedback from public, anon, authenticated;
grant select, insert, update, delete on public.recommendation_feedback to authenticated;
grant select on public.recommendation_feedback to anon;
