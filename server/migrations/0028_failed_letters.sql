-- concurrent
create index concurrently mails_failed on mails (appointment_id) where attempts > 0;
