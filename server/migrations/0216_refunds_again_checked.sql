-- concurrent
alter table refunds validate constraint refunds_settled_check;
create index concurrently refunds_refused on refunds (institute_id, ended_at) where state = 'failed';
