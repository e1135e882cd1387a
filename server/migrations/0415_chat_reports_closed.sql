-- expand
-- Reports of conversations wait until somebody has looked at them.
alter table chat_reports add column decided_at timestamptz;
