-- concurrent
alter table leave_requests validate constraint leave_requests_state;
alter table leave_requests validate constraint leave_requests_reason;
alter table leave_requests validate constraint leave_requests_answered;
alter table leave_requests validate constraint leave_requests_answerer;
alter table notifications validate constraint notifications_kinds;
create index concurrently leave_requests_of_answerer on leave_requests (answered_by) where answered_by is not null;
