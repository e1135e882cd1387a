import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTransaction } from '#/platform/database.ts'
import type { Letter } from '#/platform/mail.ts'
import { holdRetries } from '#/testing/held-retries.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { systemScope } from '#/platform/access.ts'
import { dueMails } from './store.ts'
import { type Posting, postMail, postMails } from './service.ts'

let t: TestApp
let delivered: Letter[]
let isDown = false
/** How often letters with a subject still fail. */
let failing: Map<string, number>
beforeAll(async () => {
  t = await openTestApp()
  await holdRetries(t.ownerPool)
  t.context.mail.deliver = async (letter) => {
    if (isDown) throw new Error('mail server away')
    const left = failing.get(letter.subject) ?? 0
    failing.set(letter.subject, left - 1)
    if (left > 0) throw new Error('not this one')
    delivered.push(letter)
  }
})
afterAll(() => t.close())
beforeEach(() => {
  delivered = []
  isDown = false
  failing = new Map()
})

const posting = (more: Partial<Posting> = {}): Posting => ({
  dedupeKey: randomUUID(),
  kind: 'test',
  to: 'ines@people.test',
  content: { locale: 'en', subject: 'Hello', name: 'Inès', paragraphs: ['One & only <b>'] },
  ...more,
})
describe('what opens an account', () => {
  const secret = (more: Partial<Posting> = {}): Posting =>
    posting({ kind: 'email_code', content: { locale: 'en', subject: 'Code', name: null, paragraphs: ['Here'], code: '123456' }, ...more })
  const stored = async (dedupeKey: string): Promise<string> =>
    (await sql<{ words: string }>`select html || body || subject as words from mails where dedupe_key = ${dedupeKey}`.execute(t.db)).rows[0]
      ?.words ?? 'gone'

  it('is not kept once it has left, other letters are for a month', async () => {
    const { mail } = t.context
    t.context.mail = { ...mail, leaves: true }
    const [code, other] = [secret(), posting()]
    await inTransaction(t.db, (transaction) => postMails(transaction, [code, other]))
    expect(await stored(code.dedupeKey)).toContain('123456')
    await t.drainJobs()
    t.context.mail = mail
    expect(delivered.find(({ subject }) => subject === 'Code')?.text).toContain('123456')
    expect(await stored(code.dedupeKey)).toBe('Code')
    t.clock.advance(29 * 86_400_000)
    await t.jobs['tidy_mails']?.({})
    expect(await stored(other.dedupeKey)).toContain('only')
    t.clock.advance(2 * 86_400_000)
    await t.jobs['tidy_mails']?.({})
    expect(await stored(other.dedupeKey)).toBe('gone')
  })

  it('is shown in the mailbox of a trial for a day', async () => {
    const code = secret()
    await inTransaction(t.db, (transaction) => postMail(transaction, code))
    await t.drainJobs()
    await t.jobs['tidy_mails']?.({})
    expect(await stored(code.dedupeKey)).toContain('123456')
    t.clock.advance(86_400_001)
    await t.jobs['tidy_mails']?.({})
    expect(await stored(code.dedupeKey)).toBe('Code')
  })
})

/** A letter that carries a code of a quarter of an hour. */
const codeFor = (to: string): Posting =>
  posting({
    kind: 'email_code',
    to,
    deadAfter: new Date(t.clock.now() + 15 * 60_000),
    content: { locale: 'en', subject: 'Code', name: null, paragraphs: ['Here'], code: '654321' },
  })

const tryAgainNow = () => sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(t.db)

