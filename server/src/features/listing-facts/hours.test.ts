import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import { type HoursAnswer, type HoursReader, longestHours, openHoursReader } from './hours-reader.ts'

const openData = process.env['OPEN_DATA_DIR']
const paris = { lat: 48.85, lon: 2.35, countryCode: 'FR', region: 'Île-de-France', monday: '2026-11-16' }

let reader: HoursReader
beforeAll(() => {
  reader = openHoursReader()
})
afterAll(() => reader.close())

const read = (text: string): Promise<HoursAnswer> => reader.read({ ...paris, text })
const rowsOf = async (text: string): Promise<unknown> => {
  const answer = await read(text)
  return answer.ok
    ? [answer.rows.map(({ weekday, opensAt, closesAt }) => `${weekday} ${opensAt}-${closesAt}`).join(', '), answer.note]
    : answer
}

describe('opening hours become a week', () => {
  it.each([
    ['Tu-Fr 09:00-12:00,13:00-19:00', '2 540-720, 2 780-1140, 3 540-720, 3 780-1140, 4 540-720, 4 780-1140, 5 540-720, 5 780-1140', null],
    ['Mo 9:00-17:00;Sa 8:00-15:00', '1 540-1020, 6 480-900', null],
    ['24/7', [1, 2, 3, 4, 5, 6, 7].map((day) => `${day} 0-1440`).join(', '), null],
    ['Fr-Sa 20:00-03:00', '5 1200-1620, 6 1200-1620', null],
    ['Mo-Fr 12:00-07:00; Sa-Su 00:00-00:00', '1 720-1860, 2 720-1860, 3 720-1860, 4 720-1860, 5 720-1440, 6 0-1440, 7 0-1440', null],
    ['Su 23:00-24:00', '7 1380-1440', null],
  ])('%s', async (text, rows, note) => {
    expect(await rowsOf(text)).toEqual([rows, note])
  })

  it('holidays and single days leave the usual week and a note', async () => {
    expect(await rowsOf('Mo-Sa 10:00-18:00; PH off')).toEqual([[1, 2, 3, 4, 5, 6].map((day) => `${day} 600-1080`).join(', '), 'exceptions'])
    expect(await rowsOf('Mo 10:00-18:00; Dec 24 off; Aug 1-Aug 20 off')).toEqual(['1 600-1080', 'exceptions'])
    expect(await rowsOf('Mo 10:00-18:00; Sa "by appointment"')).toEqual(['1 600-1080', 'exceptions'])
  })

  it('what no week can say leaves the hours empty and says why', async () => {
    expect(await rowsOf('Apr-Sep Mo-Sa 09:00-20:00; Oct-Mar Mo-Sa 10:00-17:00')).toEqual(['', 'seasons'])
    expect(await rowsOf('sunrise-sunset')).toEqual(['', 'seasons'])
    expect(await rowsOf('"Termine nach Vereinbarung"')).toEqual(['', 'indefinite'])
    expect(await rowsOf('Mo-Sa 10:00+')).toEqual(['', 'indefinite'])
    expect(await rowsOf('closed')).toEqual(['', 'closed'])
  })

  const everyDayButSunday = [1, 2, 3, 4, 5, 6].map((day) => `${day} 600-1080`).join(', ')
  const withoutHolidayTable = 'MA TN DZ EG AE SA LB QA JO KW BH OM IQ SY LY PS SN CM EH AD LI RE GP CL NP'.split(' ')

  it.each([...withoutHolidayTable, 'FR', 'CH', 'GB', 'DE', ''])('holidays nobody has listed leave the week of %s', async (countryCode) => {
    for (const holidays of ['PH off', 'SH off', 'PH,SH off', 'PH 10:00-12:00', 'SH 10:00-12:00', 'Jan 1 off; PH off']) {
      const answer = await reader.read({ ...paris, countryCode, region: null, text: `Mo-Sa 10:00-18:00; ${holidays}` })
      const rows = answer.ok ? answer.rows.map(({ weekday, opensAt, closesAt }) => `${weekday} ${opensAt}-${closesAt}`).join(', ') : answer
      expect([holidays, rows]).toEqual([holidays, everyDayButSunday])
      expect(answer.ok && answer.note).toMatch(/^(?:exceptions|holidays)$/)
    }
  })

  it('what holidays nobody has listed are added to stays a week, a season or nothing', async () => {
    const inMorocco = async (text: string) => {
      const answer = await reader.read({ ...paris, countryCode: 'MA', region: null, text })
      return answer.ok ? [answer.rows.length, answer.note] : answer.reason
    }
    expect(await inMorocco('Mo-Sa,PH 10:00-18:00')).toEqual([6, 'holidays'])
    expect(await inMorocco('PH 10:00-18:00')).toEqual([0, 'seasons'])
    expect(await inMorocco('Apr-Sep Mo-Sa 09:00-20:00; Oct-Mar Mo-Sa 10:00-17:00; PH off')).toEqual([0, 'seasons'])
    expect(await inMorocco('off; PH off')).toEqual([0, 'closed'])
    expect(await inMorocco('no holiday')).toBe('unreadable')
  })

  it('what is open for a part of the year is not closed', async () => {
    expect(await rowsOf('Jul-Aug Mo-Sa 10:00-18:00')).toEqual(['', 'seasons'])
    expect(await rowsOf('Dec 24 10:00-12:00')).toEqual(['', 'seasons'])
  })

  it.each(['constructor', '__proto__', 'toString', 'Mo\u0000 10:00', '\u0000', 'PH', 'week', 'Mo-Fr 10:00-18:00; SH -1 day off; XH off'])(
    'the answer to %j has nothing of the inside of the parser',
    async (text) => {
      const answer = await reader.read({ ...paris, countryCode: 'MA', region: null, text })
      const message = answer.ok ? 'read' : answer.message
      expect(message).toMatch(/^[^\p{Cc}\p{Cf}]{3,200}$/u)
      expect(message).not.toMatch(/pull request|https?:|is not a function|undefined|TypeError/)
    },
  )

  it('what is no opening hours gets one plain line', async () => {
    const answer = await read('zu den\nSchulzeiten')
    expect(answer).toMatchObject({ ok: false, reason: 'unreadable' })
    expect(answer.ok ? '' : answer.message).toMatch(/^\S.{3,199}$/)
  })
})

