-- concurrent
alter table services validate constraint services_successor;
alter table services validate constraint services_archived;
alter table services validate constraint services_successor_other;
create index concurrently services_succeeded on services (successor_id) where successor_id is not null;
-- One service at most is what an institute is shown with.
create unique index concurrently services_one_signature on services (institute_id) where is_signature;
