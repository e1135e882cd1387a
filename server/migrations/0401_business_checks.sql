-- expand
-- The check of a business: what the owner of an institute sent of it, and what an operator made of it. What was accepted stands until another is.
create table business_checks (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  -- Of nobody once their account is gone.
  sent_by uuid references users on delete set null,
  -- Where the institute was then: it says what the number is.
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  legal_name text not null check (length(legal_name) between 1 and 120),
  registration_number text not null check (length(registration_number) between 1 and 40),
  vat_number text check (length(vat_number) between 1 and 40),
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  sent_at timestamptz not null,
  decided_at timestamptz,
  -- Why it was refused, in the operator's words.
  reason text check (length(reason) between 1 and 600),
  unique (id, institute_id),
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'refused') = (reason is not null))
);
create unique index business_checks_accepted on business_checks (institute_id) where state = 'accepted';
create unique index business_checks_open on business_checks (institute_id) where state <> 'accepted';
create index business_checks_waiting on business_checks (sent_at) where state = 'waiting';
create index business_checks_of_sender on business_checks (sent_by) where sent_by is not null;

create table business_check_documents (
  check_id uuid not null,
  position smallint not null check (position between 0 and 4),
  institute_id uuid not null references institutes on delete cascade,
  file_key text not null,
  kind text not null check (kind in ('image', 'document')),
  -- What its sender called it.
  name text not null check (length(name) between 1 and 120),
  primary key (check_id, position),
  foreign key (check_id, institute_id) references business_checks (id, institute_id) on delete cascade
);
create index business_check_documents_of_institute on business_check_documents (institute_id);
