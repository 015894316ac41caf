-- An item that comes to say something else has no embedding until somebody makes one of what it says now.
create function knot.forget_item_embedding() returns trigger
    language plpgsql
    set search_path = ''
as $$
begin
    new.embedding := null;
    new.embedding_model := null;
    return new;
end
$$;

-- What an embedding is made of; whoever brings the new text's own embedding along keeps it.
create trigger catalogue_items_forget_embedding
    before update of title, description, tags on public.catalogue_items
    for each row
    when (
        (old.title, old.description, old.tags) is distinct from (new.title, new.description, new.tags)
        and old.embedding is not distinct from new.embedding
    )
    execute function knot.forget_item_embedding();
