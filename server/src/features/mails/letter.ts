/** One layout for every letter: plain tables and inline styles, as mail programs need, with a text part of the same words. */
import type { Locale } from '@soigne/contract/wire'
import { translate } from '#/texts/translate.ts'

export interface LetterContent {
  locale: Locale
  subject: string
  /** First name to greet, when known. */
  name: string | null
  paragraphs: string[]
  /** A code in large figures. */
  code?: string
  /** Label and value pairs, shown as a small table. */
  facts?: { label: string; value: string }[]
  action?: { label: string; url: string }
  /** Small print under the action. */
  notes?: string[]
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const ink = '#241A20'
const quiet = '#5D5158'
const prune = '#5B1F47'
const serif = "Georgia,'Times New Roman',serif"
const sans = "'Hanken Grotesk',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"

function html(content: LetterContent): string {
  const { locale } = content
  const align = locale === 'ar' ? 'right' : 'left'
  const paragraph = (text: string): string => `<p style="margin:0 0 16px;font:400 16px/1.55 ${sans};color:${ink}">${escape(text)}</p>`
  const small = (text: string): string => `<p style="margin:0 0 8px;font:400 14px/1.5 ${sans};color:${quiet}">${escape(text)}</p>`
  const facts = (content.facts ?? [])
    .map(
      ({ label, value }) =>
        `<tr><td style="padding:10px 0;border-top:1px solid #E8DFD3;font:400 14px/1.45 ${sans};color:${quiet};vertical-align:top;width:110px">${escape(label)}</td><td style="padding:10px 0;border-top:1px solid #E8DFD3;font:500 16px/1.45 ${sans};color:${ink}"><bdi>${escape(value).replaceAll('\n', '<br>')}</bdi></td></tr>`,
    )
    .join('')
  return `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(content.subject)}</title></head>
<body style="margin:0;background:#FAF7F1"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#FAF7F1"><tr><td align="center" style="padding:40px 20px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:${align}"><tr><td style="padding-bottom:28px;font:400 30px/1 ${serif};letter-spacing:-.03em;color:${prune}">Soigné</td></tr>
<tr><td style="background:#FFFFFF;border:1px solid #E8DFD3;border-radius:20px;padding:32px">
${content.name ? paragraph(translate(locale, 'mails', 'greeting', { name: content.name })) : ''}
${content.paragraphs.map(paragraph).join('')}
${content.code ? `<p style="margin:24px 0;font:400 44px/1 ${serif};letter-spacing:.12em;color:${prune}"><bdi>${escape(content.code)}</bdi></p>` : ''}
${facts ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 24px">${facts}</table>` : ''}
${content.action ? `<p style="margin:24px 0"><a href="${escape(content.action.url)}" style="display:inline-block;background:${prune};color:#FFF9F3;text-decoration:none;border-radius:12px;padding:14px 22px;font:600 16px/1.2 ${sans}">${escape(content.action.label)}</a></p>` : ''}
${(content.notes ?? []).map(small).join('')}
<p style="margin:24px 0 0;font:400 16px/1.55 ${sans};color:${ink}">${escape(translate(locale, 'mails', 'signature')).replaceAll('\n', '<br>')}</p>
</td></tr><tr><td style="padding:20px 4px;font:400 13px/1.4 ${sans};color:${quiet}">${escape(translate(locale, 'mails', 'footer'))}</td></tr></table></td></tr></table></body></html>`
}

function plain(content: LetterContent): string {
  const { locale } = content
  const labelled = (label: string, value: string): string => translate(locale, 'mails', 'labelled', { label, value })
  const lines = [
    content.name ? translate(locale, 'mails', 'greeting', { name: content.name }) : null,
    ...content.paragraphs,
    content.code ?? null,
    (content.facts ?? []).map(({ label, value }) => labelled(label, value.replaceAll('\n', '\n  '))).join('\n') || null,
    // An address of a page stands alone on its line, so that whoever reads plain text can press it.
    content.action ? `${content.action.label}\n${content.action.url}` : null,
    ...(content.notes ?? []),
    translate(locale, 'mails', 'signature'),
    translate(locale, 'mails', 'footer'),
  ]
  return `${lines.filter((line) => line !== null).join('\n\n')}\n`
}

/** The letter in both forms. */
export const writeLetter = (content: LetterContent): { subject: string; html: string; text: string } => ({
  subject: content.subject.replace(/[\r\n]+/g, ' '),
  html: html(content),
  text: plain(content),
})
