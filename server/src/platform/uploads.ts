/** Reads the files of a call: as many and as large as the contract says, and no more bytes at once than the process can hold. */
import type { Call, FileField, SentFile } from '@soigne/contract/define'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type RefusalError, refuse } from './refuse.ts'

type FileFields = NonNullable<Call['files']>

export interface Upload {
  /** Fields that are text, as a form sends them. */
  fields: Record<string, string>
  files: Record<string, SentFile[]>
}

/** How many bytes of uploads a process holds at once. */
export interface UploadBudget {
  /** A share for one request. `take` refuses with unavailable when there is no more; `giveBack` ends it. */
  open(): { take(bytes: number): void; giveBack(): void }
}

export function uploadBudget(most: number): UploadBudget {
  let held = 0
  return {
    open() {
      let taken = 0
      return {
        take(bytes) {
          if (held + bytes > most) throw refuse('unavailable', undefined, { retryAfter: 2 })
          held += bytes
          taken += bytes
        },
        giveBack() {
          held -= taken
          taken = 0
        },
      }
    },
  }
}

/** Text beside files: a few fields of a form. */
const fieldLimits = { fields: 20, fieldNameSize: 80, fieldSize: 20_000 }

/** What a file is called in refusals: by its field, and by its place where there may be several. */
const placeOf = (name: string, { most }: FileField, index: number): string => (most === 1 ? name : `${name}.${index}`)
const problem = (field: string, what: string): RefusalError => refuse('bad_input', { fields: { [field]: what } })

async function readFile(part: MultipartFile, field: string, limit: number, take: (bytes: number) => void): Promise<SentFile> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw refuse('too_large', { fields: { [field]: `file_too_large:${limit / 1_000_000}` } })
    take(chunk.length)
    chunks.push(chunk)
  }
  if (length === 0) throw problem(field, 'required')
  return { field, name: part.filename || null, bytes: Buffer.concat(chunks, length) }
}

async function readParts(parts: AsyncIterable<Multipart>, declared: FileFields, take: (bytes: number) => void): Promise<Upload> {
  const upload: Upload = { fields: {}, files: Object.fromEntries(Object.keys(declared).map((name) => [name, []])) }
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.valueTruncated || part.fieldnameTruncated) throw problem(part.fieldname, `too_long:${fieldLimits.fieldSize}`)
      if (typeof part.value === 'string') upload.fields[part.fieldname] = part.value
      continue
    }
    const field = Object.hasOwn(declared, part.fieldname) ? declared[part.fieldname] : undefined
    const files = upload.files[part.fieldname]
    if (!field || !files) part.file.resume()
    else if (files.length >= field.most) throw problem(part.fieldname, `too_many_files:${field.most}`)
    else files.push(await readFile(part, placeOf(part.fieldname, field, files.length), field.bytes, take))
  }
  for (const [name, { least = 1 }] of Object.entries(declared))
    if ((upload.files[name]?.length ?? 0) < least) throw problem(name, 'required')
  return upload
}

/** The files of a request with the text beside them. @throws bad_input, too_large, wrong_type naming the field; unavailable */
export async function readUpload(request: FastifyRequest, declared: FileFields, take: (bytes: number) => void): Promise<Upload> {
  const names = Object.keys(declared)
  const mayBeNone = names.every((name) => declared[name]?.least === 0)
  if (!request.isMultipart()) {
    if (!mayBeNone) throw refuse('wrong_type')
    return { fields: (request.body ?? {}) as Record<string, string>, files: Object.fromEntries(names.map((name) => [name, []])) }
  }
  const fields = Object.values(declared)
  // One more of each than is allowed: what is too much is refused by its own name above.
  const files = fields.reduce((sum, { most }) => sum + most, 1)
  const limits = { ...fieldLimits, files, fileSize: Math.max(...fields.map(({ bytes }) => bytes)) + 1, parts: files + fieldLimits.fields }
  try {
    return await readParts(request.parts({ limits }), declared, take)
  } catch (error) {
    // What is still coming is let go by, so that the answer can be read on the other side.
    request.raw.unpipe()
    request.raw.resume()
    // The parser of forms throws plain errors about what it was sent; faults of ours are of other classes.
    if (Object.getPrototypeOf(error) === Error.prototype) throw problem(names[0] ?? 'body', 'invalid')
    throw error
  }
}
