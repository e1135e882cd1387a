/** How a letter leaves: by SMTP, or (in trial) into the development mailbox, which shows the stored letters themselves. */
import { createTransport } from 'nodemailer'

export interface Letter {
  to: string
  subject: string
  html: string
  text: string
  /** `encoding`: of what is no text. */
  attachments: { filename: string; contentType: string; content: string; encoding?: 'base64' | undefined }[]
  /** The same for every attempt, so that a second delivery can be recognised. */
  messageId: string
}

export interface MailTransport {
  deliver(letter: Letter): Promise<void>
  /** Whether letters leave the house: then each is noted before the next one goes. */
  readonly leaves: boolean
  close(): void
}

/**
 * Letters carry codes and links that open accounts: to another machine they go encrypted or not at all. `requireTLS=false` in the address is for a
 * relay within one's own walls.
 */
export function needsEncryption(smtpUrl: string): boolean {
  const { hostname, searchParams } = new URL(smtpUrl)
  const said = searchParams.get('requireTLS')
  return said === null ? !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) : said === 'true'
}

/** Without an address letters stay in the database, where the development mailbox reads them. */
export function openMail(smtpUrl: string | null, from: string): MailTransport {
  if (smtpUrl === null) return { deliver: async () => {}, leaves: false, close: () => {} }
  const smtp = createTransport({
    url: smtpUrl,
    requireTLS: needsEncryption(smtpUrl),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    leaves: true,
    async deliver(letter) {
      await smtp.sendMail({
        from,
        to: letter.to,
        subject: letter.subject,
        html: letter.html,
        text: letter.text,
        messageId: `<${letter.messageId}@soigne>`,
        attachments: letter.attachments,
      })
    },
    close: () => smtp.close(),
  }
}
