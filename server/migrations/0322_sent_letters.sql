-- contract after 0321
-- By this index whoever sent a letter looked through all that were not sent yet.
drop index if exists mails_sent;
