/** Files people send: opened in a process of their own, made anew, kept by key, and gone when nothing names them. */
import type { SentFile } from '@soigne/contract/define'
import { dayMs, hourMs } from '@soigne/contract/time'
import type { AppContext } from '#/platform/app-context.ts'
import type { FileProblem, MadePicture } from '#/platform/decoder.ts'
import { type InstituteScope, type SelfScope, systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { type RefusalError, refuse } from '#/platform/refuse.ts'
import { addressOf, newKey, variantKey } from './addresses.ts'
import { mostPixels, type Purpose, purposes } from './purposes.ts'
import {
  adoptPictureOf,
  deleteFile,
  dropOldestWaiting as dropOldest,
  findRemovable,
  findUsed,
  type GivenFile,
  insertFile,
  markDropped,
  markUsed,
  type NewFile,
  passFile,
  type Removable,
  setWaiting,
} from './store.ts'

/** Nobody needs this long from sending a file to using it. */
const arrivalMs = hourMs
/** Except for pictures of an institute that is being set up. */
const draftMs = 30 * dayMs

/** Whoever a file can belong to. */
export type OwnerScope = SelfScope | InstituteScope<never>

/** Removing what nobody needs, whosever it was, and serving what a signed address proves. */
const system = systemScope('files')

/** A file that is kept, but that nothing names yet. */
export interface TakenFile {
  id: string
  key: string
  /** Of pictures, in pixels. */
  width: number | null
  height: number | null
}

interface Content {
  mediaType: string
  width: number | null
  height: number | null
  main: Uint8Array
  smaller: MadePicture[]
}

/** The problem with what its sentence needs. */
const problems: Record<FileProblem, string> = {
  not_picture: 'not_picture:JPEG, PNG, WebP',
  not_document: 'not_document:PDF',
  too_many_pixels: `too_many_pixels:${mostPixels / 1_000_000}`,
  too_costly: 'too_costly',
}
const refuseFile = (field: string, problem: FileProblem): RefusalError => refuse('wrong_type', { fields: { [field]: problems[problem] } })

async function open({ decoder }: AppContext, purpose: Purpose, { field, bytes }: SentFile): Promise<Content> {
  const wanted = purposes[purpose]
  if (wanted.kind === 'document') {
    const answer = await decoder.document(bytes)
    if (!answer.ok) throw refuseFile(field, answer.problem)
    if (!(wanted.types as readonly string[]).includes(answer.document)) throw refuseFile(field, 'not_document')
    return { mediaType: answer.document, width: null, height: null, main: bytes, smaller: [] }
  }
  const answer = await decoder.picture(bytes, wanted.shape)
  if (!answer.ok) throw refuseFile(field, answer.problem)
  const [main, ...smaller] = answer.pictures
  if (!main) throw new Error('the decoder made no picture')
  return { mediaType: 'image/webp', width: main.width, height: main.height, main: main.bytes, smaller }
}

/** What people call a file, without what a file system or a header could trip over. */
const fileName = (name: string | null): string | null =>
  name
    ?.replace(/^[^]*[/\\]/, '')
    .replace(/[\p{C}"<>|:*?]/gu, '')
    .trim()
    .slice(0, 120)
    .toWellFormed() || null

/** Opens a file, makes it anew and keeps it. It is removed again unless `useFile` follows within an hour. @throws wrong_type naming the field */
export async function takeFile(context: AppContext, scope: OwnerScope, purpose: Purpose, sent: SentFile): Promise<TakenFile> {
  const { files, database, clock } = context
  const { mediaType, width, height, main, smaller } = await open(context, purpose, sent)
  const { kind, isPrivate } = purposes[purpose]
  const key = newKey(isPrivate, mediaType)
  const file: NewFile = {
    key,
    purpose,
    kind,
    mediaType,
    name: kind === 'document' ? fileName(sent.name) : null,
    bytes: main.length,
    width,
    height,
    isPrivate,
    variants: smaller.map(({ size, width, height, bytes }) => ({ size, width, height, bytes: bytes.length })),
  }
  const id = await insertFile(database.db, scope, file, new Date(clock.now()))
  await Promise.all([
    files.put(key, main, mediaType),
    ...smaller.map(({ size, bytes }) => files.put(variantKey(key, size), bytes, mediaType)),
  ])
  return { id, key, width, height }
}

/** In the transaction of what names the file. @throws unavailable when it took so long that the file is gone */
export async function useFile(transaction: Db, scope: OwnerScope, { id }: TakenFile): Promise<void> {
  if (!(await markUsed(transaction, scope, id))) throw refuse('unavailable', undefined, { retryAfter: 1 })
}

/** In the transaction in which an institute names the picture: whoever sent it has it no more. Its address; null when it is not theirs, or gone. */
export async function giveFile(transaction: Db, given: GivenFile & { purpose: Purpose }): Promise<string | null> {
  const key = await passFile(transaction, system, given)
  // Pictures of institutes are public: their addresses carry no proof.
  return key === null ? null : addressOf('', 0, key)
}

/** In the transaction that names pictures before they are given; false when one is not theirs, or gone. */
export const keepWaiting = async (transaction: Db, ownerId: string, ids: readonly string[]): Promise<boolean> =>
  ids.length === 0 || (await setWaiting(transaction, system, ownerId, ids, false)) === ids.length

/** In the transaction after which nothing names them: they wait in their draft again. */
export const releaseWaiting = async (transaction: Db, ownerId: string, ids: readonly string[]): Promise<void> =>
  void (ids.length > 0 && (await setWaiting(transaction, system, ownerId, ids, true)))

export const dropOldestWaiting = (transaction: Db, scope: SelfScope, most: number): Promise<void> => dropOldest(transaction, scope, most)

/** Before somebody's profile picture is dropped: one of before the table is noted, unless the fill has done so. */
export const notePictureOf = (transaction: Db, scope: SelfScope): Promise<void> => adoptPictureOf(transaction, scope)

/** In the transaction after which nothing names the file any more; `removeDropped` removes its bytes after the commit. */
export const dropFile = (transaction: Db, scope: OwnerScope, key: string): Promise<void> => markDropped(transaction, scope, key)

async function removeFile({ files, database }: AppContext, { key, sizes }: Removable): Promise<void> {
  await Promise.all([key, ...sizes.map((size) => variantKey(key, size))].map((one) => files.remove(one)))
  await deleteFile(database.db, system, key)
}

/** Removes the bytes of files nobody needs, also those a killed process has left; how many. One that cannot be removed now is tried again later. */
export async function removeDropped(context: AppContext, most = 100): Promise<number> {
  let removed = 0
  const now = context.clock.now()
  const due = { before: new Date(now - arrivalMs), draftsBefore: new Date(now - draftMs), most }
  for (const file of await findRemovable(context.database.db, system, due)) {
    await removeFile(context, file).then(
      () => removed++,
      (error: unknown) => context.log.warn({ err: error, key: file.key }, 'a file could not be removed'),
    )
  }
  return removed
}

/** Where a file is served: for good when it is public, for an hour when it is private. `size` asks for a smaller picture. */
export const fileAddress = ({ settings, clock }: AppContext, key: string, size?: number): string =>
  addressOf(settings.secret, clock.now(), key, size)

/** A private file in use, for whoever has its address: that is the proof. */
export const usedFile = ({ database }: AppContext, key: string): Promise<{ kind: 'image' | 'document'; name: string | null } | null> =>
  findUsed(database.db, system, key)
