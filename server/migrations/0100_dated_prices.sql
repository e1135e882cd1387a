-- expand
-- A service that had visits is archived, and may name what takes its place.
alter table services
  add column archived_at timestamptz,
  add column successor_id uuid;
alter table services add constraint services_successor
  foreign key (successor_id, institute_id) references services (id, institute_id) on delete set null (successor_id) not valid;
alter table services add constraint services_archived check (archived_at is null or not active) not valid;
alter table services add constraint services_successor_other check (successor_id <> id) not valid;

-- What a service costs from a day of the institute's calendar on; until then the price of its own row. When the day comes the price moves there.
create table service_prices (
  service_id uuid not null,
  institute_id uuid not null,
  from_day date not null,
  price_kind text not null check (price_kind in ('fixed', 'from')),
  price_amount integer not null check (price_amount >= 0),
  primary key (service_id, from_day),
  foreign key (service_id, institute_id) references services (id, institute_id) on delete cascade
);
create index service_prices_by_day on service_prices (from_day);

create trigger free_time_insert after insert on service_prices referencing new table as changed for each statement execute function mark_free_time_of_rows();
create trigger free_time_delete after delete on service_prices referencing old table as changed for each statement execute function mark_free_time_of_rows();
create trigger free_time_update after update on service_prices referencing new table as changed for each statement execute function mark_free_time_of_rows();
