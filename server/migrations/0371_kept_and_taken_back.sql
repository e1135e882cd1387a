-- expand
-- A deposit is kept also when its client did not come, which can be corrected: what was kept is taken back by a row below zero, and may be kept once more.
alter table kept_deposits add column nth smallint not null default 1;
alter table kept_deposits drop constraint kept_deposits_amount_check;
-- The odd ones keep, the even ones take back.
alter table kept_deposits add constraint kept_deposits_in_turn check (amount <> 0 and (nth % 2 = 1) = (amount > 0)) not valid;
alter table kept_deposits drop constraint kept_deposits_sale_id_key;
-- What a closing found beside what was taken; null of those that the release before has closed.
alter table till_closings add column kept_amount integer, add column refunded_amount integer;
