/** What each call gives each actor, worked out from the rules of the contract and the grants: docs/access.md, and what the tests then ask for. */
import { permissions, sitePermissions } from '@soigne/contract/access'
import { calls } from '@soigne/contract/calls'
import type { Call } from '@soigne/contract/define'
import * as z from 'zod/mini'
import { grants, type Level } from '#/grants.ts'

export type CallName = keyof typeof calls
export const callNames = Object.keys(calls) as CallName[]
export const callOf = (name: CallName): Call => calls[name]

/** The columns. Owner, manager, reception and staff work at one institute, the neighbour owns another. */
export const actors = [
  'nobody',
  'unverified',
  'client',
  'stranger',
  'owner',
  'manager',
  'reception',
  'staff',
  'neighbour',
  'operator',
] as const
export type AccessActor = (typeof actors)[number]
export type Cell = 'ok' | '401' | '403' | '404'

const isLevel = (actor: AccessActor): actor is Level => Object.hasOwn(grants.levels, actor)

/** What an actor gets. `namesThings`: the request names things of the client (for a rule of `self`). A request of an institute names that of the owner. */
export function cellOf({ access }: Call, actor: AccessActor, namesThings: boolean): Cell {
  if (access === 'public') return 'ok'
  if (actor === 'nobody') return '401'
  if (actor === 'unverified' && (access.of !== 'self' || access.verified)) return '403'
  if (access.of === 'self') return namesThings && actor !== 'client' ? '404' : 'ok'
  if (access.of === 'site') return actor === 'operator' && (grants.operators as readonly string[]).includes(access.may) ? 'ok' : '403'
  if (!isLevel(actor)) return '404'
  return (grants.levels[actor] as readonly string[]).includes(access.may) ? 'ok' : '403'
}

const ruleOf = ({ access }: Call): string => {
  if (access === 'public') return 'public'
  return access.of === 'self' ? `self${access.verified ? ' verified' : ''}` : `${access.of} ${access.may}`
}

/** Columns below each other; `atLeast` keeps a new long name from moving every line. */
function aligned(rows: readonly (readonly string[])[], atLeast: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(atLeast[column] ?? 0, ...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((word, column) => word.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The text of docs/access.md. */
export function accessDocument(namesThings: (name: CallName) => boolean): string {
  const levels = Object.keys(grants.levels) as Level[]
  const has = (list: readonly string[], one: string): string => (list.includes(one) ? 'yes' : '-')
  const granted = [
    ['permission', ...levels, 'operator'],
    ...permissions.map((one) => [one, ...levels.map((level) => has(grants.levels[level], one)), '-']),
    ...sitePermissions.map((one) => [one, ...levels.map(() => '-'), has(grants.operators, one)]),
  ]
  const table = [
    ['call', 'rule', 'names', ...actors],
    ...callNames.map((name) => {
      const things = namesThings(name)
      const call = callOf(name)
      const names = things ? 'client’s' : call.access !== 'public' && call.access.of === 'institute' ? 'institute' : '-'
      return [name, ruleOf(call), names, ...actors.map((actor) => cellOf(call, actor, things))]
    }),
  ]
  return `# Who may do what

Made from the rules of \`contract/src\` and from \`server/src/grants.ts\`; \`server/src/access.test.ts\` compares this file with them, sends a request for every cell, and refuses a change that is not written here (\`vitest run --root server src/access.test.ts -u\` writes it).

## Permissions of levels

\`\`\`
${aligned(granted)}
\`\`\`

## Calls

The client has a hold and visits at the institute; stranger is another client. Owner, manager, reception and staff work at the institute, the neighbour owns another one. *names*: the request names a thing of the client, or the institute (by the header \`Institute-Id\`). 401: no session. 403: the level, the role of an operator, or a confirmed email is missing. 404: not theirs, or not there, which are not told apart.

\`\`\`
${aligned(table, [28, 28, 10])}
\`\`\`
`
}

type JsonSchema = { format?: string; properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] }

function* uuidsIn(schema: JsonSchema, path: string): Generator<string> {
  if (schema.format === 'uuid') yield path
  for (const one of schema.anyOf ?? []) yield* uuidsIn(one, path)
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* uuidsIn(property, `${path}.${name}`)
  // A list in a query is the same word several times; a list in a body has places.
  if (schema.items) yield* uuidsIn(schema.items, path.startsWith('query') ? path : `${path}.0`)
}

/** Every place of a call where an id stands: `params.id`, `query.service`, `body.services.0.serviceId`. */
export function idPlaces(call: Call): string[] {
  const found = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = call[part]
    return schema ? [...uuidsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, part)] : []
  })
  return [...new Set(found)]
}
