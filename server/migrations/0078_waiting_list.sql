-- expand
-- Waiting lists: who waits for what, which times fell free, and what was offered to whom.

-- Held in somebody's name because they wait for it: it is none of the holds a person may have.
alter table appointments add column is_offer boolean not null default false;

create table waiting_entries (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  cart jsonb not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  part text check (part in ('morning', 'afternoon', 'evening')),
  -- Wall minutes in which the visit begins and ends.
  opens_at smallint,
  closes_at smallint check (closes_at > opens_at),
  -- The visit that is given back when an earlier time is taken.
  visit_id uuid references appointments on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'removed')),
  -- The end of the last day, on the clock of the institute.
  ends_at timestamptz not null,
  created_at timestamptz not null,
  check ((opens_at is null) = (closes_at is null))
);
create index waiting_entries_in_order on waiting_entries (institute_id, created_at, id) where state = 'waiting';
create index waiting_entries_of_user on waiting_entries (user_id, created_at desc);
create index waiting_entries_of_visit on waiting_entries (visit_id) where visit_id is not null;
create index waiting_entries_over on waiting_entries (ends_at);

create table waiting_offers (
  id uuid primary key,
  entry_id uuid not null references waiting_entries on delete cascade,
  user_id uuid not null references users on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  -- Forgotten a day after it has run out.
  appointment_id uuid references appointments on delete set null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'taken', 'declined')),
  offered_at timestamptz not null,
  until timestamptz not null,
  -- Nobody is offered the same time twice.
  constraint waiting_offers_once unique (user_id, institute_id, starts_at)
);
create index waiting_offers_of_entry on waiting_offers (entry_id, offered_at desc);
create index waiting_offers_of_institute on waiting_offers (institute_id);
create index waiting_offers_of_visit on waiting_offers (appointment_id) where appointment_id is not null;

-- Time that fell free at an institute where somebody waits, until the list was gone through.
create table waiting_openings (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null
);
create index waiting_openings_of_institute on waiting_openings (institute_id);

