-- expand
-- What is written for many at once was planned anew each time: a plan for these very values looked cheaper than one for any, and making it costs more than it saves.
-- All of it is looked up by keys, so that one plan is as good as the other.
alter function hold_planned_visits(jsonb, boolean) set plan_cache_mode = force_generic_plan;
alter function confirm_unpaid_holds(jsonb) set plan_cache_mode = force_generic_plan;

-- As in 0429; whether anything is paid first is worked out only where a rule could ask for it: of the institute, of a service of the visit or of its client.
create or replace function hold_to_confirm(p_id uuid, p_user uuid, p_key text, p_fingerprint bytea, p_now timestamptz, p_needs_account boolean, p_waits boolean,
    out refused text, out answer jsonb, out institute uuid, out starts timestamptz, out ends timestamptz, out at timestamptz, out more jsonb)
  language plpgsql as $$
#variable_conflict use_column
declare
  v_visit record;
  v_fingerprint bytea;
begin
  if not p_waits then
    perform from appointments a where a.id = p_id and a.user_id = p_user for update skip locked;
    if not found and exists (select from appointments a where a.id = p_id and a.user_id = p_user) then refused := 'alone'; return; end if;
  end if;
  select a.institute_id, a.status, a.payment, a.starts_at, a.ends_at, a.expires_at, a.total_amount,
      cardinality(i.payment_methods) > 0 and (not i.pay_at_salon or i.deposit_kind <> 'none' or i.prepay_no_shows is not null or i.late_fee_kind <> 'none' or i.no_show_fee_kind <> 'none'
        or exists (select from segments g join services s on s.id = g.service_id where g.appointment_id = a.id and s.deposit_kind is not null)
        or exists (select from customers c where c.institute_id = a.institute_id and c.user_id = p_user and c.pays_first is not null)) as may_ask
    into v_visit from appointments a join institutes i on i.id = a.institute_id where a.id = p_id and a.user_id = p_user for update of a;
  at := p_now + (clock_timestamp() - statement_timestamp());
  if p_key is not null then
    select k.fingerprint, k.body into v_fingerprint, answer from idempotency_keys k where k.user_id = p_user and k.key = p_key;
    if found then
      refused := case when answer is not null and v_fingerprint = p_fingerprint then 'answered' else 'other_request' end;
      return;
    end if;
  end if;
  if v_visit.status is null then refused := 'not_found'; return; end if;
  if v_visit.status <> 'held' or v_visit.payment = 'awaiting' then refused := 'wrong_state'; return; end if;
  -- Time held before the institute blocked its client is theirs no more.
  if v_visit.expires_at <= at or is_blocked_at(v_visit.institute_id, p_user) then refused := 'hold_expired'; return; end if;
  if v_visit.may_ask and takes_online(v_visit.institute_id, p_needs_account) and (paid_first_of_visit(p_id) > 0 or fee_first(v_visit.institute_id, v_visit.total_amount) > 0) then
    refused := 'payment_needed';
    return;
  end if;
  institute := v_visit.institute_id;
  starts := v_visit.starts_at;
  ends := v_visit.ends_at;
  if exists (select from appointments o where o.user_id = p_user and o.id <> p_id and o.status not in ('held', 'cancelled')
      and o.starts_at > at - interval '2 days' and o.starts_at < v_visit.ends_at and o.ends_at > v_visit.starts_at) then
    more := jsonb_build_object('overlapsWith', overlapping_visit(p_user, p_id, v_visit.starts_at, v_visit.ends_at));
  end if;
end $$;
