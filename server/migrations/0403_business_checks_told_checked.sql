-- concurrent
alter table notifications validate constraint notifications_kinds;
