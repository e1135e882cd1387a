-- expand
-- From when on the address of somebody without an account is forgotten; null for those whose account has it.
alter table home_addresses add column forgotten_at timestamptz;
