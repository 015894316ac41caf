-- The vectors of a vault's phrases have as many numbers as their model gives: zeros behind them would double what they take.
alter table public.text_embeddings
    alter column embedding type vector,
    add check (vector_dims(embedding) between 1 and 768);
