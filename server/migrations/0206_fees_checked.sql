-- concurrent
alter table checkouts validate constraint checkouts_amount_check;
alter table checkouts validate constraint checkouts_payment_check;
alter table checkouts validate constraint checkouts_kind_check;
alter table refunds validate constraint refunds_reason_check;
alter table sandbox_pages validate constraint sandbox_pages_amount_check;
alter table sandbox_pages validate constraint sandbox_pages_state_check;
create index concurrently checkouts_to_charge on checkouts (begun_at) where kind = 'charge' and state = 'open';
