-- expand
-- An operator stops a conversation: nobody writes in it until it is allowed again. Whoever writes is told as where one side has blocked the other; who asks
-- why reads the column.
alter table chats add column stopped_at timestamptz;

-- As in 0260, with conversations that are stopped.
create or replace function write_message(
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
  if not found_chat.client_blocked and not found_chat.institute_blocked and found_chat.stopped_at is null then
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

-- As in 0350, with conversations that are stopped.
create or replace function write_as_clients(of_chats uuid[], from_users uuid[], keys text[], said text[], told_at timestamptz[])
returns table (nth integer, outcome text, message_id uuid, place integer)
language plpgsql as $$
begin
  perform from chats c where c.id = any(of_chats) order by c.id for update;
  return query
    with asked as (
      select a.n, a.chat_id, a.user_id, a.key, a.said, a.at, c.institute_id, c.last_seq, case
        when c.user_id is distinct from a.user_id then 'elsewhere'
        when is_blocked_at(c.institute_id, a.user_id) then 'blocked'
        when row_number() over (partition by a.chat_id, a.user_id, a.key order by a.n) > 1
          or exists (select from messages m where m.chat_id = a.chat_id and m.sender_id = a.user_id and m.client_id = a.key) then 'known'
        when c.client_blocked or c.institute_blocked or c.stopped_at is not null then 'blocked'
        else 'new' end as outcome
      from unnest(of_chats, from_users, keys, said, told_at) with ordinality a(chat_id, user_id, key, said, at, n)
        left join chats c on c.id = a.chat_id),
    placed as (
      select a.*, uuidv7() as message_id, a.last_seq + row_number() over (partition by a.chat_id order by a.n)::integer as place
      from asked a where a.outcome = 'new'),
    written as (
      insert into messages (id, chat_id, seq, side, sender_id, client_id, text, created_at)
      select p.message_id, p.chat_id, p.place, 'client', p.user_id, p.key, p.said, p.at from placed p order by p.n),
    counted as (
      update chats c set last_seq = t.last, updated_at = greatest(c.updated_at, t.at), client_archived = false, institute_archived = false,
        institute_unread = c.institute_unread + t.many
      from (select p.chat_id, max(p.place) as last, max(p.at) as at, count(*)::integer as many from placed p group by p.chat_id) t
      where c.id = t.chat_id),
    told as (
      insert into events (kind, institute_id, subject_id, actor, payload, at)
      select 'message.sent', p.institute_id, p.chat_id, jsonb_build_object('kind', 'client', 'userId', p.user_id),
        jsonb_build_object('messageId', p.message_id, 'seq', p.place, 'side', 'client', 'userId', p.user_id), p.at from placed p order by p.n)
    select a.n::integer, a.outcome, p.message_id, p.place from asked a left join placed p on p.n = a.n order by a.n;
end
$$;
