-- expand
-- What the visits, sales and documents of a month come to, kept for months that are over, so that all time is not counted from every row.
create table monthly_totals (
  institute_id uuid not null references institutes on delete cascade,
  -- The first day of a month of UTC.
  month date not null check (extract(day from month) = 1),
  kind text not null check (kind in ('figures', 'sales')),
  -- Days and hours are those of this zone.
  time_zone text not null,
  -- Believed while it is that of month_versions.
  version int8 not null,
  totals jsonb not null,
  primary key (institute_id, month, kind)
);

-- Raised by whatever changes a month that may be kept. A transaction raises it once.
create table month_versions (
  institute_id uuid not null references institutes on delete cascade,
  month date not null,
  version int8 not null default 1,
  raised_by xid8 not null default pg_current_xact_id(),
  primary key (institute_id, month)
);

create function raise_months(institute uuid, instants timestamptz[]) returns void language sql as $$
  -- A month is kept three days after its end at the earliest: what happens now is in none, and bookings write nothing here.
  insert into month_versions (institute_id, month)
  select institute, m.month from (select distinct date_trunc('month', i.at at time zone 'utc')::date as month
      from unnest(instants) as i (at) where i.at < now() - interval '2 days') m
    where exists (select from institutes where id = institute) order by m.month
  on conflict (institute_id, month) do update set version = month_versions.version + 1, raised_by = pg_current_xact_id()
    where month_versions.raised_by <> pg_current_xact_id();
$$;

create function raise_months_of_visit() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform raise_months(old.institute_id, array[old.starts_at]); end if;
  if tg_op <> 'DELETE' then perform raise_months(new.institute_id, array[new.starts_at]); end if;
  return null;
end $$;
create trigger past_visit_inserted after insert on appointments for each row
  when (new.starts_at < now() - interval '2 days') execute function raise_months_of_visit();
create trigger past_visit_deleted after delete on appointments for each row
  when (old.starts_at < now() - interval '2 days') execute function raise_months_of_visit();
create trigger past_visit_changed after update of institute_id, starts_at, ends_at, life, status, attendance, payment, total_amount on appointments for each row
  when (least(old.starts_at, new.starts_at) < now() - interval '2 days') execute function raise_months_of_visit();

-- Parts of a visit count in the month of their visit.
create function raise_months_of_part() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform raise_months(a.institute_id, array[a.starts_at]) from appointments a where a.id = old.appointment_id; end if;
  if tg_op <> 'DELETE' then perform raise_months(a.institute_id, array[a.starts_at]) from appointments a where a.id = new.appointment_id; end if;
  return null;
end $$;
create trigger past_part_inserted after insert on segments for each row
  when (new.starts_at < now() - interval '2 days') execute function raise_months_of_part();
create trigger past_part_deleted after delete on segments for each row
  when (old.starts_at < now() - interval '2 days') execute function raise_months_of_part();
create trigger past_part_changed after update of appointment_id, service_id, price_amount, starts_at on segments for each row
  when (least(old.starts_at, new.starts_at) < now() - interval '2 days') execute function raise_months_of_part();

-- Money counts on its day, and in what is due of its visit. Payments, tips and documents are only ever added.
create function raise_months_of_sale() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then perform raise_months(old.institute_id, array[old.sold_at]); end if;
  perform raise_months(new.institute_id, array[new.sold_at, (select a.starts_at from appointments a where a.id = new.id)]);
  return null;
end $$;
create trigger month_of_sale after insert or update of sold_at on sales for each row execute function raise_months_of_sale();
create function raise_months_of_payment() returns trigger language plpgsql as $$
begin
  perform raise_months(new.institute_id, array[new.at, (select a.starts_at from appointments a where a.id = new.sale_id)]);
  return null;
end $$;
create trigger month_of_payment after insert on payments for each row execute function raise_months_of_payment();
create function raise_months_of_tip() returns trigger language plpgsql as $$
begin
  perform raise_months(new.institute_id, array[(select s.sold_at from sales s where s.id = new.sale_id)]);
  return null;
end $$;
create trigger month_of_tip after insert on tips for each row execute function raise_months_of_tip();
create function raise_months_of_document() returns trigger language plpgsql as $$
begin
  perform raise_months(new.institute_id, array[new.day::timestamp at time zone 'utc']);
  return null;
end $$;
create trigger month_of_document after insert on documents for each row execute function raise_months_of_document();
