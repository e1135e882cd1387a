import { describe, expect, it } from 'vitest'
import { completeCatalogue } from './complete-catalogue.ts'

describe('the catalogue of a language', () => {
  it('keeps what it says and takes from English what it lacks, in groups as well', () => {
    const french = { title: 'Bienvenue', links: { home: 'Accueil' } }
    const english = { title: 'Welcome', text: 'Come in.', links: { home: 'Home', help: 'Help' }, more: { deep: 'Deep' } }
    expect(completeCatalogue(french, english)).toEqual({
      title: 'Bienvenue',
      text: 'Come in.',
      links: { home: 'Accueil', help: 'Help' },
      more: { deep: 'Deep' },
    })
  })

  it('keeps a list whole, and takes one that it lacks', () => {
    const english = { sections: [{ id: 'a' }, { id: 'b' }], more: ['c'] }
    expect(completeCatalogue({ sections: [{ id: 'a' }] }, english)).toEqual({ sections: [{ id: 'a' }], more: ['c'] })
  })

  it('takes no plural form of English where it has forms of its own', () => {
    const arabic = { visits_zero: 'صفر', visits_two: 'زيارتان', visits_other: 'زيارات' }
    expect(completeCatalogue(arabic, { visits_one: 'visit', visits_other: 'visits' })).toEqual(arabic)
    expect(completeCatalogue({}, { visits_one: 'visit', visits_other: 'visits' })).toEqual({ visits_one: 'visit', visits_other: 'visits' })
  })
})
