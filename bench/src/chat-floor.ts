/** The least that writing a message can be: a POST that looks up a token, writes one row and emits it to a room. A process of its own, as the product is. */
import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { Server } from 'socket.io'

const db = new pg.Pool({ connectionString: process.env['FLOOR_DATABASE_URL'], max: 10 })
const app = Fastify()
const io = new Server(app.server, { transports: ['websocket'], serveClient: false })

async function userOf(token: string): Promise<string | undefined> {
  const { rows } = await db.query<{ userId: string }>({
    name: 'who',
    text: 'select user_id as "userId" from sessions where token_hash = $1 and expires_at > now()',
    values: [createHash('sha256').update(token).digest()],
  })
  return rows[0]?.userId
}

io.use((socket, next) => {
  void userOf(String(socket.handshake.auth['token'])).then((userId) => {
    void socket.join(userId ?? '')
    next()
  }, next)
})

app.post<{ Body: { to: string; text: string } }>('/messages', async (request, reply) => {
  const sender = await userOf(request.headers.authorization?.replace('Bearer ', '') ?? '')
  if (sender === undefined) return reply.code(401).send()
  const message = { _id: randomUUID(), senderId: sender, text: request.body.text }
  await db.query({
    name: 'write',
    text: 'insert into floor_messages (id, sender_id, text) values ($1, $2, $3)',
    values: [message._id, sender, message.text],
  })
  io.to(request.body.to).emit('newMessage', message)
  return reply.code(201).send(message)
})

const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`ready ${address}\n`)
process.once('SIGTERM', () => void io.close().then(() => db.end()))
