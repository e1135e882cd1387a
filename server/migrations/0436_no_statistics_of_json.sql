-- expand
-- Nothing is looked for by the whole of these values, and taking their statistics, which is done again whenever a table has grown by a tenth, compared up to
-- 30,000 of them with each other: half of the time of an analysis.
alter table appointments alter column cart set statistics 0, alter column terms set statistics 0;
alter table segments alter column snapshot set statistics 0;
alter table events alter column actor set statistics 0, alter column payload set statistics 0;
alter table idempotency_keys alter column body set statistics 0, alter column fingerprint set statistics 0;
alter table mails alter column attachments set statistics 0;
alter table notifications alter column facts set statistics 0;
