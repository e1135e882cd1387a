-- expand
-- Customer records: how they are found, what an institute keeps of a person, who may open what is restricted, and records that turn out to be one person.

-- How numbers of a country are dialled: from abroad, and at home (null: as they are).
create table phone_rules (
  country_code text primary key check (country_code ~ '^[A-Z]{2}$'),
  calling_code text not null check (calling_code ~ '^[1-9][0-9]{0,2}$'),
  national_prefix text check (national_prefix ~ '^[0-9]{1,2}$')
);
insert into phone_rules (country_code, calling_code, national_prefix) values
  ('AC', '247', null), ('AD', '376', null), ('AE', '971', '0'), ('AF', '93', '0'), ('AG', '1', '1'), ('AI', '1', '1'), ('AL', '355', '0'),
  ('AM', '374', '0'), ('AO', '244', null), ('AR', '54', '0'), ('AS', '1', '1'), ('AT', '43', '0'), ('AU', '61', '0'), ('AW', '297', null),
  ('AX', '358', '0'), ('AZ', '994', '0'), ('BA', '387', '0'), ('BB', '1', '1'), ('BD', '880', '0'), ('BE', '32', '0'), ('BF', '226', null),
  ('BG', '359', '0'), ('BH', '973', null), ('BI', '257', null), ('BJ', '229', null), ('BL', '590', '0'), ('BM', '1', '1'), ('BN', '673', null),
  ('BO', '591', '0'), ('BQ', '599', null), ('BR', '55', '0'), ('BS', '1', '1'), ('BT', '975', null), ('BW', '267', null), ('BY', '375', '8'),
  ('BZ', '501', null), ('CA', '1', '1'), ('CC', '61', '0'), ('CD', '243', '0'), ('CF', '236', null), ('CG', '242', null), ('CH', '41', '0'),
  ('CI', '225', null), ('CK', '682', null), ('CL', '56', null), ('CM', '237', null), ('CN', '86', '0'), ('CO', '57', '0'), ('CR', '506', null),
  ('CU', '53', '0'), ('CV', '238', null), ('CW', '599', null), ('CX', '61', '0'), ('CY', '357', null), ('CZ', '420', null), ('DE', '49', '0'),
  ('DJ', '253', null), ('DK', '45', null), ('DM', '1', '1'), ('DO', '1', '1'), ('DZ', '213', '0'), ('EC', '593', '0'), ('EE', '372', null),
  ('EG', '20', '0'), ('EH', '212', '0'), ('ER', '291', '0'), ('ES', '34', null), ('ET', '251', '0'), ('FI', '358', '0'), ('FJ', '679', null),
  ('FK', '500', null), ('FM', '691', null), ('FO', '298', null), ('FR', '33', '0'), ('GA', '241', null), ('GB', '44', '0'), ('GD', '1', '1'),
  ('GE', '995', '0'), ('GF', '594', '0'), ('GG', '44', '0'), ('GH', '233', '0'), ('GI', '350', null), ('GL', '299', null), ('GM', '220', null),
  ('GN', '224', null), ('GP', '590', '0'), ('GQ', '240', null), ('GR', '30', null), ('GT', '502', null), ('GU', '1', '1'), ('GW', '245', null),
  ('GY', '592', null), ('HK', '852', null), ('HN', '504', null), ('HR', '385', '0'), ('HT', '509', null), ('HU', '36', '06'), ('ID', '62', '0'),
  ('IE', '353', '0'), ('IL', '972', '0'), ('IM', '44', '0'), ('IN', '91', '0'), ('IO', '246', null), ('IQ', '964', '0'), ('IR', '98', '0'),
  ('IS', '354', null), ('IT', '39', null), ('JE', '44', '0'), ('JM', '1', '1'), ('JO', '962', '0'), ('JP', '81', '0'), ('KE', '254', '0'),
  ('KG', '996', '0'), ('KH', '855', '0'), ('KI', '686', '0'), ('KM', '269', null), ('KN', '1', '1'), ('KP', '850', '0'), ('KR', '82', '0'),
  ('KW', '965', null), ('KY', '1', '1'), ('KZ', '7', '8'), ('LA', '856', '0'), ('LB', '961', '0'), ('LC', '1', '1'), ('LI', '423', '0'),
  ('LK', '94', '0'), ('LR', '231', '0'), ('LS', '266', null), ('LT', '370', '0'), ('LU', '352', null), ('LV', '371', null), ('LY', '218', '0'),
  ('MA', '212', '0'), ('MC', '377', '0'), ('MD', '373', '0'), ('ME', '382', '0'), ('MF', '590', '0'), ('MG', '261', '0'), ('MH', '692', '1'),
  ('MK', '389', '0'), ('ML', '223', null), ('MM', '95', '0'), ('MN', '976', '0'), ('MO', '853', null), ('MP', '1', '1'), ('MQ', '596', '0'),
  ('MR', '222', null), ('MS', '1', '1'), ('MT', '356', null), ('MU', '230', null), ('MV', '960', null), ('MW', '265', '0'), ('MX', '52', null),
  ('MY', '60', '0'), ('MZ', '258', null), ('NA', '264', '0'), ('NC', '687', null), ('NE', '227', null), ('NF', '672', null), ('NG', '234', '0'),
  ('NI', '505', null), ('NL', '31', '0'), ('NO', '47', null), ('NP', '977', '0'), ('NR', '674', null), ('NU', '683', null), ('NZ', '64', '0'),
  ('OM', '968', null), ('PA', '507', null), ('PE', '51', '0'), ('PF', '689', null), ('PG', '675', null), ('PH', '63', '0'), ('PK', '92', '0'),
  ('PL', '48', null), ('PM', '508', '0'), ('PR', '1', '1'), ('PS', '970', '0'), ('PT', '351', null), ('PW', '680', null), ('PY', '595', '0'),
  ('QA', '974', null), ('RE', '262', '0'), ('RO', '40', '0'), ('RS', '381', '0'), ('RU', '7', '8'), ('RW', '250', '0'), ('SA', '966', '0'),
  ('SB', '677', null), ('SC', '248', null), ('SD', '249', '0'), ('SE', '46', '0'), ('SG', '65', null), ('SH', '290', null), ('SI', '386', '0'),
  ('SJ', '47', null), ('SK', '421', '0'), ('SL', '232', '0'), ('SM', '378', null), ('SN', '221', null), ('SO', '252', '0'), ('SR', '597', null),
  ('SS', '211', '0'), ('ST', '239', null), ('SV', '503', null), ('SX', '1', '1'), ('SY', '963', '0'), ('SZ', '268', null), ('TA', '290', null),
  ('TC', '1', '1'), ('TD', '235', null), ('TG', '228', null), ('TH', '66', '0'), ('TJ', '992', null), ('TK', '690', null), ('TL', '670', null),
  ('TM', '993', '8'), ('TN', '216', null), ('TO', '676', null), ('TR', '90', '0'), ('TT', '1', '1'), ('TV', '688', null), ('TW', '886', '0'),
  ('TZ', '255', '0'), ('UA', '380', '0'), ('UG', '256', '0'), ('US', '1', '1'), ('UY', '598', '0'), ('UZ', '998', null), ('VA', '39', null),
  ('VC', '1', '1'), ('VE', '58', '0'), ('VG', '1', '1'), ('VI', '1', '1'), ('VN', '84', '0'), ('VU', '678', null), ('WF', '681', null),
  ('WS', '685', null), ('XK', '383', '0'), ('YE', '967', '0'), ('YT', '262', '0'), ('ZA', '27', '0'), ('ZM', '260', '0'), ('ZW', '263', '0');

