-- The ground: accounts, institutes, services, team, time and booking.
-- What must never happen is a constraint here; the server translates the refusal.
create extension if not exists btree_gist;
create extension if not exists citext;
create extension if not exists cube;
create extension if not exists earthdistance;
create extension if not exists pg_trgm;

-- PostgreSQL 18 has uuidv7(); older ones get the same layout: 48 bits of milliseconds, version 7, random bits.
do $$
begin
  if not exists (select 1 from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.proname = 'uuidv7' and n.nspname in ('pg_catalog', 'public')) then
    create function uuidv7() returns uuid language sql volatile parallel safe as $body$
      select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
    $body$;
  end if;
end $$;

-- Accounts -----------------------------------------------------------------

create table users (
  id uuid primary key default uuidv7(),
  email citext not null unique check (length(email) between 3 and 254),
  password_hash text,
  role text not null check (role in ('isClient', 'isPro')),
  first_name text not null check (length(first_name) between 1 and 80),
  last_name text not null check (length(last_name) between 1 and 80),
  phone text,
  birthday date,
  locale text not null default 'en' check (locale in ('en', 'fr', 'ar')),
  image_key text,
  email_verified_at timestamptz,
  google_subject text unique,
  terms_accepted_at timestamptz not null,
  created_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on sessions (user_id);

create table email_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null,
  expires_at timestamptz not null,
  tries_left smallint not null check (tries_left between 0 and 5),
  resend_after timestamptz
);

