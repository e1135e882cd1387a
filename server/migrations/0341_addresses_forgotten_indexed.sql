-- concurrent
create index concurrently home_addresses_to_forget on home_addresses (forgotten_at) where forgotten_at is not null;
