-- Which service of an institute is the asked one is told by the index alone, unless words were asked.
drop index bookable_services_of_institute;
create index bookable_services_of_institute on bookable_services (institute_id, duration_minutes, position)
  include (service_id, category, audience, price_amount, minor_units, notice_minutes, time_class);
