/** What an operator sees of a business that is to be checked: a line without the places of its files, and the files themselves in a folder. */
import { createWriteStream, mkdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { registrationKindOf, shownRegistration } from '../contract/src/registration-numbers.ts'
import type { WaitingCheck } from '../server/src/features/business-check/service.ts'
import { openFileStore } from '../server/src/platform/open-file-store.ts'
import type { Settings } from '../server/src/platform/settings.ts'

/** As it is printed. */
export const checkForShell = ({ state: _state, decidedAt: _decided, reason: _reason, documents, ...check }: WaitingCheck): object => ({
  ...check,
  registrationNumber: shownRegistration(registrationKindOf(check.countryCode), check.registrationNumber),
  documents: documents.map(({ name }) => name),
})

/** Where each document is now, `1.pdf` and so on: what somebody called theirs is no name for a file here. */
export async function saveDocuments(settings: Settings, documents: WaitingCheck['documents'], folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = await openFileStore(settings)
  try {
    const saved: string[] = []
    for (const [at, { key }] of documents.entries()) {
      const found = await files.get(key)
      if (!found) throw new Error(`document ${at + 1} is not in the store of files`)
      const path = join(folder, `${at + 1}${extname(key)}`)
      await pipeline(found.body, createWriteStream(path, { mode: 0o600 }))
      saved.push(path)
    }
    return saved
  } finally {
    files.close()
  }
}
