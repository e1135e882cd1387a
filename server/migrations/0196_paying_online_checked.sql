-- concurrent
create unique index concurrently checkouts_one_open on checkouts (appointment_id) where state = 'open';
create index concurrently checkouts_of_visit on checkouts (appointment_id, begun_at);
create index concurrently checkouts_open on checkouts (begun_at) where state = 'open';
create index concurrently checkouts_of_key on checkouts (user_id, key) where key is not null;
alter table appointments validate constraint appointments_deposit;
alter table ledger_lines validate constraint ledger_lines_account_check;
