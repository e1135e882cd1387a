-- expand
-- A letter with a code or a link opens nothing after this; sent later it would only lead astray.
alter table mails add column dead_after timestamptz;