describe('a letter', () => {
  it('is sent after the commit of its fact, once', async () => {
    await inTransaction(t.db, (transaction) => postMail(transaction, posting()))
    await t.drainJobs()
    await t.drainJobs()
    expect(delivered.map(({ to, subject }) => [to, subject])).toEqual([['ines@people.test', 'Hello']])
  })

  it('with a code that is dead by the time the mail server is back is not sent, and kept nowhere; one that still lives is', async () => {
    isDown = true
    const [late, early] = [`${randomUUID()}@people.test`, `${randomUUID()}@people.test`]
    await postMail(t.db, codeFor(late))
    await t.drainJobs()
    t.clock.advance(10 * 60_000)
    await postMail(t.db, codeFor(early))
    await t.drainJobs()
    t.clock.advance(5 * 60_000)
    isDown = false
    const kept = () => sql`select body || html as words, sent_at from mails where recipient = ${late}`.execute(t.db)
    // The worker writes down a failure a moment after its run has ended.
    await vi.waitFor(
      async () => {
        await tryAgainNow()
        await t.drainJobs()
        expect(delivered.map(({ to }) => to)).toEqual([early])
        expect((await kept()).rows).toEqual([{ words: '', sent_at: null }])
      },
      { timeout: 60_000, interval: 50 },
    )
  })

  it('of a fact that was taken back is never sent', async () => {
    await inTransaction(t.db, async (transaction) => {
      await postMail(transaction, posting())
      throw new Error('taken back')
    }).catch(() => {})
    await t.drainJobs()
    expect(delivered).toEqual([])
  })

  it('of one fact is one letter, however often it is posted', async () => {
    const same = posting()
    await Promise.all(Array.from({ length: 5 }, () => inTransaction(t.db, (transaction) => postMail(transaction, same))))
    await t.drainJobs()
    expect(delivered).toHaveLength(1)
  })

  it('waits for a mail server that is away, then arrives once under the same id', async () => {
    isDown = true
    const to = `${randomUUID()}@people.test`
    await postMail(t.db, posting({ to }))
    await t.drainJobs()
    expect(await t.mails(to)).toEqual([])
    expect((await sql`select last_error as problem from mails where recipient = ${to}`.execute(t.db)).rows).toEqual([
      { problem: 'mail server away' },
    ])
    isDown = false
    // The worker writes down a failure a moment after its run has ended.
    await vi.waitFor(
      async () => {
        await tryAgainNow()
        await t.drainJobs()
        expect(delivered).toHaveLength(1)
      },
      { timeout: 60_000, interval: 50 },
    )
    await tryAgainNow()
    await t.drainJobs()
    expect(delivered).toHaveLength(1)
    expect(await t.mails(to)).toHaveLength(1)
  })

  describe('about a visit', () => {
    const about = (subject: string, appointmentId: string, more: Partial<Posting> = {}): Posting =>
      posting({ appointmentId, content: { locale: 'en', subject, name: null, paragraphs: ['x'] }, ...more })
    const subjects = (): string[] => delivered.map(({ subject }) => subject)

    it('leaves after the one before to the same reader, also when that one failed; nobody else waits', async () => {
      const [visit, other] = [randomUUID(), randomUUID()]
      // With the others, and for itself.
      failing.set('booked', 2)
      await postMails(t.db, [
        about('booked', visit),
        about('of another visit', other),
        about('to another reader', visit, { to: 'b@people.test' }),
      ])
      await t.drainJobs()
      expect(subjects()).not.toContain('booked')
      expect(subjects().toSorted()).toEqual(['of another visit', 'to another reader'])
      await postMails(t.db, [about('moved', visit)])
      await t.drainJobs()
      expect(subjects().slice(2)).toEqual(['booked', 'moved'])
      await vi.waitFor(
        async () => {
          await tryAgainNow()
          await t.drainJobs()
          expect((await sql`select from graphile_worker.jobs where task_identifier like 'send_mail%'`.execute(t.db)).rows).toEqual([])
        },
        { timeout: 60_000, interval: 50 },
      )
      expect(delivered).toHaveLength(4)
    })

    it('is found without looking through all others that wait', async () => {
      await sql`insert into mails (dedupe_key, kind, recipient, subject, html, body, attachments, sent_at)
        select 'sent ' || n, 'test', 'a@b.test', 's', '', '', '[]', now() from generate_series(1, 3000) n`.execute(t.db)
      await sql`analyze mails`.execute(t.db)
      const waiting = await sql<{ id: string }>`insert into mails (dedupe_key, kind, recipient, subject, html, body, attachments)
        select 'waits ' || n, 'test', 'a@b.test', 's', '', '', '[]' from generate_series(1, 500) n returning id`.execute(t.db)
      const ids = waiting.rows.slice(0, 10).map(({ id }) => id)
      const looks = await inTransaction(t.context.database.prepared, async (transaction) => {
        const system = systemScope('a test of letters')
        // As often as a plan is made anew for each; the one after them is kept.
        for (let n = 0; n < 6; n++) expect(await dueMails(transaction, system, ids, 12)).toHaveLength(10)
        const count = async (): Promise<number> =>
          (
            await sql<{
              looks: number
            }>`select (idx_scan + seq_tup_read)::int as looks from pg_stat_xact_user_tables where relname = 'mails'`.execute(transaction)
          ).rows[0]?.looks ?? 0
        const before = await count()
        await dueMails(transaction, system, ids, 12)
        return (await count()) - before
      })
      await sql`delete from mails where recipient = 'a@b.test'`.execute(t.db)
      expect(looks).toBeLessThanOrEqual(30)
    })

    it('does not wait for one that was given up', async () => {
      const visit = randomUUID()
      failing.set('hopeless', Infinity)
      await postMails(t.db, [about('hopeless', visit)])
      await t.drainJobs()
      await sql`update mails set attempts = 12 where appointment_id = ${visit}`.execute(t.db)
      await postMails(t.db, [about('moved', visit)])
      await t.drainJobs()
      expect(subjects()).toEqual(['moved'])
      failing.clear()
      await vi.waitFor(
        async () => {
          await tryAgainNow()
          await t.drainJobs()
          expect(delivered).toHaveLength(2)
        },
        { timeout: 60_000, interval: 50 },
      )
    })

    it('is not sent again when another of its job fails', async () => {
      failing.set('third', 3)
      await postMails(
        t.db,
        ['first', 'second', 'third', 'fourth'].map((subject) => about(subject, randomUUID())),
      )
      await vi.waitFor(
        async () => {
          await tryAgainNow()
          await t.drainJobs()
          expect(subjects()).toContain('third')
        },
        { timeout: 60_000, interval: 50 },
      )
      expect(subjects().toSorted()).toEqual(['first', 'fourth', 'second', 'third'])
    })
  })

  it('shows words as words, never as markup, in both forms', async () => {
    await postMail(
      t.db,
      posting({
        content: {
          locale: 'ar',
          subject: 'a\r\nBcc: x@y.test',
          name: '<script>',
          paragraphs: ['One & only <b>'],
          action: { label: 'Go', url: 'https://soigne.test/?a=1&b="2"' },
          facts: [{ label: 'Note', value: '<img src=x>\nsecond line' }],
        },
      }),
    )
    await t.drainJobs()
    const [letter] = delivered
    expect(letter?.subject).toBe('a Bcc: x@y.test')
    expect(letter?.html).not.toMatch(/<script>|<b>|<img|b="2"/)
    expect(letter?.html).toContain('<html lang="ar" dir="rtl">')
    expect(letter?.text).toContain('One & only <b>')
  })
})

