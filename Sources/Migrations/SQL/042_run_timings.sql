-- The worker's login sees how long the parts of a stored run took: operators look at them, and nothing of a vault is in them.
grant select (timings) on public.recommendation_runs to knot_worker;
