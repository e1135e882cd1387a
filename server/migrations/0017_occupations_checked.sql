-- concurrent
create index concurrently occupations_of_source on occupations (source_id) where source_id is not null;
alter table occupations validate constraint occupations_kind;
alter table occupations validate constraint occupations_source;
alter table occupations validate constraint occupations_leave;
alter table occupations validate constraint occupations_expiring;
alter table services validate constraint services_capacity;
