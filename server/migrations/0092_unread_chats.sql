-- concurrent
-- The minute's job that writes of messages nobody has read looks at these alone.
create index concurrently chats_unread on chats (updated_at) where client_unread > 0 or institute_unread > 0;
