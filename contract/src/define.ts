/** The shape of one call: plain data shared by the server (which validates and documents it) and the browser (which calls it). */
import type * as z from 'zod/mini'
import type { AccessRule } from './access.ts'
import type { RefusalCode } from './refusals.ts'

type Schema = z.ZodMiniType

/** How many files a field takes, and how large each may be. */
export interface FileField {
  /** 0 when the field may be left out; 1 when absent. */
  readonly least?: 0 | 1
  readonly most: number
  /** Bytes of one file, in whole megabytes of 1,000,000. */
  readonly bytes: number
}

/** A file as the server's handler gets it. */
export interface SentFile {
  /** Its field, with its place (`pictures.1`) where there may be several: what refusals name. */
  field: string
  /** What its sender calls it: never to be trusted. */
  name: string | null
  bytes: Uint8Array
}

/** One HTTP call. Paths use `:name` for parameters; `query`, `body` and `params` are validated before any code runs. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/api/v1/${string}`
  /** Who may make the call, and over whose rows it reaches. */
  readonly access: AccessRule
  readonly tag: string
  readonly summary: string
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** The file fields of a multipart call; text fields beside them are the `body`. When all may be left out, the body may come as JSON. */
  readonly files?: Readonly<Record<string, FileField>>
  /** True where a signature covers the bytes as they came: the handler gets them untouched and of any content type, and reads them itself. Such a call has no `body`. */
  readonly rawBody?: true
  /** True where a public address itself opens what is somebody's: no cache keeps the answer. */
  readonly secretAddress?: true
  /** True when an `Idempotency-Key` header is honoured: the same key gives the first answer again. */
  readonly idempotent?: boolean
  /** Status of success; 200 when absent. */
  readonly status?: 200 | 201
  /** JSON answer, or a media type such as `text/calendar` for a binary answer (a blob in the browser). */
  readonly answer: Schema | `${string}/${string}`
  /** Refusals a caller should expect beyond the general ones (bad_input, those of its access rule, not_found, too_many_requests). */
  readonly refusals?: readonly RefusalCode[]
}

/** Keeps the literal types of a group of calls. */
export const defineCalls = <const Group extends Record<string, Call>>(group: Group): Group => group

type Out<T> = T extends Schema ? z.output<T> : undefined
type In<T, Key extends string> = T extends Schema
  ? Record<string, never> extends z.input<T>
    ? { [K in Key]?: z.input<T> }
    : { [K in Key]: z.input<T> }
  : unknown

type FileFields = Readonly<Record<string, FileField>>
type OneOrMore<F extends FileField> = F['most'] extends 1 ? Blob : readonly Blob[]
type FilesIn<F extends FileFields> = { [Name in keyof F as F[Name]['least'] extends 0 ? never : Name]: OneOrMore<F[Name]> } & {
  [Name in keyof F as F[Name]['least'] extends 0 ? Name : never]?: OneOrMore<F[Name]>
}

/** What a caller passes: params, query, body and files as the call declares them. */
export type Input<C extends Call> = In<C['params'], 'params'> &
  In<C['query'], 'query'> &
  In<C['body'], 'body'> &
  (C['files'] extends FileFields ? { files: FilesIn<C['files']> } : unknown) &
  (C['rawBody'] extends true ? { rawBody: Uint8Array } : unknown) &
  (C['idempotent'] extends true ? { idempotencyKey?: string } : unknown)

/** What the server's handler receives after validation. */
export interface Parsed<C extends Call> {
  params: Out<C['params']>
  query: Out<C['query']>
  body: Out<C['body']>
  files: C['files'] extends FileFields ? { [Name in keyof C['files']]: readonly SentFile[] } : undefined
}

/** What the caller gets back. */
export type Answer<C extends Call> = C['answer'] extends Schema ? z.output<C['answer']> : Blob

/** What the server's handler returns (a binary answer is a string or bytes, or a stream of them). */
export type Reply<C extends Call> = C['answer'] extends Schema ? z.input<C['answer']> : string | Uint8Array | AsyncIterable<Uint8Array>
