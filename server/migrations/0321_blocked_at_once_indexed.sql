-- concurrent
create index concurrently customers_blocked on customers (institute_id) where blocked_at is not null;
-- Those sent long ago are found by pages; what is noted of a letter changes no index.
create index concurrently mails_sent_pages on mails using brin (sent_at);
