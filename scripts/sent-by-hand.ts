/** Where SQL is sent by hand, and why it cannot be a statement that is checked against the migrated schema. */
export const sentByHand: Readonly<Record<string, string>> = {
  'server/src/platform/statement.ts': 'sends statements',
  'server/src/platform/prepared.ts': 'names those a connection plans once',
  'server/src/platform/migrations.ts': 'makes the schema, and tells which part of it there is',
  'server/src/platform/roles.ts': 'makes roles, and gives them their rights',
  'server/src/platform/institute-wall.ts': 'says for whom a connection acts',
  'server/src/platform/embedded-postgres.ts': 'speaks to a server that has no schema yet',
  'server/src/platform/postgres-cluster.ts': 'speaks to a server that has no schema yet',
  'server/src/platform/trial-clock.ts': 'listens, on a connection of its own',
}
