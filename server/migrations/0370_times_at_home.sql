-- expand
-- The class of free starts a service has at the client's home; null where it is not done there, and for what the release before has written.
alter table bookable_services add column home_class smallint;
