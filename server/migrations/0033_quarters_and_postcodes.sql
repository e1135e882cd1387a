-- expand
-- Quarters and postcodes are found in the addresses of institutes: no list has them all, and only those where somebody is matter.

-- A name as it is searched by: lower case, no accents, one letter for each Arabic variant, single spaces, no punctuation.
create function fold_name(name text) returns text language sql immutable strict parallel safe as $$
  select trim(both ' ' from regexp_replace(regexp_replace(
    replace(replace(replace(translate(normalize(lower(name collate pg_c_utf8), NFKD), 'øđðłħıŋٱىیئؤةکھہ', 'oddlhinاييووهكهه'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    '[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]', '', 'g') collate pg_c_utf8, '[^[:alnum:]]+', ' ', 'g'))
$$;

-- A postcode without its spaces and hyphens: SW1A 1AA is SW1A1AA.
create function fold_postcode(code text) returns text language sql immutable strict parallel safe as $$
  select upper(regexp_replace(code collate pg_c_utf8, '[^[:alnum:]]+', '', 'g'))
$$;

-- The quarter's Arabic name, where it has one of its own.
alter table institutes add column quarter_ar text;
