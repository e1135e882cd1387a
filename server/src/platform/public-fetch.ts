/**
 * Asking an address that somebody typed. Only servers of the public internet are asked, whatever a name leads to, also after a redirect: the address that was
 * looked at is the one that is connected to, so a name that changes its mind leads nowhere. Little is waited for and little is read.
 */
import { lookup } from 'node:dns'
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import ipaddr from 'ipaddr.js'

export type FetchProblem = 'unreachable' | 'refused' | 'private' | 'too_large'
export type Fetched = { problem: FetchProblem } | { status: 200; text: string; headers: IncomingMessage['headers'] } | { status: 304 }

export interface FetchLimits {
  /** From the first question to the last letter. */
  timeoutMs: number
  /** Of what is read, unpacked. */
  mostBytes: number
  /** For trials: this machine and private networks too, and without TLS. */
  anywhere: boolean
}

const mostRedirects = 3

class Refused extends Error {
  readonly problem: FetchProblem
  constructor(problem: FetchProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Neither this machine, nor its networks, nor any other that not everybody can reach. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const [first] = found
    if (!first || found.some(({ address }) => !isPublicAddress(address))) return done(new Refused('private'), '')
    return options.all ? done(null, found) : done(null, first.address, first.family)
  })
}

function checkUrl(url: URL, anywhere: boolean): void {
  if (anywhere ? !/^https?:$/.test(url.protocol) : url.protocol !== 'https:') throw new Refused('private')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Nobody looks an address up that is one already.
  if (!anywhere && ipaddr.isValid(host) && !isPublicAddress(host)) throw new Refused('private')
}

function ask(url: URL, headers: Record<string, string>, { anywhere }: FetchLimits, signal: AbortSignal): Promise<IncomingMessage> {
  checkUrl(url, anywhere)
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    // No connection is kept: the next question is looked up anew.
    send(url, { headers, signal, agent: false, ...(!anywhere && { lookup: publicLookup }) }, resolve)
      .on('error', reject)
      .end()
  })
}

/** The text, unpacked, as long as it is not too long. */
async function bodyOf(answer: IncomingMessage, mostBytes: number): Promise<string> {
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > mostBytes) done(new Refused('too_large'))
      else done(null, chunk)
    },
  })
  const unpack = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[answer.headers['content-encoding'] ?? '']
  // What goes wrong on the way ends the stream that is read.
  const ignore = (): void => {}
  if (unpack) pipeline(answer, unpack(), counted, ignore)
  else pipeline(answer, counted, ignore)
  return text(counted)
}

async function follow(start: URL, headers: Record<string, string>, limits: FetchLimits, signal: AbortSignal): Promise<Fetched> {
  let url = start
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(url, headers, limits, signal)
    const { statusCode: status = 0, headers: told } = answer
    if (status === 200) return { status, text: await bodyOf(answer, limits.mostBytes), headers: told }
    answer.destroy()
    if (status === 304) return { status }
    if (status < 300 || status >= 400 || !told.location) return { problem: status >= 500 || status === 429 ? 'unreachable' : 'refused' }
    if (redirects === mostRedirects) return { problem: 'unreachable' }
    url = new URL(told.location, url)
  }
}

/** Asks with GET. What is wrong is answered, nothing is thrown. */
export async function fetchPublic(url: URL, headers: Record<string, string>, limits: FetchLimits): Promise<Fetched> {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  try {
    return await follow(url, { 'accept-encoding': 'gzip, deflate, br', ...headers }, limits, signal)
  } catch (error) {
    return { problem: error instanceof Refused ? error.problem : 'unreachable' }
  }
}
