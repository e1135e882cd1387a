-- expand
-- An institute can offer a free time in a conversation: what, with whom and when, as it was told.
alter table messages add column free_time jsonb;
alter table messages add constraint messages_carry_something
  check (text is not null or media is not null or appointment_id is not null or free_time is not null) not valid;
alter table messages drop constraint messages_say_something;

-- send_message as in 0087, with one thing more that a message can carry.
create function send_message(
  of_chat uuid, from_side text, from_user uuid, key text, said text, with_file uuid, of_media text, of_visit uuid, of_time jsonb, by jsonb,
  told_at timestamptz
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
  insert into messages (chat_id, seq, side, sender_id, client_id, text, file_id, media, appointment_id, free_time, created_at)
    values (of_chat, found_chat.last_seq + 1, from_side, from_user, key, said, with_file, of_media, of_visit, of_time, told_at)
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
create or replace function send_message(
  of_chat uuid, from_side text, from_user uuid, key text, said text, with_file uuid, of_media text, of_visit uuid, by jsonb, told_at timestamptz
) returns table (message_id uuid, is_new boolean)
language sql as $$
  select * from send_message(of_chat, from_side, from_user, key, said, with_file, of_media, of_visit, null::jsonb, by, told_at)
$$;
