/** What lies in a zip, as tests look into one. */
import { inflateRawSync } from 'node:zlib'
import type { TestApp } from './test-app.ts'

/** The files of a zip by their names, from its table of contents. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50;) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]
    const [bytes, local] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(from, from + bytes)
    files.set(zip.toString('utf8', at + 46, at + 46 + name), zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed))
    at += 46 + name + extra + comment
  }
  return files
}

export interface OwnData {
  /** The texts, as they stand in the file. */
  text: string
  exportedAt: string
  data: Record<string, Record<string, unknown>[]>
  files: Map<string, Buffer>
}
/** Everything that is held about somebody, as they take it along. */
export async function ownDataOf(t: TestApp, { token }: { token: string }): Promise<OwnData> {
  const answer = await t.app.inject({ url: '/api/v1/secure/client/export.zip', headers: { authorization: `Bearer ${token}` } })
  if (answer.statusCode !== 200 || answer.headers['content-type'] !== 'application/zip')
    throw new Error(`${answer.statusCode} ${answer.body}`)
  const files = unzip(answer.rawPayload)
  const text = files.get('data.json')?.toString() ?? ''
  files.delete('data.json')
  return { text, ...(JSON.parse(text) as Pick<OwnData, 'exportedAt' | 'data'>), files }
}
