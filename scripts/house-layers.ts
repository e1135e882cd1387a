/** Rules of the house about who knows whom: layers of the server, pure rooms, cycles, and features that mean the same in every room. */
import { dirname, join, posix } from 'node:path'
import { isTest, type SourceFile, withoutComments } from './house-files.ts'

type Rule = (files: readonly SourceFile[]) => string[]

const withoutTexts = (text: string): string => text.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`/g, "''")

interface Import {
  name: string
  /** What is taken at run time; empty for types alone. */
  values: string[]
}
/** Imports and re-exports of a file. */
function importsOf(text: string): Import[] {
  return [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([\w$]+)\s*,?\s*)?(\{[^}]*\}|\*(?: as \w+)?)?\s*(?:from\s*)?['"]([^'"\n]+)['"]/gm),
  ].map(([, type, whole, list = '', name = '']) => {
    const named = list.startsWith('{')
      ? list
          .slice(1, -1)
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== '' && !one.startsWith('type '))
          .map((one) => one.split(' as ')[0] ?? one)
      : list === ''
        ? []
        : ['*']
    const values = type ? [] : [...(whole ? [whole] : []), ...named]
    return { name, values: !type && values.length === 0 && list === '' ? ['*'] : values }
  })
}

/** Those that are asked for later, as far as their names are written out. */
const lazyImportsOf = (text: string): Import[] =>
  [...text.matchAll(/\bimport\(\s*['"`]([^'"`\n]+)['"`]/g)].map(([, name = '']) => ({ name, values: ['*'] }))
const allImportsOf = (text: string): Import[] => [...importsOf(text), ...lazyImportsOf(withoutComments(text))]

const isStore = (path: string): boolean => /^server\/src\/features\/[^/]+\/(?:[a-z-]+-)?store\.ts$/.test(path)
const featureOf = (path: string): string => path.split('/')[3] ?? ''

/** A store knows the database. Of another feature it takes types, numbers and the SQL that its stores share, through its service. */
const storesBelowServices: Rule = (files) => {
  const shared = new Map(
    files
      .filter(({ path }) => /^server\/src\/features\/[^/]+\/service\.ts$/.test(path))
      .map(({ path, text }) => [
        featureOf(path),
        new Set(
          importsOf(text)
            .filter(({ name }) => name.startsWith('./') && name !== './service.ts')
            .flatMap(({ values }) => values),
        ),
      ]),
  )
  return files
    .filter(({ path }) => isStore(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      allImportsOf(text).flatMap(({ name, values }) => {
        if (/^\.\/(?:service|routes|jobs|reactions)\.ts$/.test(name) && values.length > 0)
          return [`${path}: imports ${name}; services call stores, not the other way round`]
        const other = /^#\/features\/([^/]+)\/service\.ts$/.exec(name)?.[1]
        if (other === undefined) return []
        return values
          .filter((value) => !shared.get(other)?.has(value))
          .map((value) => `${path}: calls ${value} of ${other}; a store asks no service`)
      }),
    )
}

/** SQL is written by stores, by hand and with the builder; a client of the database is in no service's hands. */
const sqlBelowServices: Rule = (files) =>
  files
    .filter(({ path }) => /^server\/src\/(?!platform\/)(?!.*(?:\/|-)store\.ts$)/.test(path) && !isTest(path))
    .flatMap(({ path, text }) => [
      ...allImportsOf(text)
        .filter(({ name, values }) => /^(?:kysely|pg)$/.test(name) && values.length > 0)
        .map(({ name }) => `${path}: imports ${name}; only a store writes SQL`),
      ...[
        ...withoutComments(text).matchAll(
          /\b(?:pool|client|connection)\.query\s*[(<]|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom)\(/g,
        ),
      ].map(([found]) => `${path}: '${found}' sends SQL; only a store does`),
    ])

/** Pages and the app see of a feature what it lists to be served, or its service. */
const pagesAskServices: Rule = (files) =>
  files
    .filter(({ path }) => /^server\/src\/(?:pages\/|[^/]+\.ts$)/.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      allImportsOf(text)
        .filter(({ name }) => /^(?:#|\.)\/features\//.test(name) && /(?:^|[/-])(?:store|rows)\.ts$/.test(name))
        .map(({ name }) => `${path}: imports ${name}; a store is its service's own`),
    )

/** What the platform may know of the contract: nothing that a booking marketplace alone has. */
const contractOfPlatform = /^@soigne\/contract\/(?:access|define|problems|refusals|time|wire)$/
const domainWords =
  /\b(?:is(?:Client|Pro)|[a-z]*(?:[aA]ppointment|[bB]ooking|[sS]egment|[sS]alon|[fF]avourite|[cC]ustomer|[vV]isit|[sS]tylist|[tT]reatment|[vV]oucher|[rR]eview)s?(?:[A-Z]\w*)?)\b/g
const domainFiles = new Set(['server/src/platform/tables.ts'])
/** What a marketplace alone is told by its environment, and limits of its own. The port of payments speaks of money that is taken online. */
const domainSettings =
  /\b(?:[A-Z]+_)*(?:HOLDS?|CHECKOUT|OFFER|BUSY|SANDBOX|STRIPE|CALENDARS?)(?:_[A-Z]+)*\b|\b(?:holds|checkout|offer|busyCalendar|sandbox|stripe)(?:[A-Z]\w*)?:/g
const portOfPayments = 'server/src/platform/payment-provider.ts'

/** The platform could ship in another product. */
const platformWithoutDomain: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/src/platform/') && !isTest(path) && !domainFiles.has(path))
    .flatMap(({ path, text }) => [
      ...allImportsOf(text)
        .filter(({ name }) => name.startsWith('@soigne/') && !contractOfPlatform.test(name))
        .map(({ name }) => `${path}: imports ${name}; platform knows no word of the domain`),
      ...[
        ...withoutComments(text).matchAll(domainWords),
        ...(path === portOfPayments ? [] : withoutComments(text).matchAll(domainSettings)),
      ].map(([word]) => `${path}: '${word}' is a word of the domain`),
    ])

/** What a pure room has no use for: the time and everything random come in as arguments, and nothing goes out. */
const impure =
  /(?<![.\w$])(?:crypto|globalThis|global|window|document|Buffer|process|Date|fetch|console|require|set(?:Timeout|Interval|Immediate)|queueMicrotask|XMLHttpRequest|WebSocket)\b(?!\??:)|\bperformance\.(?:now|timeOrigin)\b|\bTemporal\.Now\b|\bMath\.random\b/g

const pureRooms: Rule = (files) =>
  files
    .filter(({ path }) => /^(?:contract|scheduling)\/src\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...withoutTexts(withoutComments(text)).matchAll(impure)].map(([word]) => `${path}: uses ${word}; ${path.split('/')[0]} is pure`),
    )

/** Where an import leads within its room, or to another one. */
function resolved(from: string, name: string): string | null {
  if (name.startsWith('./') || name.startsWith('../')) return posix.normalize(posix.join(dirname(from), name))
  if (name.startsWith('#/')) return join(from.split('/')[0] ?? '', 'src', name.slice(2)).replaceAll('\\', '/')
  const other = /^@soigne\/([^/]+)\/(.+)$/.exec(name)
  return other ? `${other[1]}/src/${other[2]}.ts` : null
}

/** Files that need each other when they are loaded. */
const noCycles: Rule = (files) => {
  const known = new Set(files.map(({ path }) => path))
  const needs = new Map(
    files
      .filter(({ path }) => !isTest(path))
      .map(({ path, text }) => [
        path,
        importsOf(text)
          .filter(({ values }) => values.length > 0)
          .map(({ name }) => resolved(path, name))
          .filter((other): other is string => other !== null && known.has(other)),
      ]),
  )
  const found: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (path: string, way: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push(`${path}: imports itself by ${[...way.slice(way.indexOf(path) + 1), path].join(' → ')}`)
      return
    }
    state.set(path, 'open')
    for (const other of needs.get(path) ?? []) visit(other, [...way, path])
    state.set(path, 'done')
  }
  for (const path of needs.keys()) visit(path, [])
  return found
}

/** Features that one room alone has, and why. Every other name is in the server and in the web alike. */
export const oneSided: Readonly<Record<string, string>> = {
  'server/busy-calendars': 'its screen is a part of the page of a team member',
  'server/checkout': 'its screens are those of booking and appointments',
  'server/crawlers': 'sitemap and robots.txt have no screen',
  'server/disputes': 'its lines stand on the first page of the dashboard and on a sale',
  'server/diary-entries': 'its screens are those of diary and team',
  'server/exports': 'its screen is a part of the institute settings',
  'server/fees': 'its screens are those of payments, sales and settings',
  'server/files': 'pictures are shown by the features that own them',
  'server/gaps': 'its card is a part of the first page of the dashboard',
  'server/group-sessions': 'its screens come with the dashboard',
  'server/home-addresses': 'its screens are those of at-home and diary',
  'server/monthly-totals': 'what it keeps is read by the dashboard and by sales',
  'server/identities': 'its screens are those of session and calendars',
  'server/invoice-print': 'documents on paper; the screens are those of sales',
  'server/ledger': 'the books have no screen of their own; the screens are those of sales',
  'server/listing-facts': 'reading of open data has no screen',
  'server/listings': 'imports are run from a shell',
  'server/local-provider': 'its pages are plain ones of a trial',
  'server/mails': 'the mailbox of a trial is a page of the server',
  'server/payment-accounts': 'its screen is a part of the institute settings',
  'server/people': 'its screens come with the team of the dashboard',
  'server/reconciliation': 'what providers moved is compared by night and read at a shell',
  'server/sandbox-payments': 'its pages are those of a house that takes money, not of the site',
  'server/security': 'its log is read at a shell',
  'server/stripe-payments': 'Stripe has the pages',
  'server/places': 'the field of places belongs to the search',
  'server/suggestions': 'the field of what is wanted belongs to the search',
  'server/summary': 'the index of free time has no screen',
  'server/time-searches': 'what people look for is kept as they look; what is made of it is what-if',
  'server/unit-of-work': 'a way of writing has no screen',
  'server/visits': 'its screens are those of booking and appointments',
  'server/what-if': 'its panel is a part of the institute settings',
  'web/sale': 'one sale of sales',
  'web/setup-banner': 'what every page shows of a setup that waits; the setup itself is behind sign-in',
  'web/cart': 'the server sees a cart as an input of availability and booking',
  'web/day-sheet': 'the calendar without a server',
  'web/diary-booking': 'a part of the calendar, answered by diary',
  'web/diary-visit': 'a part of the calendar, answered by diary',
  'web/diary-sessions': 'a part of the calendar, answered by group-sessions',
  'web/help': 'pages of text',
  'web/home': 'answered by institutes',
  'web/institute': 'the parts of one page, answered by institutes',
  'web/site': 'header, footer and errors',
  'web/time-grid': 'a part of the calendar, answered by diary',
}

const twins: Rule = (files) => {
  const names = new Set(
    files.flatMap(({ path }) => {
      const [, room, feature] = /^(server|web)\/src\/features\/([^/]+)\//.exec(path) ?? []
      return room && feature ? [`${room}/${feature}`] : []
    }),
  )
  if (![...names].some((name) => name.startsWith('web/')) || ![...names].some((name) => name.startsWith('server/'))) return []
  return [...names]
    .filter(
      (name) =>
        !(name in oneSided) && !names.has(name.startsWith('web/') ? name.replace('web/', 'server/') : name.replace('server/', 'web/')),
    )
    .map(
      (name) =>
        `${name.replace('/', '/src/features/')}: no feature of this name in the other room; scripts/house-layers.ts lists those that stand alone`,
    )
}

/** What the engine answers although no room asks it yet, and for whom. */
export const askedLater: Readonly<Record<string, string>> = {
  explainStart: 'the diary of the dashboard will say why a start is not offered',
  freeSpans: 'the diary of the dashboard draws what is free',
  openSpans: 'as freeSpans',
  workingSpans: 'as freeSpans',
}

/** A function of the engine that tests alone call is no part of the product; knip counts tests as use. */
const engineAsked: Rule = (files) => {
  const engine = files.filter(({ path }) => path.startsWith('scheduling/src/') && !isTest(path))
  const askers = files.filter(({ path }) => !isTest(path) && !path.startsWith('scripts/'))
  return engine.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?function (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in askedLater) && (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length === 1)
      .filter((name) => !askers.some((other) => other.path !== path && new RegExp(`\\b${name}\\b`).test(other.text)))
      .map((name) => `${path}: only tests call ${name}`),
  )
}

/** Rules by name, for the tests that feed each a violation. */
export const layerRules = {
  storesBelowServices,
  sqlBelowServices,
  pagesAskServices,
  platformWithoutDomain,
  pureRooms,
  noCycles,
  twins,
  engineAsked,
} satisfies Record<string, Rule>
