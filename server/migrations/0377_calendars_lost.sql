-- expand
-- Whoever took our access to their calendar back is told in the bell too, until it is connected again.
alter table notifications drop constraint notifications_kinds;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered', 'proposed', 'late', 'on_time', 'leave_asked', 'leave_agreed', 'leave_declined', 'shortened', 'shorter', 'readdressed', 'new_address', 'calendar_lost')) not valid;
