/** Checks the texts of the server as each language is written; the rules are those of the three languages, not of one sentence. */
type Texts = Record<string, Record<string, Record<string, string>>>

/** `missing` keys, other `placeholders`, plural `forms`, `spaces`, punctuation `marks`, and `words` nobody uses. */
export type Faults = 'missing' | 'placeholders' | 'forms' | 'spaces' | 'marks' | 'words'
interface Fault {
  fault: Faults
  where: string
}

const formOf = /_(zero|one|two|few|many|other)$/
const baseOf = (key: string): string => key.replace(formOf, '')
/** Sentences with these forms may leave the number out: "one file" needs no digit. */
const mayHideCount = new Set(['zero', 'one', 'two'])

const placeholdersOf = (sentence: string): string[] => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort()

/** All placeholders that a sentence has in any of its forms. */
function placeholdersByBase(group: Record<string, string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [key, sentence] of Object.entries(group)) {
    const names = found.get(baseOf(key)) ?? new Set<string>()
    for (const name of placeholdersOf(sentence)) names.add(name)
    found.set(baseOf(key), names)
  }
  return found
}

function formFaults(locale: string, group: Record<string, string>, where: (key: string) => string): Fault[] {
  const wanted = new Set<string>(new Intl.PluralRules(locale).resolvedOptions().pluralCategories)
  const counted = new Set(
    Object.keys(group)
      .filter((key) => formOf.test(key))
      .map(baseOf),
  )
  const faults: Fault[] = []
  for (const base of counted) {
    for (const form of wanted) if (!(`${base}_${form}` in group)) faults.push({ fault: 'forms', where: where(`${base}_${form}`) })
    for (const form of ['zero', 'one', 'two', 'few', 'many', 'other'])
      if (`${base}_${form}` in group && !wanted.has(form) && form !== 'zero')
        faults.push({ fault: 'forms', where: where(`${base}_${form}`) })
  }
  for (const [key, sentence] of Object.entries(group)) {
    const form = formOf.exec(key)?.[1]
    const hasCount = placeholdersOf(sentence).includes('count')
    if (form === undefined ? hasCount : !hasCount && !mayHideCount.has(form)) faults.push({ fault: 'forms', where: where(key) })
  }
  return faults
}

const rules: { fault: Faults; of: string[]; pattern: RegExp }[] = [
  { fault: 'spaces', of: ['en', 'fr', 'ar'], pattern: /^\s|\s$| {2}|\.\.\.|…/ },
  { fault: 'spaces', of: ['fr'], pattern: / [;:!?»]|« |[^\u00a0]:(?!\/)|[^\u202f][;!?]/ },
  { fault: 'marks', of: ['en', 'fr'], pattern: /['"]|[^\u202f]!|!$/ },
  { fault: 'marks', of: ['ar'], pattern: /[,;?!ـ]|اً|[٠-٩]/ },
  { fault: 'marks', of: ['ar'], pattern: /(?!Soigné|Google|PayPal|Klarna)\b[A-Za-z]{2,}/ },
  { fault: 'placeholders', of: ['en', 'fr', 'ar'], pattern: /(?<!\{)\{(?!\{)|(?<!\})\}(?!\})/ },
  { fault: 'words', of: ['en'], pattern: /\b(?:sign(?:ed)? in|mails?|slots?|staff|whom|perform\w*|unwanted|somebody)\b/i },
  {
    fault: 'words',
    of: ['fr'],
    pattern: /\binstituts?\b|\bservices?\b(?! momentan)|\bmails?\b(?<!e-mail|e-mails)|\bvisites?\b|\barrhes\b|\bcaution\b/i,
  },
  { fault: 'words', of: ['ar'], pattern: /معهد|زبون|شاغر/ },
  // No imperative: it would be said to a man or to a woman.
  { fault: 'words', of: ['ar'], pattern: /(?:^|[\s«])(?:ف|و)?(?:اكتب|اختر|احجز|أدخل|اضغط|انقر|أرسل|حاول)ي?(?=[\s.،:؛]|$)|فتجاهل/ },
]

/** A number that is no count stands behind its noun, with a colon between. */
const numberBeforeNoun = /\{\{(?!count\}\})\w+\}\} (?:سنة|سنوات|ساعة|ساعات|دقيقة|دقائق|ثانية|ثوان|حرف|أحرف|ملف|ملفات|رسالة|رسائل)/

const withoutPlaceholders = (sentence: string): string => sentence.replace(/\{\{\w+\}\}/g, 'X')

function sentenceFaults(locale: string, sentence: string, where: string): Fault[] {
  // What stands in the place of a value is no word of the sentence.
  const words = locale === 'ar' ? sentence.replace(/\{\{\w+\}\}/g, '0') : withoutPlaceholders(sentence)
  const found: Fault[] = rules
    .filter(({ of, pattern }) => of.includes(locale) && pattern.test(words))
    .map(({ fault }) => ({ fault, where }))
  if (locale === 'ar' && numberBeforeNoun.test(sentence)) found.push({ fault: 'words', where })
  return found
}

/** Everything that is wrong with the texts; English says what there has to be. */
export function faultsOf(texts: Texts): Fault[] {
  const faults: Fault[] = []
  for (const [locale, groups] of Object.entries(texts)) {
    for (const [name, group] of Object.entries(groups)) {
      const where = (key: string): string => `${locale} ${name}.${key}`
      const [own, english] = [placeholdersByBase(group), placeholdersByBase(texts['en']?.[name] ?? {})]
      for (const base of new Set([...own.keys(), ...english.keys()])) {
        const [here, there] = [own.get(base), english.get(base)]
        if (!here || !there) faults.push({ fault: 'missing', where: where(base) })
        else if ([...here].sort().join() !== [...there].sort().join()) faults.push({ fault: 'placeholders', where: where(base) })
      }
      faults.push(...formFaults(locale, group, where))
      for (const [key, sentence] of Object.entries(group)) faults.push(...sentenceFaults(locale, sentence, where(key)))
    }
  }
  return faults
}
