-- concurrent
-- How often somebody came, and did not come, is told beside each of their visits.
create index concurrently appointments_of_customer on appointments (customer_id, starts_at);
