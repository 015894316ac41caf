-- Foreign keys that deletes and joins follow; the unique keys of the first twelve serve the others.
create index if not exists idx_recommendation_feedback_recommendation_id
    on public.recommendation_feedback (recommendation_id);
create index if not exists idx_recommendation_feedback_user_id on public.recommendation_feedback (user_id);
create index if not exists idx_notification_queue_user_id on public.notification_queue (user_id);
create index if not exists idx_notification_queue_milestone_id on public.notification_queue (milestone_id);
