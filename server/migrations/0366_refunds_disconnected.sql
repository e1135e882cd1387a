-- expand
-- A refund is refused for good where the account that took the money was taken away from this site.
alter table refunds drop constraint refunds_why_check;
alter table refunds add constraint refunds_why_check check (why in ('card_gone', 'no_balance', 'disputed', 'declined', 'disconnected')) not valid;
