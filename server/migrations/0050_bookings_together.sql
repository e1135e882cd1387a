-- expand
-- Holds of several institutes, and confirmations of several visits, in one transaction each: one way to the database and back, one commit.
-- Nobody waits for a lock on behalf of others: who would have to is answered 'alone', with nothing written, and asks by themselves.

create function hold_visits_together(p_asked jsonb)
  returns table (asked integer, outcome text, body jsonb, until timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  v_asked record;
  v_locked boolean;
begin
  -- A key or a row that somebody else is about to write is waited for this long; then everybody asks alone.
  perform set_config('lock_timeout', '100ms', true);
  for v_asked in select a.* from rows from (jsonb_to_recordset(p_asked)
      as ("instituteId" uuid, version bigint, holds jsonb, patch jsonb, now timestamptz)) with ordinality as a(institute, version, holds, patch, at, n) loop
    -- In the order of hold_visits, which takes them again: persons, the diary, the index as the release before locks it.
    select coalesce(bool_and(pg_try_advisory_xact_lock(persons.k)), true) into v_locked
      from (select distinct person_lock(h."userId") as k from jsonb_to_recordset(v_asked.holds) as h("userId" uuid)) persons;
    if v_locked then
      perform from diary_versions v where v.institute_id = v_asked.institute for update skip locked;
      v_locked := found and pg_try_advisory_xact_lock(hashtextextended(v_asked.institute::text, 727));
    end if;
    if v_locked then
      return query select v_asked.n::integer, h.outcome, h.body, h.until from hold_visits(v_asked.institute, v_asked.version, v_asked.holds, v_asked.patch, v_asked.at) h;
    else
      return query select v_asked.n::integer, 'alone'::text, null::jsonb, null::timestamptz;
    end if;
  end loop;
end $$;

create function confirm_unpaid_holds(p_asked jsonb)
  returns table (asked integer, outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_asked record;
begin
  perform set_config('lock_timeout', '100ms', true);
  for v_asked in select a.* from rows from (jsonb_to_recordset(p_asked)
      as (id uuid, "userId" uuid, status text, "paymentMethod" text, note text, key text, fingerprint text, body jsonb, now timestamptz))
      with ordinality as a(id, user_id, status, payment_method, note, key, fingerprint, body, at, n) loop
    perform from appointments v where v.id = v_asked.id and v.user_id = v_asked.user_id for update skip locked;
    if found then
      return query select v_asked.n::integer, h.outcome, h.body from confirm_unpaid_hold(v_asked.id, v_asked.user_id, v_asked.status, v_asked.payment_method, v_asked.note,
        v_asked.key, decode(v_asked.fingerprint, 'hex'), v_asked.body, v_asked.at) h;
    else
      return query select v_asked.n::integer, 'alone'::text, null::jsonb;
    end if;
  end loop;
end $$;
