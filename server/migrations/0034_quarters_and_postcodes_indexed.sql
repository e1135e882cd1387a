-- concurrent
create index concurrently institutes_quarters on institutes using gin ((' ' || fold_name(quarter) || ' ' || coalesce(fold_name(quarter_ar), '')) gin_trgm_ops)
  where state = 'published' and quarter is not null;
create index concurrently institutes_postcodes on institutes (fold_postcode(postal_code) text_pattern_ops) where state = 'published' and postal_code is not null;
