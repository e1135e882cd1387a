/** Chooses where files are kept: on a disk or in S3. */
import { openDiskFiles } from './disk-files.ts'
import type { FileStore } from './file-store.ts'
import type { Settings } from './settings.ts'

/** S3 when FILES_URL names it, else the directory `files` of DATA_DIR. */
export async function openFileStore({ filesUrl, dataDir }: Pick<Settings, 'filesUrl' | 'dataDir'>): Promise<FileStore> {
  if (filesUrl === null) return openDiskFiles(dataDir)
  // The library takes 40 MB and a tenth of a second: only who needs it pays.
  const { openS3Files } = await import('./s3-files.ts')
  return openS3Files(filesUrl)
}
