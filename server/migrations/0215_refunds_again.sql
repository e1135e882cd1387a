-- expand
-- How a provider called each try of a refund that it refused ('' where it never said): what it still says of one of them is not heard any more.
alter table refunds add column refused text[] not null default '{}';
