-- concurrent
alter table notifications validate constraint notifications_kinds;
alter table refunds validate constraint refunds_reason_check;