create table password_resets (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on password_resets (user_id);

create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Institutes ---------------------------------------------------------------

create table institutes (
  id uuid primary key default uuidv7(),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  owner_id uuid unique references users,
  state text not null default 'draft' check (state in ('draft', 'published', 'suspended')),
  claimed boolean not null default true,
  name text not null check (length(name) between 1 and 120),
  description jsonb not null default '{}',
  categories text[] not null check (cardinality(categories) between 1 and 14
    and categories <@ array['barbering','massage','body','counseling','fillers','nails','skincare','fitness','eyebrows','tatto','medical','hair','hair-removal','makeup']),
  email text,
  phone text,
  website text,
  address_line text not null default '',
  quarter text,
  postal_code text,
  city text not null,
  country_code char(2) not null,
  lat float8 not null check (lat between -90 and 90),
  lon float8 not null check (lon between -180 and 180),
  time_zone text not null,
  currency char(3) not null,
  at_home boolean not null default false,
  at_home_radius_km integer check (at_home_radius_km between 1 and 200),
  audience text[] not null default '{All}' check (audience <@ array['All','Men','Woman','Kids'] and cardinality(audience) > 0),
  languages text[] not null default '{English}' check (languages <@ array['English','French','Arabic','Other'] and cardinality(languages) > 0),
  payment_methods text[] not null default '{card}' check (payment_methods <@ array['card','paypal','klarna']),
  pay_at_salon boolean not null default true,
  -- rules of booking
  grid_minutes smallint not null default 20 check (grid_minutes in (5, 10, 15, 20, 30, 60)),
  notice_minutes integer not null default 60 check (notice_minutes between 0 and 43200),
  horizon_days smallint not null default 90 check (horizon_days between 1 and 400),
  max_wait_minutes smallint not null default 0 check (max_wait_minutes between 0 and 240),
  gap_policy text not null default 'rank' check (gap_policy in ('off', 'rank', 'hide')),
  service_order text not null default 'given' check (service_order in ('given', 'best')),
  cancel_window_minutes integer check (cancel_window_minutes between 0 and 43200),
  reschedule_window_minutes integer check (reschedule_window_minutes between 0 and 43200),
  -- averages of reviews, kept by the database once reviews are written
  rating_count integer not null default 0 check (rating_count >= 0),
  average_welcoming numeric(3,2) check (average_welcoming between 1 and 5),
  average_hygiene numeric(3,2) check (average_hygiene between 1 and 5),
  average_atmosphere numeric(3,2) check (average_atmosphere between 1 and 5),
  average_service_quality numeric(3,2) check (average_service_quality between 1 and 5),
  search_text text not null default '',
  created_at timestamptz not null default now(),
  published_at timestamptz,
  check (state <> 'published' or published_at is not null),
  check (rating_count = 0 or (average_welcoming is not null and average_hygiene is not null and average_atmosphere is not null and average_service_quality is not null))
);
create index institutes_place on institutes using gist (ll_to_earth(lat, lon)) where state = 'published';
create index institutes_words on institutes using gin (search_text gin_trgm_ops) where state = 'published';
create index institutes_categories on institutes using gin (categories) where state = 'published';

create table institute_pictures (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  position smallint not null,
  -- a path served by this site: /files/… for real pictures, /art/… for cut paper
  url text not null check (url like '/%'),
  alt jsonb not null default '{}',
  unique (institute_id, position)
);

-- Wall times are minutes since local midnight; past 1440 is after midnight.
create table opening_hours (
  institute_id uuid not null references institutes on delete cascade,
  weekday smallint not null check (weekday between 1 and 7),
  opens_at smallint not null check (opens_at between 0 and 1439),
  closes_at smallint not null check (closes_at between 1 and 2880),
  check (closes_at > opens_at),
  primary key (institute_id, weekday, opens_at),
  constraint opening_hours_apart exclude using gist (institute_id with =, weekday with =, int4range(opens_at, closes_at) with &&)
);

create table closures (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  opens_at smallint check (opens_at between 0 and 1439),
  closes_at smallint check (closes_at between 1 and 2880),
  reason jsonb not null default '{}',
  check ((opens_at is null) = (closes_at is null)),
  check (opens_at is null or closes_at > opens_at)
);
create index on closures (institute_id, to_day);

create table services (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  position smallint not null default 0,
  category text not null check (category in ('barbering','massage','body','counseling','fillers','nails','skincare','fitness','eyebrows','tatto','medical','hair','hair-removal','makeup')),
  -- localised words { en, fr, ar }
  section jsonb not null default '{}',
  name jsonb not null,
  description jsonb not null default '{}',
  active_minutes smallint not null check (active_minutes between 5 and 720 and active_minutes % 5 = 0),
  idle_minutes smallint not null default 0 check (idle_minutes between 0 and 480 and idle_minutes % 5 = 0),
  active_after_minutes smallint not null default 0 check (active_after_minutes between 0 and 720 and active_after_minutes % 5 = 0),
  buffer_before_minutes smallint not null default 0 check (buffer_before_minutes between 0 and 240 and buffer_before_minutes % 5 = 0),
  buffer_after_minutes smallint not null default 0 check (buffer_after_minutes between 0 and 240 and buffer_after_minutes % 5 = 0),
  price_kind text not null default 'fixed' check (price_kind in ('fixed', 'from', 'on_request')),
  price_amount integer check (price_amount >= 0),
  audience text not null default 'All' check (audience in ('All','Men','Woman','Kids')),
  latest_start smallint check (latest_start between 0 and 1439),
  notice_minutes integer check (notice_minutes between 0 and 43200),
  minimum_age smallint check (minimum_age between 1 and 99),
  resource_type text,
  active boolean not null default true,
  unique (id, institute_id),
  check ((idle_minutes = 0) = (active_after_minutes = 0)),
  check ((price_kind = 'on_request') = (price_amount is null))
);
create index on services (institute_id);

-- e.g. a patch test at least 48 h and at most 6 months before
create table service_prerequisites (
  service_id uuid not null,
  institute_id uuid not null,
  required_service_id uuid not null,
  min_hours integer not null check (min_hours >= 0),
  max_months smallint not null check (max_months between 1 and 60),
  primary key (service_id, required_service_id),
  check (service_id <> required_service_id),
  foreign key (service_id, institute_id) references services (id, institute_id) on delete cascade,
  foreign key (required_service_id, institute_id) references services (id, institute_id) on delete cascade
);

create table team_members (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  user_id uuid references users,
  position smallint not null default 0,
  name text not null check (length(name) between 1 and 80),
  title jsonb not null default '{}',
  bio jsonb not null default '{}',
  languages text[] not null default '{English}' check (languages <@ array['English','French','Arabic','Other']),
  image_url text not null check (image_url like '/%'),
  bookable_online boolean not null default true,
  active boolean not null default true,
  unique (id, institute_id)
);
create index on team_members (institute_id);

create table member_services (
  member_id uuid not null,
  service_id uuid not null,
  institute_id uuid not null,
  -- own duration and price; all three parts or none
  active_minutes smallint check (active_minutes between 5 and 720 and active_minutes % 5 = 0),
  idle_minutes smallint check (idle_minutes between 0 and 480 and idle_minutes % 5 = 0),
  active_after_minutes smallint check (active_after_minutes between 0 and 720 and active_after_minutes % 5 = 0),
  price_amount integer check (price_amount >= 0),
  primary key (member_id, service_id),
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete cascade,
  foreign key (service_id, institute_id) references services (id, institute_id) on delete cascade,
  check (num_nulls(active_minutes, idle_minutes, active_after_minutes) in (0, 3)),
  check ((idle_minutes = 0) = (active_after_minutes = 0))
);
create index on member_services (service_id);

create table rotas (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  member_id uuid not null,
  weeks smallint not null default 1 check (weeks between 1 and 4),
  anchor_day date not null check (extract(isodow from anchor_day) = 1),
  valid_from date,
  valid_to date check (valid_to >= valid_from),
  unique (id, institute_id),
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete cascade,
  constraint rotas_apart exclude using gist (member_id with =, daterange(valid_from, valid_to, '[]') with &&)
);

create table rota_shifts (
  rota_id uuid not null,
  institute_id uuid not null,
  week smallint not null check (week between 1 and 4),
  weekday smallint not null check (weekday between 1 and 7),
  opens_at smallint not null check (opens_at between 0 and 1439),
  closes_at smallint not null check (closes_at between 1 and 2880),
  -- [{ "opensAt": 780, "closesAt": 840 }]
  breaks jsonb not null default '[]',
  check (closes_at > opens_at),
  primary key (rota_id, week, weekday, opens_at),
  foreign key (rota_id, institute_id) references rotas (id, institute_id) on delete cascade,
  constraint rota_shifts_apart exclude using gist (rota_id with =, week with =, weekday with =, int4range(opens_at, closes_at) with &&)
);

-- One day replaced: its shifts win over the rota; an empty list is a day off.
create table shift_overrides (
  member_id uuid not null,
  institute_id uuid not null,
  day date not null,
  shifts jsonb not null default '[]',
  primary key (member_id, day),
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete cascade
);

create table absences (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('on_holiday', 'sick_leave', 'other')),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  opens_at smallint check (opens_at between 0 and 1439),
  closes_at smallint check (closes_at between 1 and 2880),
  note text,
  check ((opens_at is null) = (closes_at is null)),
  check (opens_at is null or closes_at > opens_at),
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete cascade
);
create index on absences (member_id, to_day);

