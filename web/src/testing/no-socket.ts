// A page that is rendered in a test opens no socket: there is no server behind it. The live connection is tried with a real server:
// server/src/features/chat, e2e/src/chat.spec.ts.
import { vi } from 'vitest'

vi.mock('#/platform/live-connection.tsx', () => ({ LiveConnection: () => null }))
