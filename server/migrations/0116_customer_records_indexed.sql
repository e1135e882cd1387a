-- concurrent
create index concurrently appointments_of_customer on appointments (customer_id, starts_at) where customer_id is not null;
create index concurrently customers_by_phone on customers (institute_id, phone_key) where phone_key is not null;
create index concurrently customers_by_email on customers (institute_id, email) where email is not null;
create index concurrently customers_merged on customers (merged_into) where merged_into is not null;
create index concurrently customers_noted_by on customers (noted_by) where noted_by is not null;
alter table customers validate constraint customers_noted_by_fkey;
