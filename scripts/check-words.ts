/**
 * Reads the words of screens and letters as a native would: what nobody says, what is not written so, what must be said to the letter.
 * `node scripts/check-words.ts [folder]` prints each fault and ends with 1 if there is one. What languages owe each other is
 * `check-translations.ts`; how sentences are put together in code is here too.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { readByLanguage, readByNamespace } from './check-translations.ts'
import { literalTexts } from './literal-texts.ts'
import { terms } from './words-of-the-trade.ts'

interface Line {
  language: string
  key: string
  text: string
}
interface Rule {
  name: string
  /** Languages it is about; all when left out. */
  of?: readonly string[]
  breaks: (text: string, key: string) => boolean
}

const placeholder = /\{\{\w+\}\}/g
const mark = /<\/?\w+\s*\/?>/g
/** The sentence without what is filled in and what marks a part. */
const bare = (text: string): string => text.replaceAll(placeholder, 'X').replaceAll(mark, '')
const pluralForm = /_(?:zero|one|two|few|many|other)$/

/** Texts of the specification, to the letter. A key that is gone is a fault too. */
export const verbatim: Readonly<Record<string, string>> = {
  'setup steps.general': 'General',
  'setup steps.services': 'Services',
  'setup steps.team': 'Team',
  'setup steps.gallery': 'Gallery',
  'setup steps.payment': 'Payment',
  'setup steps.review': "Let's Review!",
  'home pro.steps.review': "Let's Review!",
  'session role.isPro.title': 'Professionnel',
  'session role.isClient.title': 'Client',
  'site links.home': 'Home',
  'site links.institutes': 'Institutes',
  'site links.login': 'Login',
  'site links.signUp': 'Sign Up',
  'site links.contact': 'Contact',
  'site links.terms': 'Terms',
  'site links.appointments': 'Appointments',
  'site links.mySalon': 'My Salon',
  'site links.ownSalon': 'MySalon',
  'site links.logout': 'Logout',
  'site footer.terms': 'Terms & Conditions',
  'site footer.help': 'Help Center',
  'site overlays.ok': 'Ok',
  'site overlays.cancel': 'cancle',
  'site overlays.confirm': 'confirm',
  'verification title': 'Email Confirmation',
  'verification resend': 'Resend',
  'verification invalid': 'Invalid code',
  'verification sent': 'A new code has been sent.',
  'verification wait_one': 'Please try again in {{count}} seconds',
  'verification wait_other': 'Please try again in {{count}} seconds',
  'refusals.code_wrong': 'Invalid code',
  'refusals.resend_cooldown_one': 'Please try again in {{count}} seconds',
  'refusals.resend_cooldown_other': 'Please try again in {{count}} seconds',
  'messages.codeSent': 'A new code has been sent.',
  'labels statuses.completed': 'Paid',
  'labels statuses.deposit_paid': 'Deposit Paid',
  'labels availabilities.on_holiday': 'Holiday',
  'labels availabilities.sick_leave': 'Sick Leave',
  'labels audiences.All': 'All',
  'labels audiences.Men': 'Men',
  'labels audiences.Woman': 'Woman',
  'labels audiences.Kids': 'Kids',
  'labels languages.English': 'English',
  'labels languages.French': 'French',
  'labels languages.Arabic': 'Arabic',
  'labels languages.Other': 'Other',
}

/** The one text that may shout, in English and in French. */
const shouted = /Let's Review!|Dernier coup d’œil\u202f!/

/** A greeting, and the lines of a large title, which each language breaks for itself. */
const wholeLines = /greeting$|\.(?:first|second|third|fourth)$/

const imperatives = 'اكتب|اختر|احجز|أدخل|اضغط|انقر|أرسل|حاول|افتح|ابحث|جرّب|أعد|انتظر|اتصل|ألقِ|أزل|أزله|أخبر|سجّلوا|اذكر'
/** What is said to one person now has a form for a man and another for a woman; of what they did, or of what is theirs, there is one. */
const toMen =
  /أن[تك] ت|حتى ت(?:قبل|قرر)(?=[\s.،]|$)|أن ترفع|(?:من|ما|لا|الذي) (?:تثق|تعرفه|تستخدمه|تدير)|مرة تود|لم تُجب|تعود إلي(?:ه|ها)(?=[\s.]|$)|مركز تعمل/
const countedNouns = 'سنة|سنوات|ساعة|ساعات|دقيقة|دقائق|ثانية|ثوان|حرف|أحرف|ملف|ملفات|رسالة|رسائل'

