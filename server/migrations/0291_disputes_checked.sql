-- concurrent
alter table ledger_lines validate constraint ledger_lines_account_check;
