-- One or two typed letters match too many places for the words index: walk from the largest place down instead.
create index places_population on places (population desc, geoname_id);
