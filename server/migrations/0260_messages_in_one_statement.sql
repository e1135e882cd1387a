-- expand
-- A message was four statements: who speaks, whether they are blocked, writing it, and reading it for the answer. Now its place comes back with it, and what
-- a client writes is one statement.

-- Whether an institute lets an account book and write no more: by its record, or by one of its confirmed address.
create function is_blocked_at(of_institute uuid, of_user uuid) returns boolean
language sql stable as $$
  select exists (select from customers k where k.institute_id = of_institute and k.blocked_at is not null and k.merged_into is null
    and (k.user_id = of_user or k.email = (select u.email from users u where u.id = of_user and u.email_verified_at is not null)))
$$;

-- Writes one message with its event. The row of the conversation is its lock: places have no gap, and the same key twice finds the first.
-- Gives nothing where one of the two has blocked the other.
create function write_message(
  of_chat uuid, from_side text, from_user uuid, key text, said text, with_file uuid, of_media text, of_visit uuid, of_time jsonb, by jsonb,
  told_at timestamptz
) returns table (message_id uuid, place integer, is_new boolean)
language plpgsql as $$
declare
  found_chat chats%rowtype;
  made uuid;
begin
  select * into found_chat from chats c where c.id = of_chat for update;
  if found_chat.id is null then
    return;
  end if;
  if not found_chat.client_blocked and not found_chat.institute_blocked then
    insert into messages (chat_id, seq, side, sender_id, client_id, text, file_id, media, appointment_id, free_time, created_at)
      values (of_chat, found_chat.last_seq + 1, from_side, from_user, key, said, with_file, of_media, of_visit, of_time, told_at)
      on conflict on constraint messages_once do nothing returning id into made;
  end if;
  if made is null then
    return query select m.id, m.seq, false from messages m where m.chat_id = of_chat and m.sender_id = from_user and m.client_id = key;
    return;
  end if;
  update chats c set last_seq = c.last_seq + 1, updated_at = greatest(c.updated_at, told_at), client_archived = false, institute_archived = false,
    client_unread = c.client_unread + (from_side = 'institute')::int, institute_unread = c.institute_unread + (from_side = 'client')::int
    where c.id = of_chat;
  insert into events (kind, institute_id, subject_id, actor, payload, at)
    values ('message.sent', found_chat.institute_id, of_chat, by,
      jsonb_build_object('messageId', made, 'seq', found_chat.last_seq + 1, 'side', from_side, 'userId', found_chat.user_id), told_at);
  return query select made, found_chat.last_seq + 1, true;
end
$$;

-- What a client writes: a text and nothing else. `outcome` is new or known with the message, blocked, or elsewhere for who is not the client of this conversation.
create function write_as_client(of_chat uuid, from_user uuid, key text, said text, by jsonb, told_at timestamptz)
returns table (outcome text, message_id uuid, place integer)
language plpgsql as $$
declare
  found_chat record;
  made record;
begin
  select c.user_id, c.institute_id into found_chat from chats c where c.id = of_chat;
  if found_chat.user_id is distinct from from_user then
    return query select 'elsewhere'::text, null::uuid, null::integer;
    return;
  end if;
  if is_blocked_at(found_chat.institute_id, from_user) then
    return query select 'blocked'::text, null::uuid, null::integer;
    return;
  end if;
  select * into made from write_message(of_chat, 'client', from_user, key, said, null, null, null, null, by, told_at);
  if made.message_id is null then
    return query select 'blocked'::text, null::uuid, null::integer;
    return;
  end if;
  return query select case when made.is_new then 'new' else 'known' end, made.message_id, made.place;
end
$$;

-- The release before calls it.
create or replace function send_message(
  of_chat uuid, from_side text, from_user uuid, key text, said text, with_file uuid, of_media text, of_visit uuid, of_time jsonb, by jsonb,
  told_at timestamptz
) returns table (message_id uuid, is_new boolean)
language plpgsql as $$
begin
  return query select w.message_id, w.is_new
    from write_message(of_chat, from_side, from_user, key, said, with_file, of_media, of_visit, of_time, by, told_at) w;
end
$$;
