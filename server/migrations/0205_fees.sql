-- expand
-- Fees of visits that are cancelled late or missed, and the cards they are charged to.

alter table institutes
  add column late_fee_kind text not null default 'none' check (late_fee_kind in ('none', 'fixed', 'percent')),
  add column late_fee_amount integer check (late_fee_amount > 0),
  add column late_fee_percent integer check (late_fee_percent between 1 and 100),
  add column no_show_fee_kind text not null default 'none' check (no_show_fee_kind in ('none', 'fixed', 'percent')),
  add column no_show_fee_amount integer check (no_show_fee_amount > 0),
  add column no_show_fee_percent integer check (no_show_fee_percent between 1 and 100),
  -- After the free window, and after the start, nothing is charged for so long.
  add column fee_grace_minutes integer not null default 15 check (fee_grace_minutes between 0 and 120);

-- Cards as their provider keeps them: here is what it calls them, and what is shown of them.
create table saved_cards (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('sandbox', 'stripe')),
  token text not null check (length(token) between 1 and 255),
  brand text not null check (length(brand) between 1 and 40),
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  kept_at timestamptz not null,
  removed_at timestamptz,
  unique (user_id, provider, token)
);

-- What a visit may cost whoever cancels it late or misses it, as it was agreed when it was booked.
create table fee_terms (
  appointment_id uuid primary key references appointments on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  late_amount integer not null check (late_amount >= 0),
  no_show_amount integer not null check (no_show_amount >= 0),
  grace_minutes integer not null check (grace_minutes >= 0),
  -- Null where what was paid is more, or its owner is gone.
  card_id uuid references saved_cards on delete set null
);
create index fee_terms_of_card on fee_terms (card_id) where card_id is not null;
create index fee_terms_of_institute on fee_terms (institute_id);

create table fees (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  appointment_id uuid not null,
  user_id uuid references users on delete set null,
  kind text not null check (kind in ('late_cancel', 'no_show')),
  amount integer not null check (amount > 0),
  currency text not null check (length(currency) = 3),
  -- asked: its client has to confirm it; unpaid: the card was declined; withdrawn: they came after all.
  state text not null default 'due' check (state in ('due', 'charging', 'charged', 'asked', 'unpaid', 'waived', 'withdrawn', 'given_back')),
  made_at timestamptz not null,
  -- Until then nothing is charged.
  due_at timestamptz not null,
  -- What it becomes instead of being charged: decided while the charge was under way.
  called_off text check (called_off in ('waived', 'withdrawn')),
  -- Why it was waived or given back, and by whom.
  reason text check (length(reason) between 1 and 300),
  decided_by jsonb,
  -- By which it was paid.
  checkout_id uuid references checkouts,
  ended_at timestamptz,
  foreign key (appointment_id, institute_id) references appointments (id, institute_id),
  check (state not in ('charged', 'given_back') or checkout_id is not null)
);
create unique index fees_of_visit on fees (appointment_id) where state <> 'withdrawn';
create index fees_of_institute on fees (institute_id, made_at);
create index fees_of_user on fees (user_id) where user_id is not null;
create index fees_due on fees (due_at) where state = 'due';