-- One number for each way of writing it: 06 12…, 0033 6 12… and +33 (0)6 12… are 336 12…. Null where there are too few digits to tell people apart.
create function phone_key(p_phone text, p_country text) returns text language sql stable strict parallel safe as $$
  select case when length(found.national) < 5 then null else found.calling || found.national end
  from (
    select coalesce(r.calling_code, '') as calling,
      case when r.national_prefix is not null and (not number.is_abroad or r.national_prefix = '0') and starts_with(written.digits, r.national_prefix) and length(written.digits) - length(r.national_prefix) >= 5
        then substr(written.digits, length(r.national_prefix) + 1) else written.digits end as national
    from (select typed.digits as all_digits, typed.is_abroad from (
        select case when p_phone ~ '^\s*\+' then regexp_replace(p_phone, '[^0-9]', '', 'g') else regexp_replace(regexp_replace(p_phone, '[^0-9]', '', 'g'), '^00', '') end as digits,
          p_phone ~ '^\s*(\+|00)' as is_abroad) typed) number
    left join lateral (select x.calling_code, x.national_prefix from phone_rules x
      where case when number.is_abroad then starts_with(number.all_digits, x.calling_code) else x.country_code = p_country end
      order by length(x.calling_code) desc, x.country_code = p_country desc, x.national_prefix is null, x.country_code limit 1) r on true
    cross join lateral (select case when number.is_abroad then substr(number.all_digits, length(coalesce(r.calling_code, '')) + 1) else number.all_digits end as digits) written
  ) found
$$;

