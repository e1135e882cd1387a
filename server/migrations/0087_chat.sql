-- expand
-- One conversation for each person and institute. Messages have places in it (seq); how far each side has come is a place too, so that
-- reading a thousand messages writes one row.
create table chats (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_seq int not null default 0,
  client_delivered int not null default 0,
  client_read int not null default 0,
  client_unread int not null default 0,
  -- Nothing up to this place is shown to them.
  client_cleared int not null default 0,
  client_archived boolean not null default false,
  client_blocked boolean not null default false,
  institute_delivered int not null default 0,
  institute_read int not null default 0,
  institute_unread int not null default 0,
  institute_cleared int not null default 0,
  institute_archived boolean not null default false,
  institute_blocked boolean not null default false,
  constraint chats_once unique (user_id, institute_id),
  constraint chats_places check (
    client_read <= client_delivered and client_delivered <= last_seq and client_cleared <= last_seq and client_unread >= 0
    and institute_read <= institute_delivered and institute_delivered <= last_seq and institute_cleared <= last_seq and institute_unread >= 0)
);
create index chats_of_user on chats (user_id, updated_at desc, id);
create index chats_of_institute on chats (institute_id, updated_at desc, id);
create table messages (
  id uuid primary key default uuidv7(),
  chat_id uuid not null references chats on delete cascade,
  seq int not null,
  side text not null check (side in ('client', 'institute')),
  -- Null once the account is gone.
  sender_id uuid references users on delete set null,
  client_id text not null,
  text text check (length(text) between 1 and 4000),
  file_id uuid references files on delete set null,
  media text check (media in ('image', 'document')),
  -- No reference: a visit is forgotten with its person, and whoever changes one should not look here.
  appointment_id uuid,
  created_at timestamptz not null,
  constraint messages_in_order unique (chat_id, seq),
  constraint messages_once unique (chat_id, sender_id, client_id),
  constraint messages_say_something check (text is not null or media is not null or appointment_id is not null)
);
create index messages_with_files on messages (chat_id, seq desc) where media is not null;
create index messages_of_sender on messages (sender_id);
create index messages_of_file on messages (file_id) where file_id is not null;
create table chat_reports (
  id uuid primary key default uuidv7(),
  chat_id uuid not null references chats on delete cascade,
  user_id uuid references users on delete set null,
  reason text not null check (length(reason) between 1 and 500),
  -- How far the conversation went when it was reported.
  seq int not null,
  created_at timestamptz not null
);
create index chat_reports_of_chat on chat_reports (chat_id);
create index chat_reports_of_user on chat_reports (user_id);

-- Writes one message with its event. The row of the conversation is its lock: places have no gap, and the same key twice finds the first.
-- Gives null where one of the two has blocked the other.
create function send_message(
  of_chat uuid, from_side text, from_user uuid, key text, said text, with_file uuid, of_media text, of_visit uuid, by jsonb, told_at timestamptz
) returns table (message_id uuid, is_new boolean)
language plpgsql as $$
declare
  found_chat chats%rowtype;
  made uuid;
begin
  select * into found_chat from chats c where c.id = of_chat for update;
  select m.id into made from messages m where m.chat_id = of_chat and m.sender_id = from_user and m.client_id = key;
  if found then
    return query select made, false;
    return;
  end if;
  if found_chat.id is null or found_chat.client_blocked or found_chat.institute_blocked then
    return;
  end if;
  insert into messages (chat_id, seq, side, sender_id, client_id, text, file_id, media, appointment_id, created_at)
    values (of_chat, found_chat.last_seq + 1, from_side, from_user, key, said, with_file, of_media, of_visit, told_at)
    returning id into made;
  update chats c set last_seq = c.last_seq + 1, updated_at = greatest(c.updated_at, told_at), client_archived = false, institute_archived = false,
    client_unread = c.client_unread + (from_side = 'institute')::int, institute_unread = c.institute_unread + (from_side = 'client')::int
    where c.id = of_chat;
  insert into events (kind, institute_id, subject_id, actor, payload, at)
    values ('message.sent', found_chat.institute_id, of_chat, by,
      jsonb_build_object('messageId', made, 'seq', found_chat.last_seq + 1, 'side', from_side, 'userId', found_chat.user_id), told_at);
  return query select made, true;
end
$$;