create table resources (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  type text not null check (length(type) between 1 and 60),
  name text not null check (length(name) between 1 and 80),
  position smallint not null default 0,
  active boolean not null default true,
  unique (id, institute_id)
);
create index on resources (institute_id);

create table resource_closures (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  resource_id uuid not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  foreign key (resource_id, institute_id) references resources (id, institute_id) on delete cascade
);
create index on resource_closures (resource_id, to_day);

-- Booking ------------------------------------------------------------------

-- What one institute knows of one person.
create table customers (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  user_id uuid references users on delete set null,
  first_name text not null,
  last_name text not null default '',
  email citext,
  phone text,
  birthday date,
  notes text not null default '',
  created_at timestamptz not null default now(),
  unique (id, institute_id),
  unique (institute_id, user_id)
);

create table appointments (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes,
  -- who booked online; null for a visit written in by the institute
  user_id uuid references users on delete set null,
  customer_id uuid,
  reference text not null unique check (reference ~ '^[A-Z2-9]{4}-[A-Z2-9]{3}$'),
  status text not null check (status in ('held', 'pending', 'deposit_paid', 'completed', 'cancelled')),
  attendance text not null default 'expected' check (attendance in ('expected', 'arrived', 'in_service', 'done', 'no_show')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  time_zone text not null,
  -- the wishes of the cart in order: [{ serviceId, staffId? }], kept for moving the visit
  cart jsonb not null,
  total_amount integer not null check (total_amount >= 0),
  currency char(3) not null,
  terms jsonb not null,
  payment_method text check (payment_method in ('card', 'paypal', 'klarna')),
  note text check (length(note) <= 500),
  expires_at timestamptz,
  hold_extended boolean not null default false,
  cancelled_at timestamptz,
  cancelled_by text check (cancelled_by in ('client', 'institute', 'system')),
  cancel_reason text,
  moved_count smallint not null default 0,
  -- the first start ever agreed: a late move does not open the free window again
  first_starts_at timestamptz not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  unique (id, institute_id),
  foreign key (customer_id, institute_id) references customers (id, institute_id),
  check (ends_at > starts_at),
  check ((status = 'held') = (expires_at is not null)),
  check (status = 'held' or confirmed_at is not null),
  check (status = 'held' or customer_id is not null),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_at is null) = (cancelled_by is null))
);
create index appointments_of_user on appointments (user_id, starts_at desc);
create index appointments_of_institute on appointments (institute_id, starts_at);
create index appointments_holds on appointments (expires_at) where status = 'held';

