-- expand
-- Cards move dinars in hundredths, though their prices have thousandths: what is asked for by a rule is a whole number of these steps.
create function money_step(p_currency text) returns integer immutable parallel safe language sql as $$
  select case when p_currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 10 else 1 end
$$;
-- What a rule makes of a price: a part of it to the nearest step, half a step up; a fixed amount to the step below. Never more than the price.
create function part_of(p_kind text, p_amount integer, p_percent integer, p_total integer, p_currency text) returns integer immutable parallel safe language sql as $$
  select least(case p_kind when 'fixed' then p_amount / s * s
      when 'percent' then ((2 * p_total::bigint * p_percent + 100 * s) / (200 * s) * s)::integer else 0 end, p_total / s * s)
    from money_step(p_currency) s
$$;

create or replace function deposit_of(p_institute uuid, p_total integer) returns integer stable language sql as $$
  select case when p_total <= 0 or cardinality(i.payment_methods) = 0 then 0
      else part_of(i.deposit_kind, i.deposit_amount, i.deposit_percent, p_total, i.currency) end
    from institutes i where i.id = p_institute
$$;
create or replace function paid_first(p_institute uuid, p_total integer) returns integer stable language sql as $$
  select case when i.pay_at_salon or p_total <= 0 or cardinality(i.payment_methods) = 0 then deposit_of(p_institute, p_total)
      else p_total / money_step(i.currency) * money_step(i.currency) end
    from institutes i where i.id = p_institute
$$;
create or replace function fees_of(p_institute uuid, p_total integer) returns table (late integer, no_show integer, grace_minutes integer) stable language sql as $$
  select case when p_total > 0 and 'card' = any(i.payment_methods) then part_of(i.late_fee_kind, i.late_fee_amount, i.late_fee_percent, p_total, i.currency) else 0 end,
      case when p_total > 0 and 'card' = any(i.payment_methods) then part_of(i.no_show_fee_kind, i.no_show_fee_amount, i.no_show_fee_percent, p_total, i.currency) else 0 end,
      i.fee_grace_minutes
    from institutes i where i.id = p_institute
$$;
