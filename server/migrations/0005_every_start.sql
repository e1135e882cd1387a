-- Where gaps are hidden: every near start, hidden ones too. They come out when nothing better is left of a day that has begun.
alter table free_time add column near_all varbit;
alter table free_time alter column near_all set storage main;
insert into free_time_marks (institute_id) select f.institute_id from free_time f join institutes i on i.id = f.institute_id where f.coarse or i.gap_policy = 'hide';
