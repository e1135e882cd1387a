/** What a person reads when the product cannot start. */
import { SettingsError } from './settings.ts'

const isPortTaken = (error: unknown): error is { port: number } =>
  (error as { code?: unknown } | null)?.code === 'EADDRINUSE' && typeof (error as { port?: unknown }).port === 'number'

const isRightMissing = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '42501'

/** What is the matter with a database that cannot be reached; each address of a host has its own trouble. */
function awayDatabase(error: unknown): string | null {
  const { code = '', syscall, errors, message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException> & { errors?: unknown[] }
  if (errors?.length) return awayDatabase(errors[0])
  const isAway =
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    /^(?:08|28|3D|53|57P)\w+$/.test(code) ||
    message.includes('timeout exceeded when trying to connect')
  return isAway ? (message.split('\n', 1)[0] ?? '') : null
}

export function startFailure(error: unknown): string {
  if (error instanceof SettingsError) return `The settings need a look:\n${error.message}\n(see docs/operations.md)`
  if (isPortTaken(error))
    return `Port ${error.port} is taken by another program. Stop that one, or choose another port: PORT=${error.port + 1} npm start`
  if ((error as { code?: unknown } | null)?.code === 'ENOSPC')
    return `The disk is full: ${(error as Error).message}. Make room there, or choose a folder elsewhere: DATA_DIR=/some/folder npm start`
  if (isRightMissing(error))
    return `The database refuses: ${(error as Error).message}. Whoever brings it up to date has to own the schema and be able to create roles: name them in OWNER_DATABASE_URL`
  const away = awayDatabase(error)
  if (away) return `The database cannot be reached: ${away}. Is it running, and is DATABASE_URL right?`
  return `The start failed: ${(error as Error)?.stack ?? String(error)}`
}
