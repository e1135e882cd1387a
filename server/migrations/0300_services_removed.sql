-- expand
-- One service of a visit can be let go: its client and the people of the institute are told, and its share of the deposit goes back.
alter table notifications drop constraint notifications_kinds;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered', 'proposed', 'late', 'on_time', 'leave_asked', 'leave_agreed', 'leave_declined', 'shortened', 'shorter')) not valid;
alter table refunds drop constraint refunds_reason_check;
alter table refunds add constraint refunds_reason_check
  check (reason in ('late_payment', 'cancelled_by_client', 'cancelled_by_institute', 'credit_note', 'fee_waived', 'service_removed')) not valid;
