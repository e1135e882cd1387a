-- expand
-- The owner is told in the bell what became of the check of their business.
alter table notifications drop constraint notifications_kinds;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered', 'proposed', 'late', 'on_time', 'leave_asked', 'leave_agreed', 'leave_declined', 'shortened', 'shorter', 'readdressed', 'new_address', 'calendar_lost', 'business_accepted', 'business_refused')) not valid;
