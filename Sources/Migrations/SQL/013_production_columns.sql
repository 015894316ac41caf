-- What production gained after its first twelve; "if not exists" because a database that is already in use has them.
alter table public.users
    add column if not exists device_token text,
    add column if not exists device_platform text,
    -- Whole hours of the local day: the end is exclusive, and equal hours mean that nothing is quiet.
    add column if not exists quiet_hours_start integer not null default 22 check (quiet_hours_start between 0 and 23),
    add column if not exists quiet_hours_end integer not null default 8 check (quiet_hours_end between 0 and 23),
    add column if not exists timezone text,
    add column if not exists notifications_enabled boolean not null default true;

alter table public.notification_queue
    add column if not exists viewed_at timestamptz;

alter table public.recommendation_feedback
    drop constraint if exists recommendation_feedback_action_check;
alter table public.recommendation_feedback
    add constraint recommendation_feedback_action_check
    check (action in ('selected', 'refreshed', 'saved', 'shared', 'rated', 'handoff', 'purchased'));

-- Interests may be free text.
alter table public.partner_interests
    drop constraint if exists partner_interests_interest_category_check;
