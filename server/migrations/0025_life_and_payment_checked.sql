-- concurrent
alter table appointments validate constraint appointments_life;
alter table appointments validate constraint appointments_payment;
alter table appointments validate constraint appointments_life_and_payment;
-- Only holds have an end.
create index concurrently appointments_expiring on appointments (expires_at) where expires_at is not null;
