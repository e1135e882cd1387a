/** Rules of the house about scopes: stores demand one, nobody makes one but the door, and whose rows are read is said by the scope. */
import { isTest, type SourceFile, withoutComments } from './house-files.ts'

type Rule = (files: readonly SourceFile[]) => string[]

/** Stores of what anybody may read, of the gazetteer, of a house of trials that is not the site, and of whole tables: their rows are nobody's. The others ask for a scope. */
const storesOfNobody =
  /^server\/src\/features\/(?:availability|crawlers|crowd|demo|institutes|listings|places|sandbox-payments|search|suggestions|summary|unit-of-work)\//
/** Holds of several people at once carry the user of each scope. Writing to the outbox, counting under a key, reckoning, and forgetting what is too old, read nobody's rows. */
const readsNobody = new Set([
  'insertMails',
  'insertNotifications',
  'takeTurnOfReminders',
  'fillReminders',
  'takeOne',
  'holdVisits',
  'sharesOf',
  'forgetOldLinks',
  'forgetOldSessions',
])

/** A function that a store gives, with what it takes first and second. */
const given =
  /^export (?:async function\*?|function\*?|const) (\w+)(?:<[^(\n]*>)?(?: = (?:async )?(?:<[^(\n]*>)?)?\(\s*(\{[^}]*\}|\w+): (\w+)(?:<[^>]*>)?,?\s*([^,)]*)/gm
/** Whoever takes a unit is told by it whose rows they are. */
const reachesRows = (first: string, type: string): boolean =>
  first.startsWith('{')
    ? type !== 'Unit' && /\b(?:db|database|transaction)\b/.test(first) && !/\binstituteId\b/.test(first)
    : /^(?:Db|Database|OpenDatabase|Transaction|Kysely|AppContext)$/.test(type)

const storesTakeScopes: Rule = (files) =>
  files
    .filter(({ path }) => /^server\/src\/features\/[^/]+\/(?:[a-z-]+-)?store\.ts$/.test(path) && !storesOfNobody.test(path))
    .flatMap(({ path, text }) => [
      ...[
        ...[...text.matchAll(given)].filter(([, , first = '', type = '']) => reachesRows(first, type)).map((match) => [match[1], match[4]]),
        ...[...text.matchAll(/^export const (\w+) = (?:statement\(|\w+\.(?:all|one|run)$)/gm)].map((match) => [match[1], '']),
      ]
        .filter(([name = '', second = '']) => !/^\w+: (?:readonly )?[A-Z]\w*Scope\b/.test(second) && !readsNobody.has(name))
        .map(([name]) => `${path}: ${name} takes no scope after the database`),
      ...[...text.matchAll(/^export \{[^}]*\}(?! from)|^export const \w+: [^=\n]+ = (?:async )?\(/gm)].map(
        ([found]) => `${path}: '${found}' does not show what it takes; export where it is declared, with its parameters`,
      ),
    ])

/** Where no scope can be in the statement, and why. */
const unguarded: Readonly<Record<string, string>> = {
  'server/src/features/chat/chat-store.ts findParties': 'who is on which side of a conversation is found out by it',
  'server/src/features/chat/message-store.ts readLastMessages':
    'of conversations that were listed by their side, in one statement for people, desks and sockets',
}

/** A scope that is taken and not used guards nothing; only the system reaches everybody's rows. */
const scopesAreUsed: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/src/features/') && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:function\*?|const) (\w+)[^;{}]{0,200}?\b_\w*: ((?:\w*Scope\b(?:<[^>]*>)?(?: \| )?)+)/g)]
        .filter(([, name = '', type = '']) => !/^(?:System|Public)Scope$/.test(type) && !(`${path} ${name}` in unguarded))
        .map(([, name, type]) => `${path}: ${name} takes a ${type} and does not look at it`),
    )

type Aliases = ReadonlyMap<string, string>
const aliasesIn = (text: string): Aliases =>
  new Map([...text.matchAll(/^(?:export )?type (\w*Scope) =\s*((?:[^\n]|\n\s*\|)*)$/gm)].map(([, name = '', type = '']) => [name, type]))
/** Whether a client may come with a scope, by whatever name its type goes; of another file's name where the own file has none. */
const isOfClient = (type: string, own: Aliases, all: Aliases, seen: readonly string[] = []): boolean =>
  [...type.matchAll(/\b\w*Scope\b/g)].some(
    ([name]) =>
      name === 'SelfScope' || (!seen.includes(name) && isOfClient(own.get(name) ?? all.get(name) ?? '', own, all, [...seen, name])),
  )

/** Whoever takes the scope of a client beside others has to look whose rows they are, or hand it to somebody who does. */
const clientsAreLookedAt: Rule = (files) => {
  const server = files.filter(({ path }) => path.startsWith('server/src/features/') && !isTest(path))
  const all: Aliases = new Map(server.flatMap(({ text }) => [...aliasesIn(text)]))
  return server
    .filter(({ path }) => /\/(?:[a-z-]+-)?store\.ts$/.test(path))
    .flatMap(({ path, text }) => {
      const own = aliasesIn(text)
      return text.split(/\n(?=(?:\/\*\*|export |const |function |async |interface |type ))/).flatMap((part) => {
        const found = /(?:const|function\*?) (\w+)[^;{}]{0,120}?\b([a-z]\w*): ((?:readonly )?[^,)]*Scope\b[^,)=]*)/.exec(part)
        const [taken = '', name = '', scope = '', type = ''] = found ?? []
        if (!found || !isOfClient(type, own, all)) return []
        const rest = part.slice(found.index + taken.length)
        const isLookedAt = /\buserId\b/.test(rest) || new RegExp(`[(,]\\s*${scope}\\s*[,)]`).test(rest)
        return isLookedAt ? [] : [`${path}: ${name} takes the scope of a client and does not look whose rows they are`]
      })
    })
}

/** Where the compiler cannot follow what was just looked at. */
const lookedAt = new Set(['server/src/features/chat/live.ts'])

/** A scope comes from the door, with what it proves. To call something else one is a way past it. */
const scopesAreMinted: Rule = (files) =>
  files
    .filter(
      ({ path }) => path.startsWith('server/src/') && path !== 'server/src/platform/access.ts' && !lookedAt.has(path) && !isTest(path),
    )
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .filter((line) => !/^(?:import|export)\b.*\bfrom\b/.test(line))
        .flatMap((line) => [...line.matchAll(/\bas (?:unknown as |never as )?(?:\w+ [|&] )*(\w*Scope)\b/g)])
        .map(([, type]) => `${path}: calls something a ${type}; a scope is made by platform/access.ts alone`),
    )

/** Rules by name, for the tests that feed each a violation. */
export const scopeRules = { storesTakeScopes, scopesAreUsed, clientsAreLookedAt, scopesAreMinted } satisfies Record<string, Rule>
