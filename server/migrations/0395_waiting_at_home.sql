-- expand
-- Where a visit at home would be that somebody waits for: their address with its position, until they wait no more.
alter table waiting_entries add column home jsonb;
