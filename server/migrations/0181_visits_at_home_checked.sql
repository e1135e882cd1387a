-- concurrent
alter table services validate constraint services_venue;
alter table institutes validate constraint institutes_home_travel;
