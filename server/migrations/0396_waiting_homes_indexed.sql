-- concurrent
create index concurrently waiting_entries_homes on waiting_entries (ends_at) where home is not null;
