-- expand
-- How often a letter failed: what failed goes before later letters of its visit, until it is given up.
alter table mails add column attempts smallint not null default 0;