describe('the development mailbox', () => {
  it('shows letters newest first, by recipient whatever the case, as a page and as JSON', async () => {
    const to = `${randomUUID()}@people.test`
    for (const subject of ['first', 'second']) {
      await postMail(t.db, posting({ to, content: { locale: 'en', subject, name: null, paragraphs: ['x'] } }))
      await t.drainJobs()
    }
    const answer = await t.inject('GET', `/dev/mail.json?to=${encodeURIComponent(to.toUpperCase())}`)
    const list = answer.body as unknown as Record<string, unknown>[]
    expect(list.map(({ subject }) => subject)).toEqual(['second', 'first'])
    expect(Object.keys(list[0] ?? {}).toSorted()).toEqual(['at', 'attachments', 'html', 'subject', 'text', 'to'])
    const page = await t.inject('GET', '/dev/mail')
    const path = /\/dev\/mail\/[0-9a-f-]{36}/.exec(page.text)?.[0] ?? ''
    expect((await t.inject('GET', path)).text).toContain('<!doctype html>')
    expect((await t.inject('GET', '/dev/mail/unknown')).status).toBe(404)
  })

  it.each(['%00', '%ED%A0%80', 'a'.repeat(5000), '', "'%20or%201=1"])('takes any word for a recipient (%#)', async (to) => {
    expect((await t.inject('GET', `/dev/mail.json?to=${to}`)).status).toBe(200)
  })
})
