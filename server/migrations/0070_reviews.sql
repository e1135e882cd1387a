-- expand
-- What clients say of a visit they kept: once each, four grades, perhaps words and pictures, and the institute's public answer.
create table reviews (
  id uuid primary key default uuidv7(),
  appointment_id uuid not null unique references appointments on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  -- null: the account is gone, or the visit was written in by the institute
  user_id uuid references users on delete set null,
  -- as it is shown, such as Camille R.; null when the account is gone
  author text check (length(author) between 1 and 90),
  language text not null check (language in ('en', 'fr', 'ar')),
  welcoming smallint not null check (welcoming between 1 and 5),
  hygiene smallint not null check (hygiene between 1 and 5),
  atmosphere smallint not null check (atmosphere between 1 and 5),
  service_quality smallint not null check (service_quality between 1 and 5),
  -- the mean of the four as a whole number, half up
  stars smallint not null generated always as ((welcoming + hygiene + atmosphere + service_quality + 2) / 4) stored,
  text text not null default '' check (length(text) <= 2000),
  -- hidden: an operator decided so; it counts no more
  state text not null default 'shown' check (state in ('shown', 'hidden')),
  reply text check (length(reply) between 1 and 2000),
  replied_at timestamptz,
  created_at timestamptz not null,
  check ((reply is null) = (replied_at is null))
);
create index reviews_newest on reviews (institute_id, created_at desc, id desc) where state = 'shown';
create index reviews_of_user on reviews (user_id) where user_id is not null;

create table review_pictures (
  review_id uuid not null references reviews on delete cascade,
  position smallint not null check (position between 0 and 9),
  institute_id uuid not null references institutes on delete cascade,
  key text not null unique,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  primary key (review_id, position)
);
create index review_pictures_of_institute on review_pictures (institute_id);

-- What somebody finds wrong with a review, and what an operator decided.
create table review_reports (
  id uuid primary key default uuidv7(),
  review_id uuid not null references reviews on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  user_id uuid references users on delete set null,
  -- the institute's own word against it
  is_contest boolean not null,
  reason text not null check (reason in ('insult', 'private', 'advertising', 'not_a_visit', 'other')),
  note text not null default '' check (length(note) <= 1000),
  created_at timestamptz not null,
  decision text check (decision in ('kept', 'hidden')),
  decided_at timestamptz,
  check ((decision is null) = (decided_at is null)),
  unique (review_id, user_id)
);
create index review_reports_open on review_reports (created_at) where decision is null;
create index review_reports_of_institute on review_reports (institute_id);
create index review_reports_of_user on review_reports (user_id) where user_id is not null;

-- Averages are counted anew from the rows under the lock of the institute: two who write at once are both counted, and nothing drifts.
create function keep_ratings() returns trigger language plpgsql as $$
begin
  -- Whoever seeds brings the figures with the rows.
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  perform from institutes i where i.id in (select c.institute_id from changed c) order by i.id for no key update;
  update institutes i set rating_count = r.count, average_welcoming = r.welcoming, average_hygiene = r.hygiene,
    average_atmosphere = r.atmosphere, average_service_quality = r.service_quality
  from (select c.institute_id, count(v.id)::int as count, round(avg(v.welcoming), 2) as welcoming, round(avg(v.hygiene), 2) as hygiene,
      round(avg(v.atmosphere), 2) as atmosphere, round(avg(v.service_quality), 2) as service_quality
    from (select distinct institute_id from changed) c left join reviews v on v.institute_id = c.institute_id and v.state = 'shown'
    group by c.institute_id) r
  where i.id = r.institute_id and (i.rating_count, i.average_welcoming, i.average_hygiene, i.average_atmosphere, i.average_service_quality)
    is distinct from (r.count, r.welcoming, r.hygiene, r.atmosphere, r.service_quality);
  return null;
end $$;
create trigger ratings_insert after insert on reviews referencing new table as changed for each statement execute function keep_ratings();
create trigger ratings_update after update on reviews referencing new table as changed for each statement execute function keep_ratings();
create trigger ratings_delete after delete on reviews referencing old table as changed for each statement execute function keep_ratings();

-- Of somebody who is gone the grades stay: no name, no words, no pictures.
create function forget_reviewer() returns trigger language plpgsql as $$
begin
  delete from review_pictures p where p.review_id = new.id;
  new.author := null;
  new.text := '';
  return new;
end $$;
create trigger reviewer_gone before update of user_id on reviews for each row
  when (old.user_id is not null and new.user_id is null) execute function forget_reviewer();
