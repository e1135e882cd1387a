-- expand
-- Who waits is told of a time that is held for them.
alter table notifications drop constraint notifications_kind;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered')) not valid;
