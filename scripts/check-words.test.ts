/** The words of the product are in order, and each rule is fed something that breaks it. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { readByLanguage } from './check-translations.ts'
import { checkWords, joinedIn, rules, verbatim, verbatimFaults, wordFaults } from './check-words.ts'
import { terms } from './words-of-the-trade.ts'

const root = resolve(import.meta.dirname, '..')
const faults = (language: string, text: string, key = 'messages.codeSent', english = 'Text'): string[] =>
  wordFaults(
    new Map([
      ['en', new Map([[key, language === 'en' ? text : english]])],
      ...(language === 'en' ? [] : [[language, new Map([[key, text]])] as const]),
    ]),
  )

test('the words of the product are in order', () => {
  expect(checkWords(root)).toEqual([])
})

describe('what nobody writes is seen', () => {
  it.each([
    ['en', 'A new code has been sent. ', 'spaces'],
    ['fr', 'Un  code.', 'spaces'],
    ['en', 'Loading...', 'three dots'],
    ['ar', 'جارٍ التحميل…', 'three dots'],
    ['en', 'Sent!', 'exclamation'],
    ['fr', 'Envoyé\u202f!', 'exclamation'],
    ['fr', 'Bonjour {name}.', 'braces'],
    ['en', ', until {{time}}', 'piece of a sentence'],
    ['en', '{{category}},', 'piece of a sentence'],
    ['en', '{{count}} {{when}}', 'piece of a sentence'],
    ['ar', '{{category}}،', 'piece of a sentence'],
    ['en', "We've sent it.", 'typographic'],
    ['fr', "L'envoi est fait.", 'typographic'],
    ['en', 'Please sign in.', 'no native'],
    ['en', 'It signs you out.', 'no native'],
    ['en', 'Look at your mail.', 'no native'],
    ['en', 'The staff performs it.', 'no native'],
    ['en', 'For somebody else.', 'no native'],
    ['fr', 'Si ce n’était pas vous : rien ne change.', 'U+00A0'],
    ['fr', 'Un instant; merci.', 'U+202F'],
    ['fr', '« Un mot »', 'inside «'],
    ['fr', 'Appelez l’institut.', 'établissement'],
    ['fr', 'Regardez vos mails.', 'e-mail'],
    ['fr', 'Votre visite est annulée.', 'rendez-vous'],
    ['fr', 'Sans frais jusqu’à\u00a0: {{when}}', 'preposition'],
    ['fr', 'Si vous annulez après {{when}}, rien n’est dû.', 'another day'],
    ['fr', 'Êtes-vous prêt·e\u202f?', 'middle dot'],
    ['ar', 'تم, إرسال رمز.', 'Arabic marks'],
    ['ar', 'تم إرسال ٥ رموز.', 'Arabic marks'],
    ['ar', 'أولاً تم إرسال رمز.', 'tanwin'],
    ['ar', 'تم إرسال code جديد.', 'Latin'],
    ['ar', 'المعهد أرسل رمزًا.', 'معهد'],
    ['ar', 'اكتب الرمز الجديد.', 'imperative'],
    ['ar', 'إن لم تطلبه فتجاهل هذه الرسالة.', 'imperative'],
    ['ar', 'أنت تنتظر موعدًا. أزله أولًا.', 'imperative'],
    ['ar', 'أخبروني عند توفّر موعد', 'imperative'],
    ['ar', 'يبقى موعدك لك حتى تقبل', 'a man alone'],
    ['ar', 'إضافة زيارة بلا موعد', 'زيارة'],
    ['ar', 'لديك {{number}} رسالة.', 'number before a noun'],
  ])('%s: %s', (language, text, name) => {
    expect(faults(language, text).join()).toContain(name)
  })

  it.each([
    ['booking retry', 'Please try the whole thing again', 'button'],
    ['site links.help', 'Where we can help you', 'tab'],
    ['mails.movedSubject', `Moved: ${'a long way from where it was before '.repeat(3)}`, 'subject'],
  ])('%s that is too long', (key, text, kind) => {
    expect(faults('en', text, key).join()).toContain(`a ${kind} of at most`)
  })

  it('every rule is broken by one of these', () => {
    const source = readFileSync(import.meta.filename, 'utf8')
    expect(rules.length).toBeGreaterThan(15)
    expect(source.match(/^ {4}\['/gm)?.length).toBeGreaterThan(rules.length)
  })
})

describe('what is written well passes', () => {
  it.each([
    ['en', 'You’re receiving this email because you have a visit.'],
    ['en', "Let's Review!"],
    ['fr', 'Un instant\u202f; merci. Un e-mail\u00a0: «\u00a0oui\u00a0»'],
    ['ar', 'إن لم يكن الطلب منك، يمكن تجاهل هذه الرسالة.'],
    ['ar', 'تم إرسال رمز من Soigné؛ الرمز صالح {{count}} دقيقة.'],
  ])('%s: %s', (language, text) => {
    expect(faults(language, text, 'home pro.steps.review')).toEqual([])
  })
})

describe('terms of the trade', () => {
  it.each([
    ['fr', 'Your deposit is safe.', 'La somme est en sécurité.', 'deposit'],
    ['ar', 'Your password is new.', 'الرمز جديد.', 'password'],
    ['fr', 'Call the institute.', 'Appelez le commerce.', 'institute'],
  ])('missing in %s: %s', (language, english, text, term) => {
    expect(faults(language, text, 'messages.codeSent', english)).toEqual([`${language} messages.codeSent: no word for '${term}'`])
  })

  it('are those of docs/terms.tsv, where French and Arabic have the stems looked for', () => {
    const rows = new Map(
      readFileSync(join(root, 'docs/terms.tsv'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([, english, french, arabic]) => [english, [french, arabic]]),
    )
    expect(rows.size).toBeGreaterThan(330)
    for (const { term, stems } of terms) {
      expect(rows.get(term)?.[0], term).toMatch(stems['fr'] ?? /$^/)
      expect(rows.get(term)?.[1], term).toMatch(stems['ar'] ?? /$^/)
    }
  })
})

describe('texts of the specification', () => {
  it('are compared to the letter, and missed when gone', () => {
    const right = new Map(Object.entries(verbatim))
    expect(verbatimFaults(right)).toEqual([])
    expect(verbatimFaults(new Map([...right, ['site overlays.cancel', 'cancel']]))).toEqual([
      "en site overlays.cancel: the specification says 'cancle'",
    ])
    right.delete('verification resend')
    expect(verbatimFaults(right)).toHaveLength(1)
  })
})

describe('sentences put together in code', () => {
  it.each([
    "label={t('priceUpTo').toLocaleLowerCase()}",
    "const text = t('a') + name",
    "const text = name + t('a')",
    "const text = `${t('a')}, ${t('b')}`",
    "languages.map((one) => t(`languages.${one}`)).join(', ')",
  ])('%s', (code) => {
    expect(joinedIn('a.tsx', code)).not.toEqual([])
  })

  it('one text with a value in it is none', () => {
    expect(joinedIn('a.tsx', "t('upTo', { price: price + 1 }); names.join(', ')")).toEqual([])
  })
})

test('the letters are read too', () => {
  expect(readByLanguage(join(root, 'server/src/texts')).get('ar')?.size).toBeGreaterThan(150)
})
