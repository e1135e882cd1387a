-- expand
-- A site where nobody takes money online asks for none: p_needs_account is null there.
create or replace function takes_online(p_institute uuid, p_needs_account boolean) returns boolean stable language sql as $$
  select p_needs_account is not null
    and (not p_needs_account or exists (select from payment_accounts a where a.institute_id = p_institute and a.takes_payments))
$$;
