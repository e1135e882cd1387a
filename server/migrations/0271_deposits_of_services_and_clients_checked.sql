-- concurrent
alter table services validate constraint services_deposit_kind_check;
alter table services validate constraint services_deposit_check;
alter table customers validate constraint customers_pays_first_check;
alter table institutes validate constraint institutes_prepay_no_shows_check;
