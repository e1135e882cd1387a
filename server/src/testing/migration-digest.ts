import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Twelve hexadecimal digits that change with any migration. */
export function migrationDigest(directory: string): string {
  const digest = createHash('sha256')
  for (const file of readdirSync(directory).sort()) digest.update(readFileSync(join(directory, file)))
  return digest.digest('hex').slice(0, 12)
}
