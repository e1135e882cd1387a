-- expand
-- Addresses an institute's page had before: they lead to it for good and are given to nobody else.
create table former_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  institute_id uuid not null references institutes on delete cascade,
  given_up_at timestamptz not null default now()
);
create index former_slugs_institute on former_slugs (institute_id);
