-- expand
-- The address of a visit at home was put right: its client and the people of the institute are told.
alter table notifications drop constraint notifications_kinds;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered', 'proposed', 'late', 'on_time', 'leave_asked', 'leave_agreed', 'leave_declined', 'shortened', 'shorter', 'readdressed', 'new_address')) not valid;
