-- expand
-- Which service an institute leads with: its owner's choice, else what is booked most.

alter table services
  add column is_signature boolean not null default false,
  -- 1 for what was booked most of the menu in the last 90 days; null for what was not
  add column booked_rank smallint;

-- The order in which services lead, see leading.ts; null for what the release before has written, until it is summarised again.
alter table bookable_services add column lead integer;
