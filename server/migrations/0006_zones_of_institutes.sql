-- A search of the whole world for a day looks only at the zones in which that day is not over.
create index institutes_zones on institutes (time_zone) where state = 'published' and claimed;
