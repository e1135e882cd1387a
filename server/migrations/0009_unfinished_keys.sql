-- concurrent
create index concurrently idempotency_keys_unfinished on idempotency_keys (claimed_until) where status is null;
