import { WebSocket as WebSocketTransport } from 'socket.io-client'
import { expect, it, vi } from 'vitest'
import { patientWebSocket } from './patient-web-socket.ts'

type Way = { onopen: (() => void) | null; onmessage: unknown; onerror: unknown; onclose: unknown; close: () => void; readyState: number }

/** The library's transport over a web socket of which the test says how far it is. */
function openedOver(readyState: number) {
  const way: Way = { readyState, onopen: null, onmessage: null, onerror: null, onclose: null, close: vi.fn() }
  const Patient = patientWebSocket(
    class extends WebSocketTransport {
      override createSocket() {
        return way
      }
    },
  )
  const transport = new Patient({ hostname: 'localhost', port: '1', path: '/', query: {}, socket: { binaryType: 'blob' } })
  const told = vi.fn()
  transport.open()
  transport.on('open', told)
  transport.close()
  return { way, told }
}

it('[K-04] [U-05] a web socket given up while it connects opens first, tells nobody, and closes then', () => {
  const { way, told } = openedOver(WebSocket.CONNECTING)
  expect(way.close).not.toHaveBeenCalled()
  expect([way.onmessage, way.onerror, way.onclose]).toEqual([null, null, null])
  way.onopen?.()
  expect(way.close).toHaveBeenCalledOnce()
  expect(told).not.toHaveBeenCalled()
})

it('[K-04] one that stands closes at once', () => {
  expect(openedOver(WebSocket.OPEN).way.close).toHaveBeenCalledOnce()
})
