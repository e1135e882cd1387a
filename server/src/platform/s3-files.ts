/** Files in a bucket of S3, or of anything that speaks its language. */
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { checkKey, type FileFacts, type FileStore, typeOfKey } from './file-store.ts'
import { refuse } from './refuse.ts'

/** `https://KEY:SECRET@HOST/BUCKET/PREFIX?region=…`; without a key the machine's own identity is used. */
function openClient(filesUrl: string): { client: S3Client; bucket: string; prefix: string } {
  const url = new URL(filesUrl)
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  const client = new S3Client({
    endpoint: url.origin,
    region: url.searchParams.get('region') ?? 'us-east-1',
    forcePathStyle: true,
    ...(url.username && {
      credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
    }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 15_000, throwOnRequestTimeout: true },
    // Stores other than Amazon's know no checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, bucket, prefix: folders.map((folder) => `${folder}/`).join('') }
}

const isMissing = (error: unknown): boolean => error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404

/** A store that is down or slow is a part that is away; that it does not let us in is a mistake in the settings. */
function asRefusal(error: unknown): never {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const isSlow = (error as Error | null)?.name === 'TimeoutError'
  if (isSlow || status === 429 || (status !== undefined && status >= 500)) throw refuse('unavailable', undefined, { retryAfter: 2 })
  throw error
}

const orNull = (error: unknown): null => (isMissing(error) ? null : asRefusal(error))

const factsOf = (type: string, bytes: number | undefined, etag: string | undefined): FileFacts => ({
  type,
  bytes: bytes ?? 0,
  etag: etag ?? `"${bytes}"`,
})

/** `bytes 0-9/200` → 200 */
const totalOf = (contentRange: string | undefined): number | undefined => {
  const total = Number(contentRange?.split('/')[1])
  return Number.isSafeInteger(total) ? total : undefined
}

export function openS3Files(filesUrl: string): FileStore {
  const { client, bucket, prefix } = openClient(filesUrl)
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  return {
    async put(key, bytes, type) {
      checkKey(key, type)
      await client.send(new PutObjectCommand({ ...at(key), Body: bytes, ContentType: type, ContentLength: bytes.length })).catch(asRefusal)
    },
    async get(key, range) {
      const type = typeOfKey(key)
      if (type === null) return null
      const Range = range && `bytes=${range.from}-${range.to}`
      const found = await client.send(new GetObjectCommand({ ...at(key), ...(Range && { Range }) })).catch(orNull)
      if (!(found?.Body instanceof Readable)) return null
      return { ...factsOf(type, totalOf(found.ContentRange) ?? found.ContentLength, found.ETag), body: found.Body }
    },
    async stat(key) {
      const type = typeOfKey(key)
      const found = type === null ? null : await client.send(new HeadObjectCommand(at(key))).catch(orNull)
      return type === null || !found ? null : factsOf(type, found.ContentLength, found.ETag)
    },
    async remove(key) {
      if (typeOfKey(key) !== null) await client.send(new DeleteObjectCommand(at(key))).catch(orNull)
    },
    close: () => client.destroy(),
  }
}