-- Money of fees that came, and went back below zero.
create table fee_payments (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  sale_id uuid not null,
  fee_id uuid not null references fees,
  checkout_id uuid not null references checkouts,
  amount integer not null check (amount <> 0),
  currency text not null check (length(currency) = 3),
  at timestamptz not null,
  day date not null,
  actor jsonb not null,
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index fee_payments_of_institute on fee_payments (institute_id, at);
create unique index fee_payments_once on fee_payments (fee_id) where amount > 0;
create unique index fee_payments_back_once on fee_payments (fee_id) where amount < 0;

alter table checkouts drop constraint checkouts_amount_check;
alter table checkouts drop constraint checkouts_payment_check;
alter table checkouts drop constraint checkouts_kind_check;
alter table checkouts
  -- Without an amount a card is kept and nothing is paid.
  add constraint checkouts_amount_check check (amount > 0 or (amount = 0 and keeps_card)) not valid,
  add constraint checkouts_payment_check check (payment in ('none', 'deposit_paid', 'paid')) not valid,
  -- charge: of a fee, without its client; fee: the same on a page.
  add constraint checkouts_kind_check check (kind in ('hold', 'rest', 'charge', 'fee')) not valid,
  add column keeps_card boolean not null default false,
  add column late_fee_amount integer not null default 0 check (late_fee_amount >= 0),
  add column no_show_fee_amount integer not null default 0 check (no_show_fee_amount >= 0),
  add column fee_grace_minutes integer not null default 0 check (fee_grace_minutes >= 0),
  add column fee_id uuid,
  -- Whoever sends a charge has it for themselves until then.
  add column claimed_until timestamptz;

alter table refunds drop constraint refunds_reason_check;
alter table refunds add constraint refunds_reason_check
  check (reason in ('late_payment', 'cancelled_by_client', 'cancelled_by_institute', 'credit_note', 'fee_waived')) not valid;

-- The sandbox keeps cards too, and charges them: a charge is a page that nobody saw.
alter table sandbox_pages drop constraint sandbox_pages_amount_check;
alter table sandbox_pages drop constraint sandbox_pages_state_check;
alter table sandbox_pages
  add constraint sandbox_pages_amount_check check (amount > 0 or (amount = 0 and keeps_card)) not valid,
  add constraint sandbox_pages_state_check check (state in ('open', 'paid', 'failed', 'cancelled', 'expired', 'asks')) not valid,
  add column keeps_card boolean not null default false,
  add column is_charge boolean not null default false,
  -- How the card that was kept answers when it is charged.
  add column card text check (card in ('good', 'asking', 'empty'));

create function fee_part(p_kind text, p_amount integer, p_percent integer, p_total integer) returns integer immutable parallel safe language sql as $$
  select case p_kind when 'fixed' then least(p_amount, p_total) when 'percent' then least((2 * p_total::bigint * p_percent + 100) / 200, p_total)::integer else 0 end
$$;
-- What an institute charges whoever cancels a visit of that price late, or misses it: a part of it is rounded once, and it is never more than the price.
create function fees_of(p_institute uuid, p_total integer) returns table (late integer, no_show integer, grace_minutes integer) stable language sql as $$
  select case when p_total > 0 and 'card' = any(i.payment_methods) then fee_part(i.late_fee_kind, i.late_fee_amount, i.late_fee_percent, p_total) else 0 end,
      case when p_total > 0 and 'card' = any(i.payment_methods) then fee_part(i.no_show_fee_kind, i.no_show_fee_amount, i.no_show_fee_percent, p_total) else 0 end,
      i.fee_grace_minutes
    from institutes i where i.id = p_institute
$$;
-- The greater of both: where it is more than what is paid first, a card is kept before a hold becomes a visit.
create function fee_first(p_institute uuid, p_total integer) returns integer stable language sql as $$
  select greatest(f.late, f.no_show) from fees_of(p_institute, p_total) f
$$;

-- Confirming without a payment; a hold whose checkout is open waits for it, and where something has to be paid first, or a card kept, it answers 'payment_needed'. Answers 'confirmed' with the body, or why not, as confirm_hold does, which checkouts and the release before use.
create or replace function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_visit record;
  v_now timestamptz;
  v_customer uuid;
  v_fingerprint bytea;
  v_body jsonb := p_body;
  v_session uuid;
  v_seat smallint;
begin
  -- Its lock first: a checkout that is being opened has it, and is seen only after it.
  select a.institute_id, a.status, a.payment, a.starts_at, a.ends_at, a.expires_at, a.total_amount into v_visit from appointments a where a.id = p_id and a.user_id = p_user for update;
  v_now := p_now + (clock_timestamp() - statement_timestamp());
  if p_key is not null then
    select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = p_user and k.key = p_key;
    if found then
      return query select case when v_body is not null and v_fingerprint = p_fingerprint then 'answered' else 'other_request' end, v_body;
      return;
    end if;
    v_body := p_body;
  end if;
  if v_visit.status is null then return query select 'not_found'::text, null::jsonb; return; end if;
  if v_visit.status <> 'held' or v_visit.payment = 'awaiting' then return query select 'wrong_state'::text, null::jsonb; return; end if;
  if v_visit.expires_at <= v_now then return query select 'hold_expired'::text, null::jsonb; return; end if;
  if paid_first(v_visit.institute_id, v_visit.total_amount) > 0 or fee_first(v_visit.institute_id, v_visit.total_amount) > 0 then return query select 'payment_needed'::text, null::jsonb; return; end if;
  update occupations o set expires_at = null where o.appointment_id = p_id;
  if not found then
    update session_seats s set expires_at = null where s.appointment_id = p_id returning s.session_id, s.seat into v_session, v_seat;
    if not found then return query select 'hold_expired'::text, null::jsonb; return; end if;
  end if;

  if exists (select from appointments o where o.user_id = p_user and o.id <> p_id and o.status not in ('held', 'cancelled')
      and o.starts_at > v_now - interval '2 days' and o.starts_at < v_visit.ends_at and o.ends_at > v_visit.starts_at) then
    v_body := v_body || jsonb_build_object('overlapsWith', overlapping_visit(p_user, p_id, v_visit.starts_at, v_visit.ends_at));
  end if;
  if p_key is not null then
    insert into idempotency_keys (user_id, key, fingerprint, status, body) values (p_user, p_key, p_fingerprint, 201, v_body) on conflict do nothing;
    if not found then raise exception 'a key was taken by another request at the same moment' using errcode = '40001'; end if;
  end if;
  select c.id into v_customer from customers c where c.institute_id = v_visit.institute_id and c.user_id = p_user;
  if v_customer is null then
    insert into customers (institute_id, user_id, first_name, last_name, email, phone, birthday)
      select v_visit.institute_id, u.id, u.first_name, u.last_name, u.email, u.phone, u.birthday from users u where u.id = p_user
      on conflict (institute_id, user_id) do nothing returning id into v_customer;
    if v_customer is null then
      select c.id into strict v_customer from customers c where c.institute_id = v_visit.institute_id and c.user_id = p_user;
    end if;
  end if;
  update appointments a set status = p_status, life = life_of_status(p_status), payment = payment_of_status(p_status, a.payment), expires_at = null, confirmed_at = v_now, customer_id = v_customer,
    payment_method = p_payment_method, note = p_note where a.id = p_id;
  insert into events (kind, institute_id, subject_id, actor, payload, at) values ('visit.booked', v_visit.institute_id, p_id,
    jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('userId', p_user, 'startsAt', v_visit.starts_at, 'endsAt', v_visit.ends_at), v_now);
  if v_session is not null then
    insert into events (kind, institute_id, subject_id, actor, payload, at) values ('seat.booked', v_visit.institute_id, v_session,
      jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('visitId', p_id, 'seat', v_seat), v_now);
  end if;
  return query select 'confirmed'::text, v_body;
end $$;
