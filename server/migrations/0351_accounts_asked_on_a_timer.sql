-- expand
-- What an account can do is asked twice a day as well: a word that was lost would leave an institute without deposits, or clients on pages they cannot pay, for good.
-- When it was asked last; one that does not answer is not asked every minute.
alter table payment_accounts add column tried_at timestamptz;
