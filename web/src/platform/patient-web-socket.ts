// A web socket that is given up before it stands: it opens first and closes then, for browsers warn of one that is cut off on its way.
import type { WebSocket as WebSocketTransport } from 'socket.io-client'

/** The transport of the library, but for how it is given up: logged out, or silent for too long, while it was connecting. */
export function patientWebSocket(Transport: typeof WebSocketTransport): typeof WebSocketTransport {
  return class extends Transport {
    override doClose(): void {
      const socket = this.ws as WebSocket | null
      if (socket?.readyState !== WebSocket.CONNECTING) return super.doClose()
      socket.onopen = () => socket.close()
      socket.onmessage = socket.onerror = socket.onclose = null
      this.ws = null
    }
  }
}
