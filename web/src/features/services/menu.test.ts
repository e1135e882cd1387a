import { describe, expect, it } from 'vitest'
import { lash, lashLift as base, smallMenu as menu, tint } from '#/testing/menu.ts'
import { fittingService, newValues, partsOfLength, valuesOf, wordIn } from './menu.ts'

describe('what the editor reckons', () => {
  it('keeps a waiting part where the length leaves work around it, and drops it where not', () => {
    const parts = { activeMinutes: 20, idleMinutes: 20, activeAfterMinutes: 20 }
    expect(partsOfLength(100, parts)).toEqual({ activeMinutes: 60, idleMinutes: 20, activeAfterMinutes: 20 })
    expect(partsOfLength(40, parts)).toEqual({ activeMinutes: 40, idleMinutes: 0, activeAfterMinutes: 0 })
  })

  it('finds the longest other service that fits, with its own clean-up', () => {
    expect(fittingService(menu, lash, 20)?._id).toBe(tint)
    expect(fittingService(menu, lash, 15)).toBeUndefined()
    expect(fittingService(menu, tint, 20)).toBeUndefined()
  })

  it('reads words in the reader’s language, else as clients do', () => {
    expect([wordIn(base.name, 'fr'), wordIn(base.name, 'ar'), wordIn({}, 'en')]).toEqual(['Rehaussement de cils', 'Lash lift', ''])
    expect(newValues(menu, 'Soins', 'fr').section).toEqual({ en: '', fr: 'Soins', ar: '' })
    expect(Object.keys(valuesOf(base))).not.toContain('comingVisits')
  })
})
