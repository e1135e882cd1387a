-- expand
-- Where a service is done, how long the way to a client takes, and the address of a visit at home: a row of its own, so that no reading of visits tells it by accident.
alter table services add column venue text not null default 'salon';
alter table services add constraint services_venue check (venue in ('salon', 'home', 'either')) not valid;
alter table institutes add column home_travel_minutes smallint not null default 30;
alter table institutes add constraint institutes_home_travel check (home_travel_minutes between 0 and 240) not valid;

-- What is only done at home has its travel time in every diary, and in the index of free time.
create trigger free_time_update_at_home after update of at_home, at_home_radius_km, home_travel_minutes on institutes for each row
  when (old.at_home is distinct from new.at_home or old.at_home_radius_km is distinct from new.at_home_radius_km or old.home_travel_minutes is distinct from new.home_travel_minutes)
  execute function mark_free_time_of_institute();

-- Erased with the account; a hold that is forgotten takes its address with it.
create table home_addresses (
  appointment_id uuid primary key references appointments on delete cascade,
  institute_id uuid not null,
  line text not null check (length(line) between 1 and 200),
  postal_code text check (length(postal_code) between 1 and 20),
  city text not null check (length(city) between 1 and 120),
  lat double precision not null,
  lon double precision not null
);
