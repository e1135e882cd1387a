-- concurrent
create unique index concurrently services_signature on services (institute_id) where is_signature;
create index concurrently bookable_services_leading on bookable_services (institute_id, lead, position)
  include (service_id, category, audience, price_amount, minor_units, notice_minutes, time_class);
create index concurrently bookable_services_without_lead on bookable_services (institute_id) where lead is null;
-- The release before finds the services of an institute by the index above.
drop index concurrently if exists bookable_services_of_institute;