/** Most characters of a button and of a subject, without what is filled in. */
const most = {
  button: { en: 24, fr: 30, ar: 28 },
  tab: { en: 14, fr: 18, ar: 16 },
  subject: { en: 70, fr: 70, ar: 70 },
} as const satisfies Record<string, Record<string, number>>

function tooLong(kind: keyof typeof most, keys: RegExp): Rule[] {
  return Object.entries(most[kind]).map(([language, length]) => ({
    name: `a ${kind} of at most ${length} characters`,
    of: [language],
    breaks: (text: string, key: string) =>
      keys.test(key.replace(pluralForm, '')) && text.replaceAll(placeholder, '').replaceAll(mark, '').length > length,
  }))
}

/** How each language is written, and what nobody says in it. */
export const rules: readonly Rule[] = [
  { name: 'spaces: double, or at an end', breaks: (text) => /^\s|\s$| {2}/.test(text) },
  { name: 'no three dots', breaks: (text) => /\.\.\.|…/.test(text) },
  { name: 'no exclamation mark', breaks: (text) => text.replace(shouted, '').includes('!') },
  { name: 'single braces', breaks: (text) => /(?<!\{)\{(?!\{)|(?<!\})\}(?!\})/.test(text) },
  {
    name: 'a piece of a sentence: it begins or ends with a comma, or has no word of its own',
    breaks: (text, key) =>
      !wholeLines.test(key) && (/^[,،;:]|[,،]$/.test(text.replaceAll(mark, '').trim()) || /^\{\{\w+\}\}(?: \{\{\w+\}\})+$/.test(text)),
  },
  { name: 'typographic apostrophes and quotes', of: ['en', 'fr'], breaks: (text) => /['"]/.test(bare(text.replace(shouted, ''))) },
  {
    name: 'a word no native would say here',
    of: ['en'],
    breaks: (text) =>
      /\b(?:sign(?:s|ed|ing)? (?:in|out|you out)|mails?|slots?|staff|whom|perform\w*|unwanted|somebody|take away)\b/i.test(
        bare(text).replaceAll(/e-mail/gi, ''),
      ),
  },
  {
    name: 'French spaces: U+00A0 before a colon and inside « », U+202F before ; ! ?',
    of: ['fr'],
    breaks: (text) => /[^\u00a0]:(?!\/|(?<=\d:)\d)|[^\u202f][;!?]|«[^\u00a0]|[^\u00a0]»/.test(bare(text)),
  },
  {
    name: 'French says établissement, prestation, e-mail, rendez-vous, acompte',
    of: ['fr'],
    breaks: (text) => /\b(?:instituts?|services?(?! momentan)|(?<!e-)mails?|visites?|arrhes|caution|staff|marche pas)\b/i.test(bare(text)),
  },
  {
    name: 'French has no colon after a preposition, and "après demain" is another day',
    of: ['fr'],
    breaks: (text) => /\b(?:jusqu’(?:à|au)|après|dès|pour|chez)\u00a0:|après \{\{when\}\}/i.test(text),
  },
  { name: 'no agreement with a middle dot', of: ['fr'], breaks: (text) => text.includes('·e') || /\w\(e\)/.test(text) },
  { name: 'Arabic marks: ، ؛ ؟, digits 0–9, no stretched letters', of: ['ar'], breaks: (text) => /[,;?ـ]|[٠-٩]/.test(bare(text)) },
  { name: 'tanwin stands before the alif', of: ['ar'], breaks: (text) => text.includes('\u0627\u064b') },
  {
    name: 'no Latin words but brands',
    of: ['ar'],
    breaks: (text) => /[A-Za-zÀ-ÿ]{2,}/.test(bare(text).replaceAll(/Soigné|Google|PayPal|Klarna|Stripe|PDF|CSV/g, '')),
  },
  { name: 'المركز, not معهد, a school; عميل, not زبون; متاح, not شاغر', of: ['ar'], breaks: (text) => /معهد|زبون|شاغر/.test(text) },
  {
    name: 'no imperative: it is said to a man or to a woman',
    of: ['ar'],
    breaks: (text) =>
      new RegExp(`(?:^|[\\s«])[فو]?(?:${imperatives})(?:ي|وا|وني)?(?=[\\s.،:؛]|$)|تجاهل(?=[\\s.،]|$)(?<!يمكن تجاهل)`).test(text),
  },
  { name: 'no verb that is said to a man alone', of: ['ar'], breaks: (text) => toMen.test(text) },
  { name: 'موعد, not زيارة', of: ['ar'], breaks: (text) => /زيارة(?!ك)/.test(text) },
  {
    name: 'a number before a noun needs the forms of the plural',
    of: ['ar'],
    breaks: (text) => new RegExp(`\\{\\{(?!count\\}\\})\\w+\\}\\} (?:${countedNouns})`).test(text),
  },
  ...tooLong('button', /(?:^|[. ])(?:submit|action|retry|send|resend|confirm|again|change|showAll|book|clear|skip)$|Button$/),
  ...tooLong('tab', /^(?:site links|setup steps|institute parts|labels statuses|labels audiences)[. ]/),
  ...tooLong('subject', /Subject$/),
]

/** Where English has a term of the trade, another language has its own for it. */
function termFaults(language: string, texts: ReadonlyMap<string, string>, english: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([key, text]) => {
    const model = english.get(key) ?? english.get(key.replace(pluralForm, '_other'))
    if (model === undefined) return []
    // Anchors of a page are no words.
    if (key.endsWith('.id')) return []
    const words = bare(model)
    return terms
      .filter(({ en }) => en.test(words))
      .flatMap(({ term, stems, unless }) => {
        const stem = stems[language]
        return !stem || stem.test(text) || unless?.includes(key.replace(pluralForm, ''))
          ? []
          : [`${language} ${key}: no word for '${term}'`]
      })
  })
}

type Languages = ReadonlyMap<string, ReadonlyMap<string, string>>

/** @returns what is wrong with the texts of one room, one line each */
export function wordFaults(languages: Languages): string[] {
  const english = languages.get('en') ?? new Map<string, string>()
  const lines: Line[] = [...languages].flatMap(([language, texts]) =>
    // An id is for addresses, not for people.
    [...texts].filter(([key]) => !key.endsWith('.id')).map(([key, text]) => ({ language, key, text })),
  )
  return [
    ...lines.flatMap(({ language, key, text }) =>
      rules
        .filter((rule) => (!rule.of || rule.of.includes(language)) && rule.breaks(text, key))
        .map((rule) => `${language} ${key}: ${rule.name}`),
    ),
    ...[...languages].filter(([language]) => language !== 'en').flatMap(([language, texts]) => termFaults(language, texts, english)),
  ]
}

/** @returns the texts of the specification that are not as it has them */
export function verbatimFaults(english: ReadonlyMap<string, string>): string[] {
  return Object.entries(verbatim)
    .filter(([key, text]) => english.get(key) !== text)
    .map(([key, text]) => `en ${key}: the specification says '${text}'`)
}

/** Sentences put together in code, which no other language can follow. */
const joined: readonly { name: string; pattern: RegExp }[] = [
  { name: 'the case of a text is part of the text', pattern: /\bt\([^()]*\)\.toLo(?:cale)?(?:Lower|Upper)?/g },
  { name: 'texts are not added up', pattern: /\bt\([^()]*\) \+|\+ (?:t|translate)\(/g },
  { name: 'two texts in one string are one text', pattern: /`[^`]*\$\{t\([^`]*\$\{t\([^`]*`/g },
  { name: 'a list of texts is a list in its language', pattern: /=> (?:t|label)\([^\n]*\)\.join\(/g },
]

/** @returns where the code of a file makes a sentence by itself */
export const joinedIn = (path: string, code: string): string[] =>
  joined.flatMap(({ name, pattern }) => [...code.matchAll(pattern)].map(([found]) => `${path}: '${found.slice(0, 60)}': ${name}`))

function sources(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Pieces of tests, which nobody visits. */
const notForPeople = /^web\/src\/testing\//

/** Everything wrong with the words of the product below a root. */
export function checkWords(root: string): string[] {
  const screens = readByNamespace(join(root, 'web/src/locales'))
  const letters = readByLanguage(join(root, 'server/src/texts'))
  const english = new Map([...(screens.get('en') ?? []), ...(letters.get('en') ?? [])])
  return [
    ...wordFaults(screens),
    ...wordFaults(letters),
    ...verbatimFaults(english),
    ...['web/src', 'server/src/features'].flatMap((folder) =>
      sources(join(root, folder)).flatMap((path) => joinedIn(relative(root, path), readFileSync(path, 'utf8'))),
    ),
    ...sources(join(root, 'web/src'))
      .filter((path) => path.endsWith('.tsx') && !notForPeople.test(relative(root, path)))
      .flatMap((path) => literalTexts(relative(root, path), readFileSync(path, 'utf8'))),
  ]
}

if (import.meta.main) {
  const wrong = checkWords(resolve(process.argv[2] ?? '.'))
  for (const line of wrong) console.log(line)
  if (wrong.length > 0) process.exit(1)
  console.log('every language is written as it is spoken')
}
