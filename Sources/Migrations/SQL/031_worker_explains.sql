-- What the worker's role needs to explain a stored set as it was stored: what it was made from, and whose hints it used.
grant select (input_digest, as_of) on public.recommendation_runs to knot_worker;
grant select (hint_ids) on public.recommendations to knot_worker;
