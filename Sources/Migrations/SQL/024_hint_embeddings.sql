-- A hint that comes to say something else has no embedding until somebody makes one of what it says now.
create function knot.forget_hint_embedding() returns trigger
    language plpgsql
    set search_path = ''
as $$
begin
    new.hint_embedding := null;
    new.hint_embedding_model := null;
    return new;
end
$$;

-- Whoever brings the new text's own embedding along keeps it.
create trigger hints_forget_embedding
    before update of hint_text on public.hints
    for each row
    when (old.hint_text is distinct from new.hint_text and old.hint_embedding is not distinct from new.hint_embedding)
    execute function knot.forget_hint_embedding();
