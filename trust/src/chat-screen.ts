/** A screen that shows conversations: its socket, what it missed, and what it writes, each with a key until it is acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChatMessage, chatNamespace } from '@soigne/contract/chat'
import { io, type Socket } from 'socket.io-client'
import type { Side } from './chat-judge.ts'
import { type Client, openClient } from './wire.ts'

const pageSize = 50

/** What one screen knows of a conversation. */
class Conversation {
  readonly messages = new Map<number, string>()
  readonly acknowledged: string[] = []
  readonly doubled: string[] = []
  /** Everything up to here is known. */
  get known(): number {
    let seq = 0
    while (this.messages.has(seq + 1)) seq++
    return seq
  }
}

export class Screen {
  readonly #name: string
  readonly #client: Client
  readonly #urls: () => readonly string[]
  readonly #chats = new Map<string, Conversation>()
  readonly #socket: Socket
  readonly odd: string[] = []
  connections = 0
  retries = 0
  #heard = new Set<string>()

  constructor(
    name: string,
    options: {
      token: string
      socketUrl: string
      transport: 'polling' | 'websocket'
      chats: readonly string[]
      urls: () => readonly string[]
    },
  ) {
    this.#name = name
    this.#client = openClient(options.token)
    this.#urls = options.urls
    for (const id of options.chats) this.#chats.set(id, new Conversation())
    this.#socket = io(`${options.socketUrl}${chatNamespace}`, {
      auth: { token: options.token },
      transports: [options.transport],
      forceNew: true,
      reconnectionDelay: 100,
      reconnectionDelayMax: 1000,
    })
    this.#socket.on('connect', () => {
      this.connections++
      this.#heard = new Set()
      for (const id of this.#chats.keys()) void this.catchUp(id)
    })
    this.#socket.on('newMessage', (message: ChatMessage) => {
      if (this.#heard.has(message._id)) this.#chats.get(message.chatId)?.doubled.push(message.clientId)
      this.#heard.add(message._id)
      this.#keep(message)
    })
  }

  get isConnected(): boolean {
    return this.#socket.connected
  }

  #keep({ chatId, seq, clientId }: Pick<ChatMessage, 'chatId' | 'seq' | 'clientId'>): void {
    const messages = this.#chats.get(chatId)?.messages
    const before = messages?.get(seq)
    if (before !== undefined && before !== clientId) this.odd.push(`${this.#name} was told two messages in place ${seq} of ${chatId}`)
    messages?.set(seq, clientId)
  }

  /** Asks one server after the other, until one answers. */
  async #ask(call: Parameters<Client['send']>[1], isAnswer: (status: number) => boolean): Promise<Awaited<ReturnType<Client['send']>>> {
    for (let turn = 0; ; turn++) {
      const urls = this.#urls()
      const answer = await this.#client.send(urls[turn % urls.length] ?? '', call, 10_000)
      if (isAnswer(answer.status)) return answer
      if (answer.status !== 0 && answer.status !== 503)
        this.odd.push(`${this.#name}: ${call.path} was answered ${answer.status} ${answer.body.code ?? ''}`)
      this.retries++
      await sleep(50)
    }
  }

  /** What was missed, by place. */
  async catchUp(chatId: string): Promise<void> {
    const one = this.#chats.get(chatId)
    for (;;) {
      const path = `/api/v1/secure/messages/${chatId}?after=${one?.known ?? 0}&pageSize=${pageSize}`
      const { body } = await this.#ask({ method: 'GET', path }, (status) => status === 200)
      const items = (body.items ?? []) as ChatMessage[]
      for (const message of items) this.#keep(message)
      if (items.length < pageSize) return
    }
  }

  async write(chatId: string, clientId: string): Promise<void> {
    const call = { method: 'POST', path: '/api/v1/secure/messages', body: { chatId, text: `This is ${clientId}`, clientId } } as const
    const { body } = await this.#ask(call, (status) => status === 201)
    this.#keep(body as unknown as ChatMessage)
    this.#chats.get(chatId)?.acknowledged.push(clientId)
  }

  /** How far every conversation is known. */
  knownOf(chatId: string): number {
    return this.#chats.get(chatId)?.known ?? 0
  }

  sideOf(chatId: string): Side {
    const { acknowledged, messages, doubled } = this.#chats.get(chatId) ?? new Conversation()
    return { name: this.#name, acknowledged, screen: messages, doubled }
  }

  close(): void {
    this.#socket.disconnect()
    this.#client.close()
  }
}
