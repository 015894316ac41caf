-- A caller's own request is looked up by its name: it has one set, whatever it asks for the second time.
create index idx_recommendation_runs_request on public.recommendation_runs (vault_id, request) where kind = 'on_demand';
