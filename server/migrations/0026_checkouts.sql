-- expand
-- A hold that waits for its checkout: while somebody pays, it keeps its time for longer than ten minutes.

create table checkouts (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes,
  -- The hold, and the visit that becomes of it; one checkout each. A hold that came to nothing is forgotten after a day, money that arrives for it is not.
  appointment_id uuid not null unique,
  user_id uuid references users on delete set null,
  amount integer not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- what the visit is once this is paid
  payment text not null check (payment in ('deposit_paid', 'paid')),
  payment_method text not null check (payment_method in ('card', 'paypal', 'klarna')),
  note text check (length(note) <= 500),
  -- refund_due: paid when its time had gone to somebody else
  state text not null default 'open' check (state in ('open', 'paid', 'cancelled', 'failed', 'expired', 'refund_due')),
  -- how whoever took the money calls the payment
  reference text,
  held_at timestamptz not null,
  -- until when the hold waits
  until timestamptz not null,
  -- what the visit takes: [{ kind, subjectId, from, to }], so that money that arrives late can have the same time again
  taken jsonb not null check (jsonb_typeof(taken) = 'array'),
  begun_at timestamptz not null,
  ended_at timestamptz,
  constraint checkouts_limited check (until <= held_at + interval '45 minutes'),
  check ((state = 'open') = (ended_at is null)),
  check ((state in ('paid', 'refund_due')) = (reference is not null))
);
create index checkouts_of_institute on checkouts (institute_id, begun_at);
create index checkouts_of_user on checkouts (user_id) where user_id is not null;

-- Confirming without a payment; a hold whose checkout is open waits for it.
create function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb) language plpgsql as $$
declare
  v_payment text;
begin
  -- Its lock first: a checkout that is being opened has it, and is seen only after it.
  select case when a.expires_at is not null then a.payment end into v_payment from appointments a where a.id = p_id and a.user_id = p_user for update;
  if v_payment = 'awaiting' and not exists (select from idempotency_keys k where k.user_id = p_user and k.key = p_key) then
    return query select 'wrong_state'::text, null::jsonb;
  else
    return query select h.outcome, h.body from confirm_hold(p_id, p_user, p_status, p_payment_method, p_note, p_key, p_fingerprint, p_body, p_now) h;
  end if;
end $$;

-- Takes the time of a hold again that has let it go. False when it is not free any more; the wall decides, and what stands beside it counts as taken.
create function take_time_again(p_checkout uuid, p_until timestamptz) returns boolean language plpgsql as $$
declare
  v_checkout checkouts%rowtype;
begin
  select * into strict v_checkout from checkouts where id = p_checkout;
  if jsonb_array_length(v_checkout.taken) = 0 or exists (
    select from jsonb_to_recordset(v_checkout.taken) as t("subjectId" uuid, "from" timestamptz, "to" timestamptz)
      join soft_occupations o on o.subject_id = t."subjectId" and o.during && tstzrange(t."from", t."to")) then
    return false;
  end if;
  update appointments set payment = 'awaiting', expires_at = p_until where id = v_checkout.appointment_id and expires_at is not null;
  if not found then return false; end if;
  insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
    select v_checkout.institute_id, v_checkout.appointment_id, t.kind, t."subjectId", tstzrange(t."from", t."to"), p_until
    from jsonb_to_recordset(v_checkout.taken) as t(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz);
  return true;
exception when exclusion_violation then
  return false;
end $$;
