/** What a person reads when the product cannot start. */
import { SettingsError } from './settings.ts'

const isPortTaken = (error: unknown): error is { port: number } =>
  (error as { code?: unknown } | null)?.code === 'EADDRINUSE' && typeof (error as { port?: unknown }).port === 'number'

export function startFailure(error: unknown): string {
  if (error instanceof SettingsError) return `The settings need a look:\n${error.message}\n(see docs/operations.md)`
  if (isPortTaken(error))
    return `Port ${error.port} is taken by another program. Stop that one, or choose another port: PORT=${error.port + 1} npm start`
  return `The start failed: ${(error as Error)?.stack ?? String(error)}`
}
