// The browser's way to the server: `api.login({ body })`, every call of the contract under its name.
import type { Calls } from '@soigne/contract/calls'
import type { Answer, Input } from '@soigne/contract/define'
import { ApiError, type RefusalBody } from './api-error.ts'
import { callAddresses } from '#/contract/call-addresses.ts'
import { answerLocale } from './locale.ts'
import { readStored, removeStored, storageKeys } from './storage.ts'

type CallOptions = {
  signal?: AbortSignal
  /** A token that is not stored yet, or no longer. */
  token?: string
  /** It arrives although its page is closed meanwhile. */
  outlivesPage?: boolean
}

type CallArguments<K extends keyof Calls> =
  object extends Input<Calls[K]> ? [input?: Input<Calls[K]>, options?: CallOptions] : [input: Input<Calls[K]>, options?: CallOptions]

type Addresses = Partial<Record<keyof Calls, string>>

/** Calls of the contract by name. */
export type ApiOf<A extends Addresses> = {
  readonly [K in keyof A & keyof Calls]: (...parts: CallArguments<K>) => Promise<Answer<Calls[K]>>
}

/** Every part an input may have, before the call's own type narrows it. */
type AnyInput = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  files?: Record<string, Blob | readonly Blob[] | undefined>
  idempotencyKey?: string
}

/** Empty and missing values are left out; lists repeat their name. */
export function queryString(query: Record<string, unknown> = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') pairs.append(name, String(one))
    }
  }
  const text = pairs.toString()
  return text && `?${text}`
}

function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function multipart(files: NonNullable<AnyInput['files']>, fields: unknown): FormData {
  const form = new FormData()
  if (typeof fields === 'object' && fields !== null) {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value))
  }
  for (const [name, given] of Object.entries(files)) {
    for (const file of given instanceof Blob ? [given] : (given ?? [])) form.append(name, file)
  }
  return form
}

async function readRefusal(response: Response): Promise<RefusalBody> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : { message: String(body) }
  } catch {
    return text ? { message: text.slice(0, 500) } : {}
  }
}

/** Without a file the body goes as JSON. */
const filesOf = ({ files }: AnyInput): AnyInput['files'] =>
  files && Object.values(files).some((file) => file !== undefined) ? files : undefined

function headersOf(input: AnyInput, token: string | null): Headers {
  const headers = new Headers({ 'accept-language': answerLocale() })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (input.body !== undefined && !filesOf(input)) headers.set('content-type', 'application/json')
  if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey)
  return headers
}

function bodyOf(input: AnyInput): BodyInit | null {
  const files = filesOf(input)
  if (files) return multipart(files, input.body)
  return input.body === undefined ? null : JSON.stringify(input.body)
}

/** A token the server no longer knows is forgotten, unless another sign-in has replaced it meanwhile. */
function forgetToken(token: string | null): void {
  if (token && readStored(storageKeys.token) === token) removeStored(storageKeys.token)
}

async function send(address: string, input: AnyInput = {}, options: CallOptions = {}): Promise<unknown> {
  const space = address.indexOf(' ')
  const path = address.slice(space + 1)
  const token = path.startsWith('/api/v1/secure/') ? (options.token ?? readStored(storageKeys.token)) : null
  const response = await fetch(fillPath(path, input.params) + queryString(input.query), {
    method: address.slice(0, space),
    headers: headersOf(input, token),
    body: bodyOf(input),
    signal: options.signal ?? null,
    keepalive: options.outlivesPage ?? false,
  })
  if (!response.ok) {
    if (response.status === 401) forgetToken(token)
    throw new ApiError(response.status, await readRefusal(response))
  }
  const isJson = response.headers.get('content-type')?.includes('json')
  return isJson ? response.json() : response.blob()
}

function bind(address: string) {
  return (input?: AnyInput, options?: CallOptions) => send(address, input, options)
}

/** Every call of a table. Its keys are the contract's, so each bound call has its contract type; the mapping cannot say so by itself. */
export const bindCalls = <const A extends Addresses>(addresses: A): ApiOf<A> =>
  Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, bind(address)])) as unknown as ApiOf<A>

export const api = bindCalls(callAddresses)
