import { type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { needsEncryption, openMail } from './mail.ts'

const open: SMTPServer[] = []

/** A real mail server on loopback that keeps what it gets. */
async function mailServer(options: { refuse?: boolean } = {}): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(options.refuse ? new Error('mailbox full') : null)
    },
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  open.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received }
}

afterEach(async () => {
  for (const server of open.splice(0)) await new Promise<void>((closed) => server.close(closed))
})

const letter = {
  to: 'nour@example.test',
  subject: 'Samedi à 16:40',
  html: '<p>Bonjour</p>',
  text: 'Bonjour',
  attachments: [{ filename: 'visit.ics', contentType: 'text/calendar; charset=utf-8; method=PUBLISH', content: 'BEGIN:VCALENDAR' }],
  messageId: 'abc',
}

describe('mail by SMTP', () => {
  test('carries both parts, the calendar file and a message id that stays the same', async () => {
    const { url, received } = await mailServer()
    const mail = openMail(url, 'Soigné <bonjour@soigne.test>')
    await mail.deliver(letter)
    mail.close()
    expect(received).toHaveLength(1)
    const [message = ''] = received
    expect(message).toContain('To: nour@example.test')
    expect(message).toContain('Message-ID: <abc@soigne>')
    expect(message).toContain('text/plain')
    expect(message).toContain('text/html')
    expect(message).toContain('visit.ics')
  })

  test('goes to another machine encrypted or not at all, unless the address says otherwise', async () => {
    expect(
      ['smtp://mail.example', 'smtp://10.0.0.5:25', 'smtp://localhost.example', 'smtp://mail.example?requireTLS=true'].map(needsEncryption),
    ).toEqual([true, true, true, true])
    expect(['smtp://127.0.0.1:1025', 'smtp://localhost', 'smtp://[::1]:25', 'smtp://relay?requireTLS=false'].map(needsEncryption)).toEqual([
      false,
      false,
      false,
      false,
    ])
    const { url, received } = await mailServer()
    const mail = openMail(`${url}?requireTLS=true`, 'bonjour@soigne.test')
    await expect(mail.deliver(letter)).rejects.toThrow(/TLS/)
    mail.close()
    expect(received).toEqual([])
  })

  test('a refused recipient is an error, so that the job tries again', async () => {
    const { url } = await mailServer({ refuse: true })
    const mail = openMail(url, 'bonjour@soigne.test')
    await expect(mail.deliver(letter)).rejects.toThrow(/mailbox full/)
    mail.close()
  })

  test('a line break in a subject cannot add a header', async () => {
    const { url, received } = await mailServer()
    const mail = openMail(url, 'bonjour@soigne.test')
    await mail.deliver({ ...letter, subject: 'Hello\r\nBcc: other@example.test' })
    mail.close()
    expect(received[0]).not.toMatch(/^Bcc:/m)
  })

  test('without a server letters stay in the mailbox of the trial', async () => {
    await expect(openMail(null, 'bonjour@soigne.test').deliver(letter)).resolves.toBeUndefined()
  })
})
