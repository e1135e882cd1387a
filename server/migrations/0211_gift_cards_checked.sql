-- concurrent
alter table payments validate constraint payments_method_check;
alter table document_lines validate constraint document_lines_kind_check;
alter table ledger_lines validate constraint ledger_lines_account_check;
