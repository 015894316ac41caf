-- A provider is known by its name alone, so the catalogue takes the items of any: what the program takes for a name is one
-- here. "C" reads a-z as bytes whatever the database's collation is.
alter table public.catalogue_items
    drop constraint catalogue_items_provider_check,
    add constraint catalogue_items_provider_check check (provider collate "C" ~ '^[a-z0-9_-]{1,64}$');
