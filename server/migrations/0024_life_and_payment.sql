-- expand
-- The life of a visit and its payment are two things. `status`, which mixes both, stays for the release before until a contract takes it away:
-- a trigger keeps the two sides the same, whoever of them is written. Holding and confirming in SQL (0014, 0016) write `status`, and so both.

alter table appointments
  add column life text,
  add column payment text;
alter table appointments
  add constraint appointments_life check (life in ('held', 'booked', 'cancelled')) not valid,
  -- awaiting: its checkout is open; failed: the last one came to nothing
  add constraint appointments_payment check (payment in ('none', 'awaiting', 'failed', 'deposit_paid', 'paid', 'refunded')) not valid,
  add constraint appointments_life_and_payment check ((life is null) = (payment is null)
    and (life <> 'held' or payment in ('none', 'awaiting', 'failed')) and (payment <> 'refunded' or life = 'cancelled')) not valid;

-- The one word for both.
create function status_of_visit(p_life text, p_payment text) returns text language sql immutable parallel safe as $$
  select case when p_life <> 'booked' then p_life when p_payment = 'deposit_paid' then 'deposit_paid' when p_payment = 'paid' then 'completed' else 'pending' end
$$;

create function life_of_status(p_status text) returns text language sql immutable parallel safe as $$
  select case when p_status in ('held', 'cancelled') then p_status else 'booked' end
$$;

-- `p_before` is what was known of the payment; the word alone does not say what had been paid of a cancelled visit.
create function payment_of_status(p_status text, p_before text) returns text language sql immutable parallel safe as $$
  select case p_status when 'deposit_paid' then 'deposit_paid' when 'completed' then 'paid' when 'cancelled' then coalesce(p_before, 'none')
    else case when p_before in ('awaiting', 'failed') then p_before else 'none' end end
$$;

-- Rows of before get their two words with the first change of either side, or from the fill.
create function keep_status_of_visit() returns trigger language plpgsql as $$
declare
  v_by_status boolean;
  v_before text;
begin
  if tg_op = 'INSERT' then
    v_by_status := new.life is null;
  else
    v_before := coalesce(old.payment, payment_of_status(old.status, null));
    v_by_status := new.life is not distinct from old.life and new.payment is not distinct from old.payment;
  end if;
  if v_by_status then
    if tg_op = 'INSERT' or new.life is null or new.status is distinct from old.status then
      new.life := life_of_status(new.status);
      new.payment := payment_of_status(new.status, v_before);
    end if;
  else
    new.payment := coalesce(new.payment, v_before, 'none');
    new.life := coalesce(new.life, life_of_status(old.status));
    new.status := status_of_visit(new.life, new.payment);
  end if;
  return new;
end $$;
create trigger appointments_status before insert or update of status, life, payment on appointments for each row execute function keep_status_of_visit();
