-- expand
-- Time off that was asked for keeps its answer: who gave it, when, and why not. Days of one member that wait for an answer are never asked for twice.
alter table leave_requests add column state text not null default 'asked';
alter table leave_requests add column reason text;
alter table leave_requests add column answered_by uuid;
alter table leave_requests add column answered_at timestamptz;
alter table leave_requests add constraint leave_requests_state check (state in ('asked', 'agreed', 'declined')) not valid;
alter table leave_requests add constraint leave_requests_reason check (length(reason) between 1 and 200) not valid;
alter table leave_requests add constraint leave_requests_answered check ((state = 'asked') = (answered_at is null)) not valid;
alter table leave_requests add constraint leave_requests_answerer foreign key (answered_by) references users on delete set null not valid;
-- The table was never written to, so there is nothing to scan.
-- squawk-ignore constraint-missing-not-valid
alter table leave_requests add constraint leave_requests_apart
  exclude using gist (member_id with =, daterange(from_day, to_day, '[]') with &&) where (state = 'asked');

-- Managers are told of a request, its member of the answer.
alter table notifications drop constraint notifications_kinds;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered', 'proposed', 'late', 'on_time', 'leave_asked', 'leave_agreed', 'leave_declined')) not valid;