alter table customers add column locale text check (locale in ('en', 'fr', 'ar'));
alter table customers add column tags text[] not null default '{}' check (cardinality(tags) <= 20);
-- The one thing to know before this person comes; never of their health.
alter table customers add column alert text check (length(alert) <= 160);
alter table customers add column noted_by uuid;
alter table customers add constraint customers_noted_by_fkey foreign key (noted_by) references users on delete set null not valid;
alter table customers add column noted_at timestamptz;
alter table customers add column blocked_at timestamptz;
-- It turned out to be the same person as another record, which has everything of it.
alter table customers add column merged_into uuid;
alter table customers add column phone_key text;
-- The name as it is searched by.
alter table customers add column words text;

create function customer_keys() returns trigger language plpgsql as $$
begin
  new.words := fold_name(new.first_name || ' ' || new.last_name);
  new.phone_key := phone_key(new.phone, (select i.country_code from institutes i where i.id = new.institute_id));
  return new;
end $$;
create trigger customers_keys before insert or update of first_name, last_name, phone on customers for each row execute function customer_keys();

create table customer_health (
  customer_id uuid primary key,
  institute_id uuid not null,
  allergies text not null default '' check (length(allergies) <= 2000),
  formulas text not null default '' check (length(formulas) <= 4000),
  updated_at timestamptz not null,
  updated_by uuid references users on delete set null,
  foreign key (customer_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_health_updated_by on customer_health (updated_by) where updated_by is not null;

-- Who has read it, and when.
create table customer_health_openings (
  id uuid primary key default uuidv7(),
  customer_id uuid not null,
  institute_id uuid not null,
  user_id uuid references users on delete set null,
  opened_at timestamptz not null,
  foreign key (customer_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_health_openings_of_customer on customer_health_openings (customer_id, opened_at desc);
create index customer_health_openings_of_user on customer_health_openings (user_id) where user_id is not null;

create table customer_files (
  id uuid primary key default uuidv7(),
  customer_id uuid not null,
  institute_id uuid not null,
  file_key text not null unique,
  kind text not null check (kind in ('image', 'document')),
  name text not null check (length(name) between 1 and 120),
  added_by uuid references users on delete set null,
  added_at timestamptz not null,
  foreign key (customer_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_files_of_customer on customer_files (customer_id, added_at desc);
create index customer_files_added_by on customer_files (added_by) where added_by is not null;

-- What was shown, and who agreed to it when: never changed.
create table customer_consents (
  id uuid primary key default uuidv7(),
  customer_id uuid not null,
  institute_id uuid not null,
  title text not null check (length(title) between 1 and 120),
  body text not null check (length(body) between 1 and 4000),
  signed_by text not null check (length(signed_by) between 1 and 160),
  signed_at timestamptz not null,
  taken_by uuid references users on delete set null,
  withdrawn_at timestamptz,
  foreign key (customer_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_consents_of_customer on customer_consents (customer_id, signed_at desc);
create index customer_consents_taken_by on customer_consents (taken_by) where taken_by is not null;

-- `guardian`: the related person answers for the customer, and reads their letters while they are a minor.
create table customer_relations (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  customer_id uuid not null,
  related_id uuid not null check (related_id <> customer_id),
  kind text not null check (kind in ('guardian', 'partner', 'family', 'friend')),
  created_at timestamptz not null,
  unique (customer_id, related_id),
  foreign key (customer_id, institute_id) references customers (id, institute_id) on delete cascade,
  foreign key (related_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_relations_of_related on customer_relations (related_id);
create unique index customer_relations_one_guardian on customer_relations (customer_id) where kind = 'guardian';

create table customer_merges (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  kept_id uuid not null,
  merged_id uuid not null,
  -- What the kept record was before, and what came to it: enough to take the two apart.
  before jsonb not null,
  moved jsonb not null,
  merged_by uuid references users on delete set null,
  merged_at timestamptz not null,
  undone_at timestamptz,
  foreign key (kept_id, institute_id) references customers (id, institute_id) on delete cascade,
  foreign key (merged_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_merges_of_kept on customer_merges (kept_id, merged_at desc);
create index customer_merges_of_merged on customer_merges (merged_id);
create index customer_merges_merged_by on customer_merges (merged_by) where merged_by is not null;

-- Two records that look alike and are two people, the lower id first.
create table customer_distinct (
  institute_id uuid not null,
  one_id uuid not null,
  other_id uuid not null check (other_id > one_id),
  primary key (one_id, other_id),
  foreign key (one_id, institute_id) references customers (id, institute_id) on delete cascade,
  foreign key (other_id, institute_id) references customers (id, institute_id) on delete cascade
);
create index customer_distinct_of_other on customer_distinct (other_id);

alter table program_keys drop constraint program_keys_permissions_check;
alter table program_keys add constraint program_keys_permissions_check check (cardinality(permissions) > 0
  and permissions <@ array['diary.read','diary.change','customers.read','customers.change','customers.health','customers.export','messages.answer','sales.read','services.change','team.change','reviews.answer','institute.change','people.change']) not valid;
