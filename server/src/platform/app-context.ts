/** What every feature is given: the parts of the running process. */
import type { Clock } from './clock.ts'
import type { OpenDatabase } from './database.ts'
import type { Decoder } from './decoder.ts'
import type { FileStore } from './file-store.ts'
import type { Reaction } from './reactions.ts'
import type { Log } from './log.ts'
import type { Live } from './live.ts'
import type { MailTransport } from './mail.ts'
import type { PaymentProvider } from './payment-provider.ts'
import type { Settings } from './settings.ts'
import type { TrialClock } from './trial-clock.ts'

export interface AppContext {
  settings: Settings
  database: OpenDatabase
  clock: Clock
  /** The same clock where it may be moved: in a trial. */
  trialClock: TrialClock | null
  log: Log
  /** Where files are kept. */
  files: FileStore
  /** Opens what strangers send. */
  decoder: Decoder
  /** Takes money online; null where nobody does. */
  payments: PaymentProvider | null
  mail: MailTransport
  /** Tells screens at once of what was committed here. */
  live: Live
  /** What follows when something happens. */
  reactions: readonly Reaction<AppContext>[]
  /** How long a request waits at most for work that it shares with others, in milliseconds. */
  patienceMs: number
  /** Bytes that are left where the embedded database writes; infinite where it is somebody else's. */
  roomLeft(): Promise<number>
  /** The address people type, without a slash at the end. */
  publicUrl(): string
}
