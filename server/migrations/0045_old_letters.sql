-- concurrent
create index concurrently mails_sent on mails (sent_at);
create index concurrently users_unconfirmed on users (created_at) where email_verified_at is null;
