-- concurrent
create index concurrently checkouts_of_provider on checkouts (provider, begun_at) include (account_id) where provider is not null;
create index concurrently checkouts_of_reference on checkouts (reference) where reference is not null;
create index concurrently refunds_made on refunds (made_at);
create index concurrently refunds_of_reference on refunds (reference) where reference is not null;
