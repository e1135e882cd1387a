-- concurrent
-- Of a sale each turn comes once.
create unique index concurrently kept_deposits_turn on kept_deposits (sale_id, nth);
alter table kept_deposits validate constraint kept_deposits_in_turn;
