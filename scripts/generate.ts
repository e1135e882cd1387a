/**
 * npm run generate: writes what the browser keeps of the contract at run time. The contract's own modules bring their schemas
 * (and with them zod), so scripts import these copies. `--check` writes nothing and ends with 1 when a copy is not current.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { holdMinutes, mostServices } from '../contract/src/appointments.ts'
import { largestMedia, longestMessage, typingMs } from '../contract/src/chat.ts'
import { calls } from '../contract/src/calls.ts'
import { mostRelaxed, partsOfDay, sortOrders } from '../contract/src/institutes.ts'
import { gradeNames, replyLength, reportReasons, reviewLength, reviewOrders, reviewPictures } from '../contract/src/reviews.ts'
import { mostPasskeys } from '../contract/src/passkeys.ts'
import { passwordLength } from '../contract/src/session.ts'
import { codeLength, resendCooldownMs } from '../contract/src/verification.ts'
import { audiences, categories, languages, paymentMethods, venues, weekdays } from '../contract/src/wire.ts'

const root = resolve(import.meta.dirname, '..')
const lineWidth = 140

/** As the formatter would write it. */
const quoted = (text: string): string => `'${text}'`

function listOf(name: string, values: readonly string[]): string {
  const line = `export const ${name} = [${values.map(quoted).join(', ')}] as const`
  return line.length <= lineWidth ? line : `export const ${name} = [\n${values.map((value) => `  ${quoted(value)},\n`).join('')}] as const`
}

const heading = (what: string): string => `// ${what} Made from contract/src by \`npm run generate\`; not to be changed here.\n`

/** What the screens ask for by name, of the site or of the dashboard; every other address would be in the first file of every page for nobody. */
function askedByScreens(client: 'api' | 'dashboardApi'): Set<string> {
  const asking = client === 'api' ? /\b(?:api|callAddresses)\s*\.\s*(\w+)/g : /\bdashboardApi\s*\.\s*(\w+)/g
  const files = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
  )
  return new Set(
    files.flatMap((path) => [...readFileSync(join(root, 'web/src', path), 'utf8').matchAll(asking)].map(([, name = '']) => name)),
  )
}

function callAddresses(client: 'api' | 'dashboardApi'): string {
  const asked = askedByScreens(client)
  const [constant, what] =
    client === 'api' ? ['callAddresses', 'a screen of the site'] : ['dashboardCallAddresses', 'a screen of the dashboard']
  const lines = Object.entries(calls)
    .filter(([name]) => asked.has(name))
    .map(([name, { method, path }]) => `  ${name}: ${quoted(`${method} ${path}`)},`)
  return [
    `${heading(`Method and path of every call that ${what} makes.`)}import type { Calls } from '@soigne/contract/calls'\n`,
    `export const ${constant} = {\n${lines.join('\n')}\n} as const satisfies Partial<Record<keyof Calls, string>>\n`,
  ].join('\n')
}

function closedLists(): string {
  const lists = {
    categories,
    audiences,
    languages,
    weekdays,
    venues,
    paymentMethods,
    partsOfDay,
    sortOrders,
    gradeNames,
    reviewOrders,
    reportReasons,
  }
  return `${heading('The closed lists.')}${Object.entries(lists)
    .map(([name, values]) => `${listOf(name, values)}\n`)
    .join('')}`
}

function limits(): string {
  return `${heading('Numbers that the browser must know.')}
/** Minutes a hold lasts, and an extension adds. */
export const holdMinutes = ${holdMinutes}
/** Most services of one visit. */
export const mostServices = ${mostServices}
/** Fewest characters of a password. */
export const passwordMinimum = ${passwordLength.min}
/** Passkeys of one account. */
export const mostPasskeys = ${mostPasskeys}
/** Digits of an email code. */
export const codeLength = ${codeLength}
/** Milliseconds after which another code may be asked for. */
export const resendCooldownMs = ${resendCooldownMs}
/** So many or more: what giving up a filter would bring is counted no further. */
export const mostRelaxed = ${mostRelaxed}
/** Characters of a review. */
export const reviewLength = ${reviewLength}
/** Characters of an institute's answer. */
export const replyLength = ${replyLength}
/** Pictures of one review, and bytes of each. */
export const reviewPicturesMost = ${reviewPictures.most}
export const reviewPictureBytes = ${reviewPictures.bytes}
/** Most characters of a message, and most bytes of its file. */
export const longestMessage = ${longestMessage}
export const largestMedia = ${largestMedia}
/** Milliseconds for which a sign of typing stands. */
export const typingMs = ${typingMs}
`
}

/** The files by their path, as they should be. */
export const generated = (): Record<string, string> => ({
  'web/src/contract/call-addresses.ts': callAddresses('api'),
  'web/src/contract/dashboard-call-addresses.ts': callAddresses('dashboardApi'),
  'web/src/contract/closed-lists.ts': closedLists(),
  'web/src/contract/limits.ts': limits(),
})

/** The files below a root that are not as they should be. */
export function outdated(from: string): string[] {
  const isCurrent = (path: string, text: string): boolean => {
    try {
      return readFileSync(join(from, path), 'utf8') === text
    } catch {
      return false
    }
  }
  return Object.entries(generated()).flatMap(([path, text]) => (isCurrent(path, text) ? [] : [path]))
}

if (import.meta.main) {
  const stale = outdated(root)
  if (process.argv.includes('--check')) {
    for (const path of stale) console.log(`${path} is not what the contract says; run npm run generate`)
    if (stale.length > 0) process.exit(1)
  } else for (const path of stale) writeFileSync(join(root, path), generated()[path] ?? '')
}
