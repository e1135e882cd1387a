import { describe, expect, it } from 'vitest'
import { keptRegistration, registrationKindOf, registrationProblem, shownRegistration } from './registration-numbers.ts'

const kinds = { FR: 'siret', MA: 'ice', CH: 'uid', BE: 'bce', DE: 'plain' } as const

describe('numbers under which businesses are registered', () => {
  it('are called by their country, and just a number where nobody knows the country’s', () => {
    for (const [country, kind] of Object.entries(kinds)) expect(registrationKindOf(country)).toBe(kind)
    expect(registrationKindOf('toString')).not.toBe('siret')
  })

  it.each([
    ['siret', '732 829 320 00074', '73282932000074', '732 829 320 00074'],
    ['siret', '356000000 00048', '35600000000048', '356 000 000 00048'],
    // Of La Poste: its digits add up to a multiple of five.
    ['siret', '356 000 000 49837', '35600000049837', '356 000 000 49837'],
    ['ice', '001561191000066', '001561191000066', '001561191000066'],
    ['ice', '٠٠١٥٦١١٩١٠٠٠٠٦٦', '001561191000066', '001561191000066'],
    ['uid', 'CHE-116.281.710 TVA', 'CHE116281710', 'CHE-116.281.710'],
    ['uid', '116.281.710', 'CHE116281710', 'CHE-116.281.710'],
    ['bce', 'BE 0403.170.701', '0403170701', '0403.170.701'],
    ['bce', '403 170 701', '0403170701', '0403.170.701'],
    ['plain', '  HRB  12345 ', 'HRB 12345', 'HRB 12345'],
  ] as const)('%s: %s is kept as %s', (kind, typed, kept, shown) => {
    expect(registrationProblem(kind, typed)).toBeNull()
    expect(keptRegistration(kind, typed)).toBe(kept)
    expect(shownRegistration(kind, kept)).toBe(shown)
  })

  it.each([
    ['siret', '732829320', 'siret'],
    ['siret', '732 829 320 0007A', 'siret'],
    ['siret', '732 829 320 00075', 'digits'],
    ['siret', '732 829 230 00074', 'digits'],
    ['ice', '00156119100006', 'ice'],
    ['ice', '001561191000065', 'digits'],
    ['uid', 'CHE-116.281.71', 'uid'],
    ['uid', 'CHE-116.281.711', 'digits'],
    ['bce', '2403.170.701', 'bce'],
    ['bce', '0403.170.702', 'digits'],
    ['plain', '   ', 'required'],
    ['siret', '', 'required'],
    ['plain', '1'.repeat(41), 'too_long:40'],
  ] as const)('%s: %s is refused as %s', (kind, typed, problem) => {
    expect(registrationProblem(kind, typed)).toBe(problem)
  })
})