create table segments (
  id uuid primary key default uuidv7(),
  appointment_id uuid not null,
  institute_id uuid not null,
  position smallint not null,
  service_id uuid not null,
  member_id uuid not null,
  resource_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  -- as agreed: { name: {en, fr, ar}, activeMinutes, idleMinutes, activeAfterMinutes, priceKind }
  snapshot jsonb not null,
  price_amount integer check (price_amount >= 0),
  unique (appointment_id, position),
  foreign key (appointment_id, institute_id) references appointments (id, institute_id) on delete cascade,
  foreign key (service_id, institute_id) references services (id, institute_id),
  foreign key (member_id, institute_id) references team_members (id, institute_id),
  foreign key (resource_id, institute_id) references resources (id, institute_id)
);
create index on segments (member_id, starts_at);

-- What a visit takes: per member the active parts with buffers, per resource the whole span with buffers.
-- Two rows of one subject never overlap: this is the last wall against double booking.
create table occupations (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  appointment_id uuid not null,
  subject_kind text not null check (subject_kind in ('member', 'resource')),
  subject_id uuid not null,
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  -- a hold's end; after it the row counts as free and the next booking sweeps it away
  expires_at timestamptz,
  foreign key (appointment_id, institute_id) references appointments (id, institute_id) on delete cascade,
  constraint occupations_apart exclude using gist (subject_id with =, during with &&)
);
create index occupations_of_appointment on occupations (appointment_id);
create index occupations_of_institute on occupations using gist (institute_id, during);
create index occupations_expiring on occupations (expires_at) where expires_at is not null;

create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null check (length(key) between 1 and 200),
  fingerprint bytea not null,
  -- null while the first request runs
  status smallint,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

-- Mail: written in the transaction of the fact, sent by a job.
create table mails (
  id uuid primary key default uuidv7(),
  -- one mail for one fact, never twice
  dedupe_key text not null unique,
  kind text not null,
  recipient text not null,
  subject text not null,
  html text not null,
  body text not null,
  attachments jsonb not null default '[]',
  user_id uuid references users on delete cascade,
  appointment_id uuid,
  institute_id uuid,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text
);
create index on mails (recipient, created_at desc);

-- Places -------------------------------------------------------------------

create table places (
  geoname_id integer primary key,
  name text not null,
  name_fr text,
  name_ar text,
  region text,
  country_code char(2) not null,
  lat float8 not null,
  lon float8 not null,
  population integer not null,
  time_zone text not null,
  -- folded names in all scripts, each between bars: |lyon|lyons|ليون|
  search text not null
);
create index places_words on places using gin (search gin_trgm_ops);
create index places_point on places using gist (ll_to_earth(lat, lon));
