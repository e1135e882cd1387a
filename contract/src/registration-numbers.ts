/** Numbers under which businesses are registered: what a country calls its own, how it is written, and whether one can be right. Without schemas, so that pages may bring it. */

/** Most files of one check, and most bytes of each. */
export const checkDocuments = { most: 5, bytes: 10_000_000 } as const

/** `siret` of France, `ice` of Morocco, `uid` of Switzerland, `bce` of Belgium; `plain`: of any other country, taken as it is written. */
export const registrationKinds = ['siret', 'ice', 'uid', 'bce', 'plain'] as const
/** One of them. */
export type RegistrationKind = (typeof registrationKinds)[number]

/** `siret`, `ice` …: it is not written like one. `digits`: it is, and its check digits say that a digit is wrong. */
export type RegistrationProblem = 'required' | 'too_long:40' | Exclude<RegistrationKind, 'plain'> | 'digits'

const longest = 40

/** Each digit times its weight. */
const weighed = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0)

const isLuhn = (digits: string): boolean =>
  [...digits].toReversed().reduce((sum, digit, at) => {
    const value = at % 2 === 0 ? Number(digit) : 2 * Number(digit)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

/** The many offices of La Poste had more numbers than Luhn leaves. */
const laPoste = '356000000'
const isSiret = (digits: string): boolean =>
  isLuhn(digits) || (digits.startsWith(laPoste) && [...digits].reduce((sum, digit) => sum + Number(digit), 0) % 5 === 0)

const uidWeights = [5, 4, 3, 2, 7, 6, 5, 4] as const
const isUid = (number: string): boolean => {
  const digits = number.slice(3)
  return (11 - (weighed(digits, uidWeights) % 11)) % 11 === Number(digits[8])
}

interface Numbering {
  /** What stays of it. */
  pattern: RegExp
  /** As it is kept, of capitals and digits alone. */
  keep: (typed: string) => string
  isRight: (number: string) => boolean
  /** As people write it. */
  show: (number: string) => string
}

const numberings: Record<Exclude<RegistrationKind, 'plain'>, Numbering> = {
  siret: {
    pattern: /^\d{14}$/,
    keep: (typed) => typed,
    isRight: isSiret,
    show: (number) => number.replace(/^(\d{3})(\d{3})(\d{3})(\d{5})$/, '$1 $2 $3 $4'),
  },
  ice: {
    pattern: /^\d{15}$/,
    keep: (typed) => typed,
    isRight: (number) => BigInt(number) % 97n === 0n,
    show: (number) => number,
  },
  uid: {
    pattern: /^CHE\d{9}$/,
    // What follows says that it pays VAT, or is in the register of commerce.
    keep: (typed) => typed.replace(/^(?:CHE)?(\d{9})(?:MWST|TVA|IVA|HR|RC)?$/, 'CHE$1'),
    isRight: isUid,
    show: (number) => number.replace(/^CHE(\d{3})(\d{3})(\d{3})$/, 'CHE-$1.$2.$3'),
  },
  bce: {
    pattern: /^[01]\d{9}$/,
    // Numbers of before 2023 are often written without their zero.
    keep: (typed) => typed.replace(/^BE/, '').replace(/^(\d{9})$/, '0$1'),
    isRight: (number) => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8)),
    show: (number) => number.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1.$2.$3'),
  },
}

const ofCountry: Readonly<Partial<Record<string, RegistrationKind>>> = { FR: 'siret', MA: 'ice', CH: 'uid', BE: 'bce' }

/** Which number businesses of a country have. */
export const registrationKindOf = (countryCode: string): RegistrationKind => ofCountry[countryCode] ?? 'plain'

/** Other letters' digits as ours, on one line. */
const onOneLine = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** As it is kept, however it was typed. */
export function keptRegistration(kind: RegistrationKind, typed: string): string {
  const line = onOneLine(typed)
  return kind === 'plain' ? line : numberings[kind].keep(line.toUpperCase().replaceAll(/[\s./_-]|\p{Pd}/gu, ''))
}

/** What is wrong with it; null when it can be right. */
export function registrationProblem(kind: RegistrationKind, typed: string): RegistrationProblem | null {
  const number = keptRegistration(kind, typed)
  if (number === '') return 'required'
  if (kind === 'plain') return number.length > longest ? 'too_long:40' : null
  const { pattern, isRight } = numberings[kind]
  if (!pattern.test(number)) return kind
  return isRight(number) ? null : 'digits'
}

/** As people write it. */
export const shownRegistration = (kind: RegistrationKind, number: string): string =>
  kind === 'plain' ? number : numberings[kind].show(number)
