-- expand
alter table refunds
  -- How a provider called each try that it refused ('' where it never said): what it still says of one of them is not heard any more.
  add column refused text[] not null default '{}',
  -- Why the last try was refused, where it said so.
  add column why text check (why in ('card_gone', 'no_balance', 'disputed', 'declined')),
  -- What was refused and paid back otherwise: how, by whom and when. It is never sent again.
  add column settled_how text check (length(settled_how) between 1 and 300),
  add column settled_by jsonb,
  add column settled_at timestamptz,
  add constraint refunds_settled_check check (settled_at is null or (state = 'failed' and settled_how is not null and settled_by is not null)) not valid;
