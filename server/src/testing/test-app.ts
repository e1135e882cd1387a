/** The real app on a database of its own, with a clock that tests set. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import type pg from 'pg'
import { inject as provided } from 'vitest'
import { type BuiltApp, buildApp } from '#/app.ts'
import { listSent, type StoredMail } from '#/features/mails/store.ts'
import { systemScope } from '#/platform/access.ts'
import { standingClock } from '#/platform/clock.ts'
import { type Database, openDatabase } from '#/platform/database.ts'
import { openDecoder } from '#/platform/decoder.ts'
import { afterCommit, dispatchEvents } from '#/platform/reactions.ts'
import { drainJobs } from '#/platform/jobs.ts'
import { openLive } from '#/platform/live.ts'
import { openLog } from '#/platform/log.ts'
import { openMail } from '#/platform/mail.ts'
import { openFileStore } from '#/platform/open-file-store.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { reactions } from '#/reactions.ts'
import { appRole, asUser, workerRole } from '#/platform/roles.ts'
import { readSettings } from '#/settings.ts'
import { checkWhatIsSent } from '#/platform/statement.ts'
import { PaymentBook } from './payment-book.ts'
import { cloneTemplate } from './test-database.ts'

export interface TestAnswer {
  status: number
  // Tests read answers of many shapes; each test states what it expects of them.
  body: TestBody
  headers: Record<string, string | string[] | number | undefined>
  text: string
}
export interface TestBody {
  [key: string]: TestValue
}
export type TestValue = string & number & boolean & TestBody & TestValue[]

export interface TestApp extends BuiltApp {
  context: AppContext
  /** Who takes money. */
  payments: PaymentBook
  /** For another app on the same database. */
  databaseUrl: string
  /** As the owner of the schema: what tests lay out and look at. The app itself has the rights of the app. */
  db: Database
  ownerPool: pg.Pool
  clock: ReturnType<typeof standingClock>
  inject(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: {
      body?: unknown
      token?: string
      locale?: string
      headers?: Record<string, string>
      payload?: InjectOptions['payload']
      /** The address it comes from. */
      remoteAddress?: string
    },
  ): Promise<TestAnswer>
  drainJobs(): Promise<void>
  /** Letters delivered to an address, newest first, after running what is due. */
  mails(to: string): Promise<StoredMail[]>
  close(): Promise<void>
}

/** Noon in Paris on a Friday, unless told otherwise. */
const defaultNow = '2026-11-20T11:00:00Z'

export async function openTestApp(
  options: {
    at?: string
    settings?: Record<string, string>
    logLevel?: string
    databaseUrl?: string
    patienceMs?: number
    answerMs?: number
    /** Of another app, which shares it. */
    payments?: PaymentBook
  } = {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-test-'))
  const clone =
    options.databaseUrl === undefined ? await cloneTemplate(provided('databaseServer')) : { url: options.databaseUrl, drop: async () => {} }
  const settings = readSettings({
    DATA_DIR: dataDir,
    SEED: 'none',
    LOG_LEVEL: options.logLevel ?? process.env['TEST_LOG'] ?? 'silent',
    MAP_STYLE_URL: 'none',
    // Tests ask more at once than people do; those of the budgets say so.
    LIMIT_BUDGETS: '10000000',
    ...options.settings,
  })
  const log = openLog(settings.logLevel)
  checkWhatIsSent(true)
  const database = openDatabase(asUser(clone.url, appRole), {
    size: 5,
    onError: () => {},
    answerMs: options.answerMs ?? 60_000,
    workerUrl: asUser(clone.url, workerRole),
  })
  const owner = openDatabase(clone.url, { size: 4, onError: () => {}, answerMs: options.answerMs ?? 60_000 })
  const clock = standingClock(options.at ?? defaultNow)
  const payments = options.payments ?? new PaymentBook()
  const context: AppContext = {
    settings,
    database,
    clock,
    trialClock: null,
    log,
    files: await openFileStore(settings),
    decoder: openDecoder(log, { limitMs: 100_000 }),
    payments,
    mail: openMail(null, settings.mailFrom),
    live: openLive(),
    reactions,
    // Tests depend on no quiet machine.
    patienceMs: options.patienceMs ?? 60_000,
    roomLeft: async () => Number.POSITIVE_INFINITY,
    publicUrl: () => 'http://soigne.test',
  }
  const built = await buildApp(context)
  await built.app.ready()
  const drain = async (): Promise<void> => {
    await dispatchEvents(database.working.db, afterCommit(reactions))
    await drainJobs(database.working, built.jobs, log)
  }
  return {
    ...built,
    context,
    payments,
    databaseUrl: clone.url,
    db: owner.db,
    ownerPool: owner.pool,
    clock,
    async inject(method, path, request = {}) {
      const headers: Record<string, string> = {
        ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
        ...(request.locale ? { 'accept-language': request.locale } : {}),
        ...request.headers,
      }
      const payload = request.payload ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
      if (request.body !== undefined && request.payload === undefined) headers['content-type'] ??= 'application/json'
      const { remoteAddress } = request
      const more = { ...(payload === undefined ? {} : { payload }), ...(remoteAddress === undefined ? {} : { remoteAddress }) }
      const response = await built.app.inject({ method, url: path, headers, ...more })
      const isJson = String(response.headers['content-type'] ?? '').includes('json')
      return {
        status: response.statusCode,
        body: (isJson ? response.json() : {}) as TestBody,
        headers: response.headers,
        text: response.body,
      }
    },
    drainJobs: drain,
    async mails(to) {
      await drain()
      return listSent(owner.db, systemScope('test'), to, 100)
    },
    async close() {
      await built.app.close()
      context.decoder.close()
      context.files.close()
      await database.close()
      await owner.close()
      await clone.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
