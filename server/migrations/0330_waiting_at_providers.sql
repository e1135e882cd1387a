-- expand
-- What waits at the provider and is in no payout yet, by currency, and when that was read: on its own, since it may fail where payouts were read.
alter table payout_reads
  -- [{ currency, amount }]
  add column waiting jsonb check (jsonb_typeof(waiting) = 'array'),
  add column waiting_at timestamptz;
