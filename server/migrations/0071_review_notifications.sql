-- expand
-- An institute is told of a review, its author of the answer.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied')) not valid;
