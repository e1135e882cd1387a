-- expand
-- What clients write at the same moment is written by one statement and one commit: a message alone pays for a transaction of its own, the rights, the lock and
-- the flush, which is most of it.

-- Texts of clients and nothing else, each in a conversation of theirs, in the order they are given. `outcome` is new with id and place; known where the key is
-- one of before (or stands earlier in the list); blocked; elsewhere for who is not the client of the conversation.
-- The rows of the conversations are the locks, taken by id: places have no gap, and the same key twice finds the first.
create function write_as_clients(of_chats uuid[], from_users uuid[], keys text[], said text[], told_at timestamptz[])
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
        when c.client_blocked or c.institute_blocked then 'blocked'
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