-- As before, but for what is offered.
create or replace function hold_visits(p_institute uuid, p_version bigint, p_holds jsonb, p_patch jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb, until timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  v_asked record;
  v_hold record;
  v_version bigint;
  v_now timestamptz;
  v_fingerprint bytea;
  v_body jsonb;
  v_count integer;
  v_first timestamptz;
  v_overlaps boolean;
  v_outcomes text[] := '{}';
  v_bodies jsonb[] := '{}';
  v_untils timestamptz[] := '{}';
  v_seen uuid[] := '{}';
  v_held integer := 0;
begin
  perform pg_advisory_xact_lock(persons.k)
    from (select distinct person_lock(h."userId") as k from jsonb_to_recordset(p_holds) as h("userId" uuid) order by 1) persons;
  select v.version into v_version from diary_versions v where v.institute_id = p_institute for update;
  -- The release before keeps the index of free time alone by this lock.
  perform pg_advisory_xact_lock(hashtextextended(p_institute::text, 727));
  -- Waiting may have taken long: what has run out meanwhile has run out.
  v_now := p_now + (clock_timestamp() - statement_timestamp());

  for v_asked in select h.* from jsonb_to_recordset(p_holds)
      as h(id uuid, "userId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, "expiresAt" timestamptz, most integer, key text, fingerprint text) loop
    if v_asked.key is not null then
      select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = v_asked."userId" and k.key = v_asked.key;
      if found then
        v_outcomes := v_outcomes || case when v_body is not null and v_fingerprint = decode(v_asked.fingerprint, 'hex') then 'answered' else 'other_request' end;
        v_bodies := v_bodies || v_body;
        v_untils := v_untils || null::timestamptz;
        continue;
      end if;
    end if;
    -- No visit lasts for two days.
    select count(*) filter (where a.status = 'held' and not a.is_offer and a.expires_at > v_now), min(a.expires_at) filter (where a.status = 'held' and not a.is_offer and a.expires_at > v_now),
        coalesce(bool_or(a.status not in ('held', 'cancelled') and a.starts_at < v_asked."endsAt" and a.ends_at > v_asked."startsAt"), false)
      into v_count, v_first, v_overlaps from appointments a where a.user_id = v_asked."userId" and a.starts_at > v_now - interval '2 days';
    v_count := v_count + cardinality(array_positions(v_seen, v_asked."userId"));
    if v_count >= v_asked.most then
      v_outcomes := v_outcomes || 'too_many'::text;
      v_untils := v_untils || coalesce(v_first, v_asked."expiresAt");
      v_bodies := v_bodies || null::jsonb;
      continue;
    end if;
    v_outcomes := v_outcomes || 'held'::text;
    v_untils := v_untils || null::timestamptz;
    v_bodies := v_bodies || case when v_overlaps then
      jsonb_build_object('overlapsWith', overlapping_visit(v_asked."userId", v_asked.id, v_asked."startsAt", v_asked."endsAt")) end;
    v_seen := v_seen || v_asked."userId";
    v_held := v_held + 1;
  end loop;

  if v_version is distinct from p_version then
    return query select case when o = 'held' then 'stale' else o end, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
    return;
  end if;
  if v_held < cardinality(v_outcomes) then
    return query select case when o = 'held' then 'again' else o end, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
    return;
  end if;
  if p_patch is not null and not patch_free_time(p_institute, p_patch) then
    return query select 'stale'::text, null::jsonb, null::timestamptz from unnest(v_outcomes);
    return;
  end if;

  perform set_config('soigne.unit', 'on', true);
  v_held := 0;
  for v_hold in select h.* from jsonb_to_recordset(p_holds)
      as h(id uuid, "userId" uuid, reference text, "startsAt" timestamptz, "endsAt" timestamptz, "timeZone" text, cart jsonb, "totalAmount" integer, currency text, terms jsonb,
        "expiresAt" timestamptz, segments jsonb, occupations jsonb, key text, fingerprint text, body jsonb) loop
    v_held := v_held + 1;
    if v_bodies[v_held] is not null then
      v_bodies[v_held] := v_hold.body || v_bodies[v_held];
    end if;
    if v_hold.key is not null then
      insert into idempotency_keys (user_id, key, fingerprint, status, body)
        values (v_hold."userId", v_hold.key, decode(v_hold.fingerprint, 'hex'), 201, coalesce(v_bodies[v_held], v_hold.body)) on conflict do nothing;
      if not found then raise exception 'a key was taken by another request at the same moment' using errcode = '40001'; end if;
    end if;
    insert into appointments (id, institute_id, user_id, reference, status, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at)
      values (v_hold.id, p_institute, v_hold."userId", v_hold.reference, 'held', 'held', 'none', v_hold."startsAt", v_hold."endsAt", v_hold."timeZone", v_hold.cart, v_hold."totalAmount",
        v_hold.currency, v_hold.terms, v_hold."expiresAt", v_hold."startsAt", p_now);
    insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
      select v_hold.id, p_institute, s.position, s."serviceId", s."memberId", s."resourceId", s."startsAt", s."endsAt", s.snapshot, s."priceAmount"
      from jsonb_to_recordset(v_hold.segments) as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" integer);
    insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
      select p_institute, v_hold.id, o.kind, o."subjectId", tstzrange(o."from", o."to"), v_hold."expiresAt"
      from jsonb_to_recordset(v_hold.occupations) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz);
    insert into events (kind, institute_id, subject_id, actor, payload, at)
      values ('visit.held', p_institute, v_hold.id, jsonb_build_object('kind', 'client', 'userId', v_hold."userId"),
        jsonb_build_object('userId', v_hold."userId", 'startsAt', v_hold.body -> 'startsAt', 'endsAt', v_hold.body -> 'endsAt', 'expiresAt', v_hold.body -> 'expiresAt'), p_now);
  end loop;
  update diary_versions v set version = v.version + 1 where v.institute_id = p_institute;
  return query select o, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
end $$;
