/** Telephone numbers written in different ways that are one: 06 12 34 56 78 and +33 6 12 34 56 78 in France. */

/** Calling codes of countries whose numbers are written at home with a leading zero, or with none. */
const callingCodes: Readonly<Record<string, string>> = {
  FR: '33',
  MC: '377',
  BE: '32',
  CH: '41',
  LU: '352',
  DE: '49',
  AT: '43',
  NL: '31',
  GB: '44',
  IE: '353',
  ES: '34',
  PT: '351',
  IT: '39',
  MA: '212',
  DZ: '213',
  TN: '216',
  EG: '20',
  SN: '221',
  CI: '225',
  LB: '961',
  AE: '971',
  SA: '966',
  QA: '974',
  US: '1',
  CA: '1',
}

/** One way to write a number, as it is reached from abroad; null where there are too few digits for one. */
export function internationalOf(text: string, countryCode: string): string | null {
  const digits = text.replaceAll(/\D/g, '')
  if (digits.length < 6) return null
  if (text.trim().startsWith('+')) return digits.replace(/^(\d{2,3}?)0(?=\d{9}$)/, '$1')
  if (digits.startsWith('00')) return digits.slice(2)
  const code = callingCodes[countryCode]
  return code === undefined ? digits : code + digits.replace(/^0/, '')
}
