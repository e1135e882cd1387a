-- concurrent
alter table refunds validate constraint refunds_why_check;