// Not wrong, but dense: half a minute open, half a minute closed, and holidays to be thought of all year.
const dense = `PH off; ${Array.from({ length: 44 }, (_, at) => `${Math.floor(at / 6)}:${at % 6}0-${Math.floor(at / 6)}:${at % 6}5`).join(',')}`

describe('a text cannot keep the reader', () => {
  it('one that takes too long is given up with its thread, and the next is read by another', async () => {
    // A tenth is enough for a plain text in a new thread; the dense one needs four times as much.
    // The time is one of the processor, which runs slower while it is shared, and faster alone.
    await withLongerLimits([400, 100, 800], async (timeMs) => {
      const hasty = openHoursReader({ timeMs, memoryMb: 96 })
      try {
        expect(dense.length).toBeLessThanOrEqual(longestHours)
        const [first, second] = await Promise.all([hasty.read({ ...paris, text: dense }), hasty.read({ ...paris, text: 'Mo 09:00-10:00' })])
        expect(first).toMatchObject({ ok: false, reason: 'too_slow' })
        expect(second).toMatchObject({ ok: true, rows: [{ weekday: 1, opensAt: 540, closesAt: 600 }] })
        expect(hasty.ended()).toBe(1)
      } finally {
        await hasty.close()
      }
    })
  })

  it('one longer than any real one is not looked at', async () => {
    expect(await read(`Mo 09:00-10:00${'; Mo 09:00-10:00'.repeat(40)}`)).toMatchObject({ ok: false, reason: 'too_long' })
    expect(reader.ended()).toBe(0)
  })
})

/** Texts people really wrote, the count before each. */
function realTexts(file: string): string[] {
  return readFileSync(join(openData ?? '', 'opening_hours', file), 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.slice(line.indexOf('\t') + 1))
}

// All of them take minutes: `npm run test:hours`. Otherwise every twenty-fifth, always the same ones.
const step = process.env['HOURS_ALL'] ? 1 : 25

describe.skipIf(!openData)('texts that people really wrote (OPEN_DATA_DIR)', () => {
  it.each([
    ['real_invalid.tsv', 15_065],
    ['real_invalid_but_clear.tsv', 30_342],
    ['osm_opening_hours_all_poi.tsv', 1898],
    ['osm_opening_hours_salons.tsv', 125],
  ])(
    'every one of %s is read or answered with one plain line, by one thread',
    async (file, count) => {
      const texts = realTexts(file)
      expect(texts.length).toBe(count)
      const before = reader.ended()
      const slow: string[] = []
      const wrong: unknown[] = []
      const sum = { read: 0, refused: 0 }
      for (const text of texts.filter((_, at) => at % step === 0)) {
        const answer = await read(text)
        if (answer.ok) {
          sum.read++
          if (answer.rows.some(({ weekday, opensAt, closesAt }) => !isRow(weekday, opensAt, closesAt))) wrong.push([text, answer.rows])
        } else {
          sum.refused++
          if (answer.reason === 'too_slow' || answer.reason === 'too_much_memory') slow.push(text)
          else if (!/^[^\n]{3,200}$/.test(answer.message) || /\bat .*\(.*:\d+:\d+\)|node_modules/.test(answer.message))
            wrong.push([text, answer])
        }
      }
      expect(wrong).toEqual([])
      expect(sum.read + sum.refused).toBe(Math.ceil(count / step))
      // No thread ended for another reason, and none of these texts is slow again: what a machine held up once is no fault of the text.
      expect(reader.ended() - before).toBe(slow.length)
      for (const text of slow)
        await withLongerLimits([1000, 1000, 3000], async (timeMs) => {
          const again = openHoursReader({ timeMs, memoryMb: 96 })
          try {
            expect(await again.read({ ...paris, text })).not.toMatchObject({ reason: expect.stringMatching(/^too_/) })
          } finally {
            await again.close()
          }
        })
    },
    600_000,
  )
})

function isRow(weekday: number, opensAt: number, closesAt: number): boolean {
  return weekday >= 1 && weekday <= 7 && opensAt >= 0 && opensAt <= 1439 && closesAt > opensAt && closesAt <= 2880
}
