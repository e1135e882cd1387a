/** Everything of an institute as one file: the same rows as JSON for programs, as sheets for people, and the visits for calendars. */
import { minuteMs } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { type InstituteScope, mayAlso } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inSnapshot, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { openTurns } from '#/platform/turns.ts'
import { type ZipEntry, zipOf } from '#/platform/zip.ts'
import { translate } from '#/texts/translate.ts'
import type { RowsOf, SectionName } from './rows.ts'
import { type AnySheet, healthSheet, sheets, sheetText } from './sheets.ts'
import { noteOpenings, readSection, sectionNames } from './store.ts'
import { calendarText } from './visits-calendar.ts'

type Scope = InstituteScope<'institute.export'>

/** One is made at a time: it reads a whole institute. */
const turn = openTurns({ atOnce: 1, waiting: 8, patienceMs: minuteMs })

const files = { data: 'institute.json', calendar: 'visits.ics' } as const

type Read = <Name extends SectionName>(name: Name) => AsyncGenerator<readonly RowsOf[Name][]>

async function* jsonText(read: Read, names: readonly SectionName[], exportedAt: string): AsyncGenerator<string> {
  yield `{\n"format": "soigne-institute", "version": 1, "exportedAt": ${JSON.stringify(exportedAt)}`
  for (const name of names) {
    yield `,\n"${name}": [`
    let isFirst = true
    for await (const rows of read(name)) {
      if (rows.length === 0) continue
      yield `${isFirst ? '\n' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`
      isFirst = false
    }
    yield ']'
  }
  yield '\n}\n'
}

interface Wanted {
  health: boolean
  locale: Locale
  now: Date
}

async function entriesOf(read: Read, { health, locale, now }: Wanted, onHealth: (ids: readonly string[]) => void): Promise<ZipEntry[]> {
  const first = await read('institute').next()
  const [institute] = first.value ?? []
  if (!institute) throw refuse('not_found')
  const names = sectionNames.filter((name) => health || name !== 'health')
  async function* noted(): AsyncGenerator<readonly RowsOf['health'][]> {
    for await (const rows of read('health')) {
      onHealth(rows.map(({ id }) => id))
      yield rows
    }
  }
  const { name } = institute
  const words = { locale, timeZone: institute.timeZone }
  // Which section a sheet is of says what its rows are; the compiler cannot follow that through a list.
  const textOf = (one: AnySheet) =>
    sheetText(one as typeof healthSheet, one === healthSheet ? noted() : (read(one.section) as never), words)
  async function* readMe(): AsyncGenerator<string> {
    yield `${[
      translate(locale, 'exportFile', 'readMe', { institute: name }),
      '',
      translate(locale, 'exportFile', 'readMeData', { file: files.data }),
      translate(locale, 'exportFile', 'readMeSheets'),
      translate(locale, 'exportFile', 'readMeCalendar', { file: files.calendar }),
    ].join('\n')}\n`
  }
  return [
    { name: 'read-me.txt', pieces: readMe },
    { name: files.data, pieces: () => jsonText(read, names, instantText(now.getTime())) },
    ...[...sheets, ...(health ? [healthSheet] : [])].map((one) => ({ name: one.file, pieces: () => textOf(one) })),
    { name: files.calendar, pieces: () => calendarText(read('visits'), { locale, institute }) },
  ]
}

/** As it is at one moment. What is kept of health is in it only when asked for; who read it is noted before the file is handed out. @throws forbidden, not_found, too_many_requests */
export async function exportOf(context: AppContext, scope: Scope, asked: { health: boolean; locale: Locale }): Promise<Buffer> {
  if (asked.health && !mayAlso(scope, 'customers.health')) throw refuse('forbidden')
  const { db } = context.database
  return turn(scope.instituteId, async () => {
    const now = new Date(context.clock.now())
    const opened = new Set<string>()
    const file = await inSnapshot(db, async (moment: Db) => {
      const read: Read = (name) => readSection(moment, scope, name)
      return zipOf(await entriesOf(read, { ...asked, now }, (ids) => ids.forEach((id) => opened.add(id))), now)
    })
    await inTransaction(db, async (transaction) => {
      const { instituteId, actor } = scope
      if (opened.size > 0) await noteOpenings(transaction, scope, [...opened], actor.kind === 'institute' ? actor.userId : null, now)
      const event = { kind: 'institute.exported', payload: { health: opened.size } } as const
      await recordEvents(transaction, [{ ...event, instituteId, subjectId: instituteId, actor, at: instantText(now.getTime()) }])
    })
    return file
  })
}
