-- concurrent
-- Visits that are over: whoever came is asked how it was.
create index concurrently appointments_by_end on appointments (ends_at) where user_id is not null;
