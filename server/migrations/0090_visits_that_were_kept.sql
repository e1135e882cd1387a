-- concurrent
-- Whoever came is asked how it was. Only statements that ask for it can use this index: the one before was taken for the visits of a
-- person while a young table had no statistics, and a booking then read every visit there was.
create index concurrently appointments_over on appointments (ends_at) where attendance in ('expected', 'done');
drop index concurrently if exists appointments_by_end;
