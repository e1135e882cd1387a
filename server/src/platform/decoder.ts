/** What strangers send is opened in a process of its own, with limits of time, memory and pixels. */
import { join } from 'node:path'
import type { Log } from './log.ts'
import { LostWork, openProcessPool, type ProcessPool } from './process-pool.ts'
import { refuse } from './refuse.ts'

/** What becomes of a picture. */
export interface PictureShape {
  /** `square`: the middle of it, made as large as asked. `inside`: all of it, never made larger. */
  fit: 'square' | 'inside'
  /** Longest sides in pixels; the largest is the picture itself, the others are its variants. */
  sizes: readonly number[]
  /** A picture with more is not opened. */
  pixels: number
}

export interface MadePicture {
  /** The size that was asked for. */
  size: number
  bytes: Uint8Array
  width: number
  height: number
}

/** Why a file is not taken. */
export type FileProblem = 'not_picture' | 'not_document' | 'too_many_pixels' | 'too_costly'

type Failed = { ok: false; problem: FileProblem }
export interface DecoderQuestion {
  bytes: Uint8Array
  /** Absent for a document. */
  shape?: PictureShape
}
export type DecoderAnswer = { ok: true; pictures: MadePicture[] } | { ok: true; document: string } | Failed

export interface Decoder {
  /** A JPEG, PNG or WebP as WebP in every size, the largest first; upright, in sRGB, without metadata. */
  picture(bytes: Uint8Array, shape: PictureShape): Promise<{ ok: true; pictures: MadePicture[] } | Failed>
  /** The media type a document's own bytes tell. */
  document(bytes: Uint8Array): Promise<{ ok: true; document: string } | Failed>
  close(): void
}

/** Forty million pixels of four bytes, twice, and what Node itself needs. */
const memoryMb = 600

export function openDecoder(log: Log, limits: { limitMs?: number; memoryMb?: number } = {}): Decoder {
  const pool: ProcessPool = openProcessPool({
    program: join(import.meta.dirname, 'decoder-process.mjs'),
    atOnce: 2,
    waiting: 20,
    limitMs: 20_000,
    idleMs: 30_000,
    memoryMb,
    ...limits,
  })
  const ask = async (question: DecoderQuestion): Promise<DecoderAnswer> => {
    try {
      return (await pool.run(question)) as DecoderAnswer
    } catch (error) {
      if (!(error instanceof LostWork)) throw error
      if (error.reason === 'full') throw refuse('too_many_requests', undefined, { retryAfter: 2 })
      if (error.reason === 'closed') throw refuse('unavailable', undefined, { retryAfter: 2 })
      log.warn({ reason: error.reason, bytes: question.bytes.length }, 'a file was too much for the process that opens files')
      return { ok: false, problem: 'too_costly' }
    }
  }
  return {
    async picture(bytes, shape) {
      const answer = await ask({ bytes, shape })
      if (!answer.ok || 'pictures' in answer) return answer
      throw new Error('the decoder took a picture for a document')
    },
    async document(bytes) {
      const answer = await ask({ bytes })
      if (!answer.ok || 'document' in answer) return answer
      throw new Error('the decoder took a document for a picture')
    },
    close: () => pool.close(),
  }
}
