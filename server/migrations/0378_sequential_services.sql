-- expand
-- A service that begins only once what comes before it in a visit is finished: a blow-dry never stands in the waiting part of a colour.
alter table services add column is_sequential boolean not null default false;
